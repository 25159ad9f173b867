/** Payouts with a reference: how they are asked for, and what a person does about those in doubt. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, Workflow } from 'n8n-workflow';
import { readTime } from '../../../dev/chaos/screen';
import type { RecordedRequest } from '../../../dev/sandbox';
import type { Execution, ItemError, JsonRow } from './execution';
import { EngineHarness, use, type RunSettings } from './harness';
import { dataTables } from './ledger';
import { payEach } from './payouts';
import { CPF, EMAIL } from './values';
import { buildWorkflow, type Parameters } from './workflow';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The reference is the description as well: effects are told apart by it, not by what they look like. */
export const payReferenced = (options: Parameters = {}, more: Parameters = {}): Parameters =>
	payEach(options, {
		reference: '={{ $json.invoice }}',
		description: '={{ $json.invoice }}',
		...more,
	});

/** Two payouts that differ in all that identifies them. */
export const INVOICES: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF, invoice: 'NF-1' },
	{ amount: 20.02, pixKey: EMAIL, invoice: 'NF-2' },
];
/** Each of them has one living withdrawal, see `living`. */
export const BOTH = { 'NF-1': 1, 'NF-2': 1 };
/** The same references, each with another amount. */
export const CORRECTED = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 1 }));
/** Payouts that look alike: only their references differ. */
export const alike = (...invoices: string[]): IDataObject[] =>
	invoices.map((invoice) => ({ ...INVOICES[0], invoice }));

/** Both are refused: they were paid with other content. */
export const MISMATCHES = ['REFERENCE_MISMATCH', 'REFERENCE_MISMATCH'];

export const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
/** A workflow with a node of its own that pays references. */
export const referenced = (options: Parameters = {}): Workflow =>
	buildWorkflow({ parameters: payReferenced(options), ...CONTINUE });

/** The moment that an error names, in epoch ms. */
export const namedTime = (error: ItemError | undefined): number | undefined =>
	readTime(error?.description ?? '');

const isLiving = ({ status }: { status: string }): boolean =>
	status !== 'FAILED' && status !== 'CANCELLED';

/** The words of the tests of payouts: what happens to them, what a person does, and what is true then. */
export class PayoutBench extends EngineHarness {
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
}

/** One bench for all tests of a file, with the words for payouts. */
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
