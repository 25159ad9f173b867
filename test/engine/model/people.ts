/** What people do in a script: they settle a reference, and edit the table. */
import { readRow, type StoredCells } from '../../../nodes/BrlPayments/ledger/ledger';
import { TICK_MS, type Bounds, type Step } from '../../model/world';
import { dataTables } from '../support/ledger';
import { type PayoutBench } from '../support/references';
import { Deviation, referenceOf, type Booked, type Service } from './service';

type Settling = Extract<Step, { do: 'settle' }>;

/** How the texts of Settle Reference begin, for what the protocol calls it (settleReference.ts). */
const REFUSALS: ReadonlyArray<readonly [RegExp, string]> = [
	[/says that it was paid/, 'paid'],
	[/nothing about it is in doubt/, 'nothingInDoubt'],
	[/could not be read completely/, 'listUnreadable'],
	[/no error has named yet/, 'newCandidates'],
	[/the withdrawal could not be read/, 'unreadable'],
	[/the bank refused/, 'notLiving'],
	[/was never sent under this reference/, 'otherContent'],
	[/belongs to another reference/, 'otherOrder'],
];

export class People {
	/** Which withdrawal a person has said that an order was paid by. */
	readonly words: Array<{ readonly order: number; readonly id: string }> = [];

	constructor(
		private readonly bench: PayoutBench,
		private readonly service: Service,
		private readonly bounds: Pick<Bounds, 'isPersonMistaken'>,
		private readonly now: () => number,
	) {}

	async settle(step: Settling): Promise<void> {
		const { order, found, apiKey, result } = step;
		const { service } = this;
		if (found !== undefined) this.words.push({ order, id: found });
		const ask = async () => await this.ask(step);
		const isYoung = service.books.some(({ at }) => this.now() - at < TICK_MS);
		const said =
			result === 'listUnreadable' || result === 'unreadable'
				? await service.unreadable(apiKey, ask)
				: found === undefined && result === 'accepted' && isYoung
					? await service.lagging(apiKey, ask)
					: await ask();
		if (said !== result) throw new Deviation(`Settle Reference says ${said}`);
	}

	private async ask({ order, found, apiKey }: Settling): Promise<string> {
		const { apiKey: secret, sandbox } = this.service.account(apiKey);
		const item = await this.bench.settle(
			referenceOf(order),
			found === undefined ? 'notPaid' : 'paid',
			found === undefined ? '' : this.service.idOf(found),
			{ credential: { apiKey: secret, baseUrl: sandbox.url } },
		);
		if (item.error === undefined) return 'accepted';
		const { message } = item.error as Error;
		return REFUSALS.find(([text]) => text.test(message))?.[1] ?? message;
	}

	/** A person changes the status of a row, and if it was paid, enters what paid it. */
	edit({ order, row, status }: Extract<Step, { do: 'edit' }>): void {
		const found = status === 'paid' ? this.find(order) : undefined;
		if (found !== undefined) this.words.push({ order, id: found.name });
		const withdrawalId = found === undefined ? null : this.service.idOf(found.name);
		// Milliseconds later, where it is within the same tick.
		dataTables().editRow(
			this.rowAt(order, row),
			{ status, withdrawalId },
			undefined,
			this.now() + 1,
		);
	}

	delete({ order, row }: Extract<Step, { do: 'delete' }>): void {
		dataTables().deleteRow(this.rowAt(order, row));
	}

	/** What a person takes for the order's own: it is not in the script, and follows from the books. */
	private find(order: number): Booked | undefined {
		const living = this.service.books.filter(({ isLiving }) => isLiving);
		const own = living.find((one) => one.order === order && this.now() - one.at >= TICK_MS);
		if (own !== undefined || this.bounds.isPersonMistaken !== true) return own;
		return living.find((one) => one.order !== order);
	}

	/** The model counts what rows say: of a row that a person has edited, that may be two things. */
	private rowAt(order: number, index: number): number {
		const ids = dataTables()
			.rows()
			.filter(({ reference }) => reference === referenceOf(order))
			.flatMap((row) => (readRow(row as unknown as StoredCells) ?? []).map(() => row.id));
		const id = ids[index];
		if (id === undefined) throw new Deviation(`the table has no row ${index + 1} of this order`);
		return id;
	}
}
