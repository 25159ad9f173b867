/** Payouts with a reference: how they are asked for, and what a person does about those in doubt. */
import type { IDataObject, Workflow } from 'n8n-workflow';
import type { RecordedRequest } from '../../../dev/sandbox';
import type { Execution, JsonRow } from './execution';
import type { EngineHarness, RunSettings } from './harness';
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
/** Each of them has one living withdrawal, see `livingOf`. */
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

interface ItemError {
	code: string;
	message: string;
	description: string;
	effect: string;
	withdrawalIds?: string[];
}
export const errorsOf = ({ json }: Execution): Array<ItemError | undefined> =>
	json.map(({ error }) => error as ItemError | undefined);
export const getCodes = (execution: Execution): Array<string | undefined> =>
	errorsOf(execution).map((error) => error?.code);
export const paidBefore = ({ json }: Execution): unknown[] =>
	json.map(({ alreadyPaid }) => alreadyPaid as unknown);
export const getIds = ({ json }: Execution): string[] => json.map(({ id }) => id as string);

/** How many living withdrawals each description has. */
export function livingOf({ sandbox }: Pick<EngineHarness, 'sandbox'>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { description, status } of sandbox.books.withdrawals) {
		if (status === 'FAILED' || status === 'CANCELLED') continue;
		counts[description ?? ''] = (counts[description ?? ''] ?? 0) + 1;
	}
	return counts;
}

/** ID of the living withdrawal of a reference, as the books have it. */
export function idOf({ sandbox }: EngineHarness, reference: string): string | undefined {
	return sandbox.books.withdrawals.find(
		({ description, status }) =>
			description === reference && status !== 'FAILED' && status !== 'CANCELLED',
	)?.id;
}

/** Every item that is called paid shows the withdrawal that the books have for its reference. */
export function expectTrue({ sandbox }: EngineHarness, ...executions: Execution[]): void {
	const items = executions.flatMap(({ json }) => json).filter(({ error }) => !error);
	for (const { id, reference } of items) {
		const booked = sandbox.books.withdrawals.find((one) => one.id === id);
		expect(booked?.description).toBe(reference);
	}
	const made = items
		.filter(({ alreadyPaid }) => alreadyPaid === false)
		.map(({ id }) => id as string);
	expect(new Set(made).size).toBe(made.length);
}

/** Requests are lost on the way to the service, or their answers on the way back. */
export function lose(
	{ sandbox }: EngineHarness,
	what: 'dropBefore' | 'dropAfter',
	when: (body: string) => boolean = () => true,
	times = Infinity,
): () => void {
	return sandbox.faults.add({
		method: 'POST',
		kind: what,
		times,
		when: ({ rawBody }) => when(rawBody.toString()),
	});
}

/** Both are paid, and the answers get lost: nobody knows that. */
export async function payUnseen(
	bench: EngineHarness,
	workflow: Workflow,
	settings: RunSettings = {},
): Promise<void> {
	const found = lose(bench, 'dropAfter');
	await bench.start(workflow, INVOICES, settings);
	found();
	expect(bench.paid).toEqual(expect.arrayContaining([1001, 2002]));
}

/** The next requests are refused before anything looks at their key. @returns ends that */
export const refuseNext = ({ sandbox }: EngineHarness, requests: number): (() => void) =>
	sandbox.faults.add({
		...{ method: 'POST', times: requests, kind: 'error' },
		code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
	});

/** A request that was lost on the way arrives after all. */
export async function arrive(
	{ sandbox, credential }: EngineHarness,
	{ method, url, headers, rawBody }: RecordedRequest,
): Promise<number> {
	const response = await fetch(`${sandbox.url}${url}`, {
		method,
		headers: {
			authorization: `Bearer ${credential.apiKey}`,
			'content-type': String(headers['content-type']),
			'x-idempotency-key': String(headers['x-idempotency-key']),
		},
		body: new Uint8Array(rawBody),
	});
	return response.status;
}

/** Another tool pays the same: the description is all that tells whose payout it is. */
export async function payElsewhere(
	bench: EngineHarness,
	items: IDataObject[],
	description = 'other tool',
	settings: RunSettings = {},
): Promise<string[]> {
	const run = await bench.run(payEach({}, { description }), items, settings);
	expect(run.error).toBeUndefined();
	return getIds(run);
}

export async function getReference(
	bench: EngineHarness,
	reference: string,
	settings: RunSettings = {},
): Promise<JsonRow> {
	const parameters = {
		resource: 'withdrawal',
		operation: 'getByReference',
		reference,
		options: {},
	};
	const run = await bench.run(parameters, [{}], { ...CONTINUE, ...settings });
	return run.json[0]!;
}

export async function settleReference(
	bench: EngineHarness,
	reference: string,
	outcome: 'paid' | 'notPaid',
	withdrawalId = '',
	settings: RunSettings = {},
): Promise<JsonRow> {
	const run = await bench.run(
		{
			...{ resource: 'withdrawal', operation: 'settleReference', options: {} },
			...{ reference, outcome, withdrawalId },
		},
		[{}],
		{ ...CONTINUE, ...settings },
	);
	return run.json[0]!;
}

/** The moment that an error names: "after 2026-…". */
export const namedTime = (error: ItemError | undefined): number | undefined => {
	const [, time] = /after (\d{4}-[\dT:.-]+Z)/.exec(error?.description ?? '') ?? [];
	return time === undefined ? undefined : new Date(time).getTime();
};

/**
 * Does what the errors say until none is in doubt: waits until the time that they name, settles by what
 * the books say, and runs the workflow again.
 *
 * @returns the last execution
 */
export async function followWords(
	bench: EngineHarness,
	workflow: Workflow,
	items: IDataObject[],
	settings: RunSettings = {},
): Promise<Execution> {
	for (let runs = 0; runs < 5; runs += 1) {
		const execution = await bench.start(workflow, items, settings);
		const errors = errorsOf(execution);
		if (errors.every((error) => error === undefined || error.effect === 'none')) return execution;
		for (const [index, error] of errors.entries()) {
			if (error === undefined || error.effect === 'none') continue;
			expect(error.description).toMatch(/[Rr]un the workflow again|Settle Reference/);
			const time = namedTime(error);
			if (time !== undefined) {
				bench.clock.advance(Math.max(0, time + 1 - bench.clock.now()));
			} else if (error.description.includes('Settle Reference')) {
				const reference = items[index]?.invoice as string;
				const id = idOf(bench, reference);
				const outcome = id === undefined ? 'notPaid' : 'paid';
				const settled = await settleReference(bench, reference, outcome, id, settings);
				expect(settled.error).toBeUndefined();
			}
		}
	}
	throw new Error('The errors lead nowhere');
}

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
