/** Payouts with a reference: the lines R1 to R18 of docs/never-paid-twice.md that end with an error. */
import type { INodeParameters, Workflow } from 'n8n-workflow';
import type { RunSettings } from '../support/harness';
import { dataTables, emptyDataTables } from '../support/ledger';
import {
	alike,
	BOTH,
	CONTINUE,
	CORRECTED,
	HOUR,
	INVOICES,
	killTables,
	MINUTE,
	type PayoutBench,
	payReferenced,
	referenced,
	reviveTables,
} from '../support/references';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { buildWorkflow, edit } from '../support/workflow';
import { runInto, scene, type Situation, waitAsTold } from './situation';

const [ONE = {}, TWO = {}] = INVOICES;
const entered = (status: string, withdrawalId: string | null = null) => ({ status, withdrawalId });

/** A person edits the row of the first reference. */
function editFirst(cells: { status: string; withdrawalId?: string | null }): void {
	const row = dataTables()
		.rows()
		.find(({ reference }) => reference === 'NF-1');
	dataTables().editRow(row!.id, cells);
}

/** A person looks the first reference up at the service, and says what is so. */
async function settleTruly(bench: PayoutBench): Promise<void> {
	const id = bench.idOf('NF-1');
	const settled = await bench.settle('NF-1', id === undefined ? 'notPaid' : 'paid', id);
	expect(settled.error).toBeUndefined();
}

/** The first reference is sent without a response, before or after the service has paid it. */
async function leaveOpen(
	bench: PayoutBench,
	kind: 'dropBefore' | 'dropAfter',
	settings: RunSettings = {},
): Promise<Workflow> {
	const workflow = referenced();
	await bench.start(workflow, INVOICES, { ...settings, lost: { 'NF-1': kind } });
	return workflow;
}

const UNSURE = 'It is not known whether an earlier attempt paid this item of R$ 10,01';
const SETTLE_EITHER =
	'If one of them is this payout, run Withdrawal > Settle Reference with Outcome Paid and its ID. If none is, run it with Outcome Not Paid. Then run the workflow again.';

/** Each way in which the table cannot be used, and what brings it back. */
function tableTroubles(): Situation[] {
	const troubles: Array<[when: string, says: string, trouble: () => unknown]> = [
		[
			'the module is turned off',
			'remove data-table from N8N_DISABLED_MODULES',
			() => (dataTables().isOff = true),
		],
		[
			'the tables are full',
			'Delete rows that are no longer needed, or increase N8N_DATA_TABLES_MAX_SIZE_BYTES. Then run the workflow again.',
			() => (dataTables().maxRows = 0),
		],
		[
			'the database fails',
			'Have the database of n8n checked, and run the workflow again.',
			() => killTables(),
		],
		[
			'a column was removed',
			'restore the column with its values',
			() => dataTables().removeColumn('generation'),
		],
		[
			'the column generation was made again as text',
			'If one has the wrong type, write down its values, delete the column, add it again with the right type, and enter the values again. Then run the workflow again.',
			() => {
				const { columns, rows } = dataTables().find();
				columns.find(({ name }) => name === 'generation')!.type = 'string';
				for (const row of rows) row.generation = String(row.generation);
			},
		],
		[
			'the table was deleted',
			'Restore it from a backup of the database of n8n.',
			() => dataTables().remove(),
		],
	];
	/** All is as it was before. */
	const mend = (before: ReturnType<ReturnType<typeof dataTables>['find']>) => {
		Object.assign(dataTables(), { isOff: false, maxRows: Infinity });
		reviveTables();
		if (!dataTables().has()) dataTables().create(before.name, before.columns);
		Object.assign(dataTables().find(), before);
	};
	return [false, true].flatMap((isRestarted) =>
		troubles.map(([when, says, trouble]): Situation => ({
			code: 'LEDGER_UNAVAILABLE',
			line: 'R15',
			when: isRestarted ? `${when}, and n8n was started again` : when,
			says: [says],
			async bringAbout(bench) {
				const workflow = referenced();
				await bench.start(workflow, [ONE]);
				if (isRestarted) restart();
				const before = structuredClone(dataTables().find());
				trouble();
				return await runInto(bench, workflow, INVOICES, () => mend(before));
			},
		})),
	);
}

