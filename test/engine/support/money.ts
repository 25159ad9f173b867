/** What happens to payouts, what a person does about those in doubt, and what is true then. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, Workflow } from 'n8n-workflow';
import { readTime } from '../../../dev/chaos/screen';
import type { FaultAction, RecordedRequest } from '../../../dev/sandbox';
import type { Execution, ItemError, JsonRow } from './execution';
import { EngineHarness, use, type RunSettings } from './harness';
import { dataTables, restart } from './ledger';
import { NODE } from './names';
import { BOTH, INVOICES, payEach, referenced, TWO } from './payouts';
import { CONTINUE, type Parameters } from './workflow';

/** The moment that an error names, in epoch ms. */
export const namedTime = (error: ItemError | undefined): number | undefined =>
	readTime(error?.description ?? '');

const isLiving = ({ status }: { status: string }): boolean =>
	status !== 'FAILED' && status !== 'CANCELLED';

/** What each of two items says of itself: an earlier run has paid it, or this one. */
export const BEFORE = [true, true];
export const NOW = [false, false];
/** Of both, nobody knows whether they were paid. */
export const DOUBTS = ['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT'];
/** Both are refused: they were paid with other content. */
export const MISMATCHES = ['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH'];
/** Neither has an error. */
export const FINE = [undefined, undefined];

/** The words of the tests of payouts: what happens to them, what a person does, and what is true then. */
export class PayoutBench extends EngineHarness {
	private own: Workflow | undefined;

	/** How many living withdrawals each description has. */
	get living(): Record<string, number> {
		const counts: Record<string, number> = {};
		for (const { description } of this.sandbox.books.withdrawals.filter(isLiving)) {
			counts[description ?? ''] = (counts[description ?? ''] ?? 0) + 1;
		}
		return counts;
	}

	/** ID of the living withdrawal of a reference, as the books have it. */
	idOf(reference: string): string | undefined {
		return this.sandbox.books.withdrawals
			.filter(isLiving)
			.find(({ description }) => description === reference)?.id;
	}

	/** Every item that is called paid shows the withdrawal that the books have for its reference. */
	expectTrue(...executions: Execution[]): void {
		const items = executions.flatMap(({ json }) => json).filter(({ error }) => !error);
		for (const { id, reference } of items) {
			const booked = this.sandbox.books.withdrawals.find((one) => one.id === id);
			expect(booked?.description).toBe(reference);
		}
		const made = items
			.filter(({ alreadyPaid }) => alreadyPaid === false)
			.map(({ id }) => id as string);
		expect(new Set(made).size).toBe(made.length);
	}

	/** Each reference has so many living withdrawals, and what the executions say of them is true. */
	expectLiving(living: Record<string, number>, ...executions: Execution[]): void {
		this.expectTrue(...executions);
		expect(this.living).toEqual(living);
	}

	/** Both are paid, and the answers get lost: nobody knows that. */
	async payUnseen(workflow: Workflow, settings: RunSettings = {}): Promise<void> {
		await this.start(workflow, INVOICES, { ...settings, lost: 'dropAfter' });
		expect(this.paid).toEqual(expect.arrayContaining([1001, 2002]));
	}

	/** The bank refuses all that was paid so far. */
	bankRefusesAll(): void {
		for (const { id } of this.sandbox.books.withdrawals) {
			this.sandbox.setWithdrawalStatus(id, 'FAILED');
		}
	}

	/** A request that was lost on the way arrives after all. */
	async arrive({ method, url, headers, rawBody }: RecordedRequest): Promise<number> {
		const response = await fetch(`${this.sandbox.url}${url}`, {
			method,
			headers: {
				authorization: `Bearer ${this.credential.apiKey}`,
				'content-type': String(headers['content-type']),
				'x-idempotency-key': String(headers['x-idempotency-key']),
			},
			body: new Uint8Array(rawBody),
		});
		return response.status;
	}

	/** Another tool pays the same: the description is all that tells whose payout it is. */
	async payElsewhere(
		items: IDataObject[],
		description = 'other tool',
		{ credential = this.credential }: RunSettings = {},
	): Promise<string[]> {
		const ids: string[] = [];
		for (const { amount, pixKey } of items) {
			const baseUrl = credential.baseUrl ?? this.sandbox.url;
			const response = await fetch(`${baseUrl}/v1/withdrawals`, {
				method: 'POST',
				headers: {
					authorization: `Bearer ${credential.apiKey}`,
					'content-type': 'application/json',
					'x-idempotency-key': randomUUID(),
				},
				body: JSON.stringify({ amount, destination: { pixKey }, description }),
			});
			expect(response.status).toBeLessThan(300);
			const { withdrawal } = (await response.json()) as { withdrawal: { id: string } };
			ids.push(withdrawal.id);
		}
		return ids;
	}

	async getReference(reference: string, settings: RunSettings = {}): Promise<JsonRow> {
		return await this.ask({ operation: 'getByReference', reference }, settings);
	}

	async settle(
		reference: string,
		outcome: 'paid' | 'notPaid',
		withdrawalId = '',
		{ notThese = [], ...settings }: RunSettings & { notThese?: readonly string[] } = {},
	): Promise<JsonRow> {
		const parameters = {
			...{ operation: 'settleReference', reference, outcome, withdrawalId },
			notThese: notThese.join(', '),
		};
		return await this.ask(parameters, settings);
	}

	private async ask(parameters: Parameters, settings: RunSettings): Promise<JsonRow> {
		const whole = { resource: 'withdrawal', ...parameters, options: {} };
		const { json } = await this.run(whole, [{}], { ...CONTINUE, ...settings });
		return json[0]!;
	}

