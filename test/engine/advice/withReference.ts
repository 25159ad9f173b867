/** Payouts with a reference that end with an error. */
import type { Workflow } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { dataTables, emptyDataTables, restart } from '../support/ledger';
import { killTables, type PayoutBench, reviveTables } from '../support/money';
import { alike, BOTH, CORRECTED, INVOICES, payReferenced, referenced } from '../support/payouts';
import { HOUR, MINUTE, UUID } from '../support/values';
import { buildWorkflow } from '../support/workflow';
import { runInto, scene, type Situation, waitAsTold } from './situation';

const [ONE = {}, TWO = {}] = INVOICES;

/** A person edits the row of the first reference. */
function editFirst(cells: { status: string; withdrawalId?: string | null }): void {
	const row = dataTables()
		.rows()
		.find(({ reference }) => reference === 'NF-1');
	dataTables().editRow(row!.id, cells);
}

/** A person looks the first reference up at the service, and settles it as the error says. */
async function settleTruly(bench: PayoutBench, { errors: [error] }: Execution): Promise<void> {
	bench.clock.advance(5 * MINUTE);
	const id = bench.idOf('NF-1');
	const notThese = [...(error?.withdrawalIds ?? [])];
	const outcome = id === undefined ? 'notPaid' : 'paid';
	const settled = await bench.settle('NF-1', outcome, id, { notThese });
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
const PAID =
	'If it was paid, run Withdrawal > Settle Reference with the reference "NF-1", Outcome Paid and the ID.';
const NOT_PAID =
	'If it was not, run it with Outcome Not Paid, at least five minutes after the last attempt. Then run the workflow again.';

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
			'Have the database of n8n checked. Then run the workflow again.',
			() => killTables(),
		],
		[
			'a column was removed',
			'restore the column with its values',
			() => dataTables().removeColumn('generation'),
		],
		[
			'the column generation was made again as text',
			'restore the column with its values',
			() => {
				const { columns, rows } = dataTables().find();
				columns.find(({ name }) => name === 'generation')!.type = 'string';
				for (const row of rows) row.generation = String(row.generation);
			},
		],
		[
			'the table was deleted',
			'restore the table from a backup of the database of n8n',
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
		when: 'it is another payout, and gets its own reference',
		says: ['If it is another one, give this row its own reference.'],
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
		when: 'the row was wrong, and is corrected',
		says: ['If this is the same payout, correct the row'],
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
		when: `a day later, the list shows what looks alike (${kind}): a person settles it`,
		says: [UNSURE, PAID, "run it with Outcome Not Paid and these IDs in 'Not These': "],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, kind);
			const [other = ''] = await bench.payElsewhere([ONE]);
			bench.clock.advance(25 * HOUR);
			return await runInto(bench, workflow, INVOICES, async (failed) => {
				expect(failed.errors[0]?.withdrawalIds).toContain(other);
				await settleTruly(bench, failed);
			});
		},
		check: (bench) => expect(bench.living).toEqual({ ...BOTH, 'other tool': 1 }),
	})),
	{
		code: 'PAYOUT_IN_DOUBT',
		when: 'the API key is revoked after a lost response: a new key, then a person settles it',
		says: ['The list of withdrawals cannot be read:', 'Fix that, then run the workflow again.'],
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
				expect(doubt.errors[0]?.description).toContain('If that key is gone, look the payout up');
				await bench.settle('NF-1', 'paid', bench.idOf('NF-1'));
				return await bench.start(workflow, INVOICES);
			});
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		when: 'the list can never be read, and a person finds that nothing was paid',
		says: [
			'withdrawals:read',
			'If it stays like this, look the payout up at the service.',
			NOT_PAID,
		],
		async bringAbout(bench) {
			const apiKey = bench.keyWith('withdrawals:write');
			const settings = { credential: { apiKey } };
			const workflow = await leaveOpen(bench, 'dropBefore', settings);
			bench.clock.advance(25 * HOUR);
			const settle = async () => {
				const settled = await bench.settle('NF-1', 'notPaid', '', settings);
				expect(settled.error).toBeUndefined();
			};
			return await runInto(bench, workflow, [ONE], settle, INVOICES, settings);
		},
	},
	...(
		[
			['a word that nobody knows', () => ({ status: 'payed' })],
			['Not Paid', () => ({ status: 'not paid' })],
			['an ID that is none', () => ({ status: 'paid', withdrawalId: 'unknown' })],
			[
				"the ID of another reference's withdrawal",
				(bench) => ({ status: 'paid', withdrawalId: bench.idOf('NF-2') }),
			],
		] as Array<[string, (bench: PayoutBench) => { status: string; withdrawalId?: string }]>
	).flatMap(([what, cells]) =>
		(['dropBefore', 'dropAfter'] as const).map((lost): Situation => ({
			code: 'PAYOUT_IN_DOUBT',
			when: `somebody has entered ${what} (${lost}): a person settles it`,
			says: ['Look the payout up at the service.', PAID, NOT_PAID],
			async bringAbout(bench) {
				const list = alike('NF-1', 'NF-2');
				const workflow = referenced();
				await bench.start(workflow, list, { lost: { 'NF-1': lost } });
				bench.clock.advance(MINUTE);
				editFirst(cells(bench));
				return await runInto(bench, workflow, list, async (failed) => {
					await settleTruly(bench, failed);
				});
			},
		})),
	),
	...(['dropBefore', 'dropAfter'] as const).map((kind): Situation => ({
		code: 'PAYOUT_IN_DOUBT',
		when: `the service gives nothing but errors (${kind}): a person settles it`,
		says: ['If it stays like this, look the payout up at the service.', PAID, NOT_PAID],
		async bringAbout(bench) {
			const workflow = await leaveOpen(bench, kind);
			bench.clock.advance(5 * MINUTE);
			const end = bench.refuseNext(Infinity, 'INTERNAL_ERROR');
			return await runInto(bench, workflow, INVOICES, async (failed) => {
				await settleTruly(bench, failed);
				end();
			});
		},
	})),
	{
		code: 'CANCELLED',
		when: 'the execution is stopped: the list is run again',
		says: [
			'To continue, do what each message says, and run the workflow again: each reference is paid once.',
		],
		async bringAbout(bench) {
			const failed = await bench.runStopped('', payReferenced({ maxConcurrency: 1 }), INVOICES);
			return scene(failed, async () => await bench.start(failed.workflow, INVOICES));
		},
	},
	{
		code: 'WITHDRAWAL_NOT_PAID',
		when: 'the bank refuses it at once',
		says: ['To pay it under the same reference, run the workflow again.'],
		async bringAbout(bench) {
			const createdAt = new Date(bench.clock.now()).toISOString();
			bench.sandbox.faults.add({
				...{ method: 'POST', kind: 'status', status: 201, times: 1 },
				body: { withdrawal: { id: UUID, netAmount: 10.01, status: 'FAILED', createdAt } },
				when: ({ rawBody }) => rawBody.includes('NF-1'),
			});
			return await runInto(bench, referenced(), INVOICES);
		},
	},
	...['dropAfter', 'dropBefore', 'html'].map((kind): Situation => ({
		code: kind === 'html' ? 'UNEXPECTED_ANSWER' : 'CONNECTION_LOST',
		when: `the response is lost (${kind}): the workflow is run again`,
		says: [
			'To continue, do what each message says, and run the workflow again, or choose Retry, which repeats the saved rows: each reference is paid once.',
		],
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
		says: 'Withdrawal > Get by Reference shows what is known.',
		tell: async (bench) => await bench.settle('NF-2', 'notPaid'),
		follow: async () => await Promise.resolve(undefined),
	},
	{
		when: 'the list shows a withdrawal that the person was not told of',
		says: 'If one is this payout, choose Paid and enter its ID.',
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