const ALL: Situation[] = [
	...tableTroubles(),
	{
		code: 'LEDGER_UNAVAILABLE',
		line: 'R15',
		when: 'somebody has renamed the table, and another node looks for it',
		says: ['If somebody renamed it, give it its name back.'],
		async bringAbout(bench) {
			await bench.start(referenced(), [ONE]);
			dataTables().rename('Payouts of the firm');
			restart();
			return await runInto(bench, referenced(), INVOICES, () =>
				dataTables().rename('BRL Payouts', 'Payouts of the firm'),
			);
		},
	},
	{
		code: 'REFERENCE_MISMATCH',
		line: 'R3',
		when: 'it is another payout, and gets its own reference',
		says: ['If this is another payout, give it its own reference.'],
		async bringAbout(bench) {
			const workflow = referenced();
			await bench.start(workflow, INVOICES);
			const other = { ...CORRECTED[0], invoice: 'NF-9' };
			return await runInto(bench, workflow, CORRECTED, undefined, [other, TWO]);
		},
		check: (bench) => expect(bench.living).toEqual({ ...BOTH, 'NF-9': 1 }),
	},
	{
		code: 'REFERENCE_MISMATCH',
		line: 'R3',
		when: 'the row was wrong, and is corrected',
		says: ['Otherwise correct the row.'],
		async bringAbout(bench) {
			const workflow = referenced();
			await bench.start(workflow, INVOICES);
			return await runInto(bench, workflow, CORRECTED, undefined, INVOICES);
		},
		check(bench, last) {
			expect(last!.paidBefore).toEqual([true, true]);
			expect(bench.living).toEqual(BOTH);
		},
	},
	{
		code: 'REFERENCE_MISMATCH',
		line: 'R7',
		when: 'two rows of one list have one reference: the error names the other row',
		says: [
			'Row 1 of this list has the same reference "NF-1"',
			'Correct the row, or give it its own reference.',
		],
		async bringAbout(bench) {
			const list = [ONE, { ...TWO, invoice: 'NF-1' }];
			return await runInto(bench, referenced(), list, undefined, INVOICES);
		},
	},
	{
		code: 'REFERENCE_MISMATCH',
		line: 'R12',
		when: 'another n8n has used the reference today for something else',
		says: ['Look for it with Withdrawal > Get Many.', 'give it its own reference.'],
		async bringAbout(bench) {
			await bench.start(referenced(), CORRECTED);
			emptyDataTables();
			const own = INVOICES.map((row) => ({ ...row, invoice: `${row.invoice as string} again` }));
			return await runInto(bench, referenced(), INVOICES, undefined, own);
		},
		paid: [1001, 1101, 2002, 2102],
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R5',
		when: 'a row whose response was lost is corrected: the error names a time, then the withdrawals',
		says: [UNSURE.replace('10,01', '11,01'), 'Run the workflow again after'],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, 'dropAfter');
			const list = [CORRECTED[0]!, TWO];
			const failed = await bench.start(workflow, list);
			return scene(failed, async () => {
				waitAsTold(bench, failed);
				return await bench.followWords(workflow, list);
			});
		},
		// A person has said that the earlier amount was paid.
		stillFails: ['REFERENCE_MISMATCH', undefined],
	},
	...(['dropBefore', 'dropAfter'] as const).map((kind): Situation => ({
		code: 'PAYOUT_IN_DOUBT',
		line: 'R2',
		when: `a day later, the list shows what looks alike (${kind}): a person settles it`,
		says: [UNSURE, SETTLE_EITHER],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, kind);
			const [other = ''] = await bench.payElsewhere([ONE]);
			bench.clock.advance(25 * HOUR);
			return await runInto(bench, workflow, INVOICES, async ({ errors }) => {
				expect(errors[0]?.withdrawalIds).toContain(other);
				await settleTruly(bench);
			});
		},
		check: (bench) => expect(bench.living).toEqual({ ...BOTH, 'other tool': 1 }),
	})),
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R10',
		when: 'another API key is chosen: the first one is chosen again',
		says: ['Choose the credential with that key, and run the workflow again.'],
		async bringAbout(bench) {
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX' });
			const workflow = referenced();
			await bench.payUnseen(workflow, { credential: { apiKey } });
			const failed = await bench.start(workflow, INVOICES);
			return scene(
				failed,
				async () => await bench.start(workflow, INVOICES, { credential: { apiKey } }),
			);
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R10',
		when: 'another API key is chosen, and the first one is gone',
		says: [
			'If that key is gone, look the payout up in its account.',
			'If it was not, run it with Outcome Not Paid, at least 5 minutes after the last attempt.',
		],
		async bringAbout(bench) {
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX' });
			const workflow = referenced();
			await bench.start(workflow, INVOICES, { credential: { apiKey }, lost: 'dropBefore' });
			return await runInto(bench, workflow, INVOICES, async () => {
				bench.clock.advance(5 * MINUTE);
				for (const { invoice } of INVOICES) {
					const settled = await bench.settle(invoice as string, 'notPaid');
					expect(settled.error).toBeUndefined();
				}
			});
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R10',
		when: 'the API key is revoked after a lost response: a new key, then a person settles it',
		says: [
			'The list of withdrawals cannot be read:',
			'Fix the problem, then run the workflow again.',
		],
		async bringAbout(bench) {
			const expiresAt = new Date(bench.clock.now() + MINUTE).toISOString();
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });
			const old = { credential: { apiKey } };
			const workflow = await leaveOpen(bench, 'dropAfter', old);
			bench.clock.advance(2 * MINUTE);
			const first = await bench.start(workflow, [ONE], old);
			expect(first.errors[0]?.description).toContain('The API key is unknown, revoked');
			waitAsTold(bench, first);
			const failed = await bench.start(workflow, [ONE], old);
			return scene(failed, async () => {
				const doubt = await bench.start(workflow, [ONE]);
				// The withdrawal of NF-2 shows that both keys belong to one account.
				expect(doubt.errors[0]?.withdrawalIds).toEqual([bench.idOf('NF-1')]);
				await bench.settle('NF-1', 'paid', bench.idOf('NF-1'));
				return await bench.start(workflow, INVOICES);
			});
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R2',
		when: 'the list can never be read, and a person finds that nothing was paid',
		says: [
			'If it was not, delete the rows of this reference in the table BRL Payouts, at least 5 minutes after the last attempt. Then run the workflow again.',
		],
		async bringAbout(bench) {
			const apiKey = bench.keyWith('withdrawals:write');
			const settings = { credential: { apiKey } };
			const workflow = await leaveOpen(bench, 'dropBefore', settings);
			bench.clock.advance(25 * HOUR);
			const remove = () => {
				for (const { id, reference } of dataTables().rows()) {
					if (reference === 'NF-1') dataTables().deleteRow(id);
				}
			};
			return await runInto(bench, workflow, [ONE], remove, INVOICES, settings);
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R10',
		when: 'it was paid with another API key, and this one cannot read that payout',
		says: ['or choose the credential that paid.'],
		async bringAbout(bench) {
			const apiKey = bench.keyWith('withdrawals:write');
			const workflow = referenced();
			await bench.start(workflow, INVOICES);
			const failed = await bench.start(workflow, INVOICES, { credential: { apiKey } });
			return scene(failed, async () => await bench.start(workflow, INVOICES));
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R16',
		when: 'a row of the table was edited so that it makes no sense',
		says: ['Open the table under Data tables and correct the row', 'Then run the workflow again.'],
		async bringAbout(bench) {
			const workflow = referenced();
			await bench.start(workflow, INVOICES);
			editFirst({ status: 'payed' });
			return await runInto(bench, workflow, INVOICES, () => editFirst({ status: 'paid' }));
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R16',
		when: 'somebody entered an ID that is none',
		says: ['Check the ID in the table BRL Payouts'],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, 'dropAfter');
			editFirst(entered('paid', 'unknown'));
			return await runInto(bench, workflow, INVOICES, () =>
				editFirst(entered('paid', bench.idOf('NF-1'))),
			);
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'R17',
		when: "somebody entered the ID of another reference's withdrawal",
		says: [
			'Check at the service which one it paid.',
			'for the one that it did not pay, correct that row: enter the right ID, or change Status to not paid if nothing paid it. Then run the workflow again',
		],
		async bringAbout(bench) {
			const list = alike('NF-1', 'NF-2');
			const workflow = referenced();
			await bench.start(workflow, list, { lost: { 'NF-1': 'dropBefore' } });
			editFirst(entered('paid', bench.idOf('NF-2')));
			return await runInto(bench, workflow, list, () => editFirst(entered('not paid')));
		},
	},
	...(['dropBefore', 'dropAfter'] as const).map((kind): Situation => ({
		code: 'PAYOUT_IN_DOUBT',
		line: 'R18',
		when: `the service gives nothing but errors (${kind}): a person settles it`,
		says: [
			'If it stays like this, wait 5 minutes without a run, and look the payout up at the service.',
			'If it was not, run it with Outcome Not Paid. Then run the workflow again.',
		],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, kind);
			bench.clock.advance(5 * MINUTE);
			const end = bench.refuseNext(Infinity, 'INTERNAL_ERROR');
			return await runInto(bench, workflow, INVOICES, async () => {
				bench.clock.advance(5 * MINUTE);
				await settleTruly(bench);
				end();
			});
		},
	})),
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W3',
		when: 'n8n remembers nothing of the first attempt, which had this very reference',
		says: [
			'If the first attempt had this very reference, start a new execution: each reference is paid once.',
		],
		async bringAbout(bench) {
			const workflow = referenced();
			const killed = await bench.run(payEach(), INVOICES, CONTINUE);
			edit(killed, payReferenced() as INodeParameters);
			const failed = await bench.retryAfterKill(killed);
			// Somebody else has paid the same: these references were never sent.
			return scene(failed, async () => await bench.start(workflow, INVOICES));
		},
		paid: [1001, 1001, 2002, 2002],
	},
	{
		code: 'CANCELLED',
		line: 'R14',
		when: 'the execution is stopped: the list is run again',
		says: ['To continue, run the workflow again: each reference is paid once.'],
		async bringAbout(bench) {
			const failed = await bench.runStopped('', payReferenced({ maxConcurrency: 1 }), INVOICES);
			return scene(failed, async () => await bench.start(failed.workflow, INVOICES));
		},
	},
	{
		code: 'WITHDRAWAL_NOT_PAID',
		line: 'R6',
		when: 'the bank refused it after a lost response',
		says: ['Run the workflow again to pay it under the same reference.'],
		async bringAbout(bench) {
			const workflow = referenced();
			bench.sandbox.account.withdrawalOutcome = 'FAILED';
			await bench.payUnseen(workflow);
			bench.clock.advance(MINUTE);
			bench.sandbox.account.withdrawalOutcome = 'COMPLETED';
			return await runInto(bench, workflow, INVOICES);
		},
	},
	...['dropAfter', 'dropBefore', 'html'].map((kind): Situation => ({
		code: kind === 'html' ? 'UNEXPECTED_ANSWER' : 'CONNECTION_LOST',
		line: 'R2',
		when: `the response is lost (${kind}): the workflow is run again`,
		says: ['To continue, run the workflow again: each reference is paid once.'],
		saysNot: ['Retry'],
		async bringAbout(bench) {
			const workflow = buildWorkflow({ parameters: payReferenced() });
			const found = bench.sandbox.faults.add({
				...{ method: 'POST', times: Infinity },
				...({ kind, status: 200, process: true } as { kind: 'dropAfter' }),
			});
			return await runInto(bench, workflow, INVOICES, found);
		},
	})),
];