	/**
	 * Does what the errors say until none is in doubt: waits until the time that they name, settles by what
	 * the books say, and runs the workflow again.
	 *
	 * @returns the last execution
	 */
	async followWords(
		workflow: Workflow,
		items: IDataObject[],
		settings: RunSettings = {},
	): Promise<Execution> {
		for (let runs = 0; runs < 5; runs += 1) {
			const execution = await this.start(workflow, items, settings);
			const { errors } = execution;
			if (errors.every((error) => error === undefined || error.effect === 'none')) return execution;
			for (const [index, error] of errors.entries()) {
				if (error === undefined || error.effect === 'none') continue;
				expect(error.description).toMatch(/[Rr]un the workflow again|[Rr]etry|Settle Reference/);
				const time = namedTime(error);
				if (time !== undefined) {
					this.clock.advance(Math.max(0, time + 1 - this.clock.now()));
				} else if (error.description.includes('Settle Reference')) {
					const reference = items[index]?.invoice as string;
					const id = this.idOf(reference);
					const outcome = id === undefined ? 'notPaid' : 'paid';
					let notThese = error.withdrawalIds ?? [];
					const settle = async () =>
						await this.settle(reference, outcome, id, { ...settings, notThese });
					let settled = await settle();
					for (let words = 0; settled.error !== undefined && words < 2; words += 1) {
						// It is too early, or the list shows withdrawals to be ruled out.
						const until = namedTime(settled.error) ?? 0;
						this.clock.advance(Math.max(0, until + 1 - this.clock.now()));
						notThese = [...notThese, ...(settled.error.withdrawalIds ?? [])];
						settled = await settle();
					}
					expect(settled.error).toBeUndefined();
				}
			}
		}
		throw new Error('The errors lead nowhere');
	}

	/** The workflow of the test. Others are `referenced()`. */
	get workflow(): Workflow {
		this.own ??= referenced();
		return this.own;
	}

	override reset(): void {
		super.reset();
		this.own = undefined;
	}

	/** The workflow of the test runs, with both invoices if nothing else is said. */
	async pay(rows: IDataObject[] = INVOICES, settings: RunSettings = {}): Promise<Execution> {
		return await this.start(this.workflow, rows, settings);
	}

	/** The same, and a person does what the errors say, see `followWords`. */
	async payAsTold(rows: IDataObject[] = INVOICES, settings: RunSettings = {}): Promise<Execution> {
		return await this.followWords(this.workflow, rows, settings);
	}

	/** The workflow runs, and n8n is killed as soon as something holds: its tables are written no more. */
	async payKilled(
		when: () => boolean,
		rows: IDataObject[] = INVOICES,
		settings: RunSettings = {},
	): Promise<Execution> {
		killTables(when);
		const killed = await this.pay(rows, settings);
		reviveTables();
		restart();
		return killed;
	}

	/** Two payouts without references, see `TWO`. */
	async payTwo(settings: RunSettings = {}, options: Parameters = {}): Promise<Execution> {
		return await this.run(payEach(options), TWO, settings);
	}

	/** Two payments that customers have made. */
	paidPayments(): Array<{ id: string; txId: string }> {
		return [1001, 2005].map((amountCents) => {
			const { id, txId } = this.sandbox.seed.payment({ status: 'PAID', amountCents });
			return { id, txId };
		});
	}

	/** Each reference is paid once, and the run says of each row whether an earlier one has paid it. */
	expectOnce(
		run: Execution,
		paidBefore: readonly boolean[],
		living: Record<string, number> = BOTH,
	): void {
		expect(run.paidBefore).toEqual(paidBefore);
		this.expectLiving(living, run);
	}

	/** All requests with a text that may have an effect meet a fault. @returns ends that */
	strike(text: string, fault: FaultAction & { times?: number; skip?: number }): () => void {
		return this.sandbox.faults.add({
			...{ method: 'POST', times: Infinity, ...fault },
			when: ({ rawBody }) => rawBody.includes(text),
		});
	}
}

/** One bench for all tests of a file. */
export const usePayouts = (): PayoutBench => use(new PayoutBench());

/** From now on, n8n's tables fail: it is about to be killed, or its database is gone. */
export function killTables(when: () => boolean = () => true): void {
	dataTables().onStep = () => {
		if (when()) throw new Error('n8n was killed');
	};
}

export function reviveTables(): void {
	dataTables().onStep = () => undefined;
}

/** What is left in the table of each reference. */
export function rowsOf(
	reference?: string,
): Array<{ status: string; generation: number; id: number }> {
	if (!dataTables().has()) return [];
	return dataTables()
		.rows()
		.filter((row) => reference === undefined || row.reference === reference)
		.map(({ id, status, generation }) => ({
			id,
			status: String(status),
			generation: Number(generation),
		}));
}

/** Every call of n8n's tables lets others go first. */
export function slowDownTables(): void {
	dataTables().onStep = async () => {
		for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
	};
}

/** Nothing was sent, as an earlier attempt may have paid. @param why what the error says of that */
export function expectDoubt({ error, posts }: Execution, ...why: string[]): void {
	expect(error?.message).toContain('It is not known whether an earlier attempt paid');
	for (const words of why) expect(error?.description).toContain(words);
	expect(posts).toBe(0);
}

/** The node of an execution that failed continues after errors, in the retry. */
export function continueOnFail({ workflow }: Execution): void {
	workflow.nodes[NODE]!.onError = 'continueRegularOutput';
}