/** Each reference has one living withdrawal in the end, if nothing else is said. */
export const SITUATIONS = ALL.map((one): Situation => ({
	...(one.paid === undefined && { check: (bench) => expect(bench.living).toEqual(BOTH) }),
	...one,
}));

type Settled = Awaited<ReturnType<PayoutBench['settle']>>;

/** What Settle Reference refuses, and what the person does then. */
export const NOT_SETTLED: Array<{
	readonly when: string;
	readonly says: string;
	readonly tell: (bench: PayoutBench) => Promise<Settled>;
	readonly follow: (bench: PayoutBench) => Promise<Settled | undefined>;
}> = [
	{
		when: 'it was paid',
		says: 'Look that withdrawal up with the credential that paid it.',
		tell: async (bench) => await bench.settle('NF-2', 'notPaid'),
		follow: async () => await Promise.resolve(undefined),
	},
	{
		when: 'the list shows a withdrawal that the person was not told of',
		says: 'If one of them is this payout, choose Paid and enter its ID.',
		tell: async (bench) => await bench.settle('NF-1', 'notPaid'),
		follow: async (bench) => await bench.settle('NF-1', 'paid', bench.idOf('NF-1')),
	},
	{
		when: 'the withdrawal belongs to another reference',
		says: 'Check the ID.',
		tell: async (bench) => await bench.settle('NF-1', 'paid', bench.idOf('NF-2')),
		follow: async (bench) => await bench.settle('NF-1', 'paid', bench.idOf('NF-1')),
	},
	{
		when: 'there is no such withdrawal',
		says: 'Check the ID and the credential',
		tell: async (bench) =>
			await bench.settle('NF-1', 'paid', '3fa85f64-5717-4562-b3fc-2c963f66afa6'),
		follow: async (bench) => await bench.settle('NF-1', 'paid', bench.idOf('NF-1')),
	},
];

/** A reference whose payout was made without a response, and whose key is dead. */
export async function putInDoubt(bench: PayoutBench): Promise<Workflow> {
	const workflow = await leaveOpen(bench, 'dropAfter');
	bench.clock.advance(25 * HOUR);
	return workflow;
}
