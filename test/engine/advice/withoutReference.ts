/** Payouts without a reference that end with an error. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import type { PayoutBench } from '../support/money';
import { INVOICES, payEach, payReferenced, TWO } from '../support/payouts';
import { HOUR, MINUTE } from '../support/values';
import { buildWorkflow, CONTINUE, edit, type Parameters } from '../support/workflow';
import { dataTables } from '../support/ledger';
import { runInto, scene, type Scene, type Situation } from './situation';

const [ONE = {}, OTHER = {}] = TWO;
const THIRD = { ...OTHER, amount: 30.03 };
const LOOP = buildWorkflow({ parameters: payEach(), isLooped: true });
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const RETRY = 'choose Retry in the list Executions: nothing that took effect is repeated.';
const ONLY_THIS = 'run only this row';

/** Requests of row 2 meet a fault until the function that is returned is called. */
const strike = (
	{ sandbox }: PayoutBench,
	fault: object,
	when = (body: string) => body.includes('20.02'),
): (() => void) =>
	sandbox.faults.add({
		...{ method: 'POST', times: Infinity, when: ({ rawBody }) => when(rawBody.toString()) },
		...(fault as { kind: 'dropAfter' }),
	});

/** A run fails; the cause is removed, and the execution retried. */
async function retryAfter(bench: PayoutBench, begin: () => () => void): Promise<Scene> {
	const end = begin();
	const failed = await bench.run(ONE_BY_ONE, TWO);
	return scene(failed, async () => {
		end();
		return await bench.retry(failed);
	});
}

/** A run fails; another one is right. */
async function runOther(
	bench: PayoutBench,
	wrong: Parameters,
	right: Parameters,
	items: IDataObject[] = [OTHER],
	settings: RunSettings = {},
): Promise<Scene> {
	const failed = await bench.run(wrong, TWO, settings);
	return scene(failed, async () => await bench.run(right, items));
}

/** Row 2 is paid, and the response gets lost. */
const LOST = { '20.02': 'dropAfter' } as const;

/**
 * Settles what the error of row 2 names, as it says.
 * @param id of the withdrawal that paid it; undefined: none
 */
async function settleAsTold(bench: PayoutBench, failed: Execution, id?: string): Promise<void> {
	const text = failed.error?.description ?? failed.errors.at(-1)?.description ?? '';
	const [, name = ''] = /with the reference "(auto-[\w-]+)"/.exec(text)!;
	const [, ids = ''] = /these IDs in 'Not These': ([\w-]+(?:, [\w-]+)*)/.exec(text) ?? [];
	bench.clock.advance(5 * MINUTE);
	const settings = id === undefined && ids !== '' ? { notThese: ids.split(', ') } : {};
	const { error } = await bench.settle(name, id ? 'paid' : 'notPaid', id, settings);
	expect(error).toBeUndefined();
}
const SETTLE_PAID = 'If it was paid, run Withdrawal > Settle Reference with the reference "auto-';
const SETTLE_NOT_PAID = 'If it was not, run it with Outcome Not Paid';

/** A retry more than a day later: the key no longer helps. */
async function retryLate(bench: PayoutBench, kind: 'dropAfter' | 'dropBefore'): Promise<Execution> {
	const end = strike(bench, { kind });
	const failed = await bench.run(ONE_BY_ONE, TWO);
	end();
	if (kind === 'dropBefore') await bench.payElsewhere([OTHER]);
	bench.clock.advance(25 * HOUR);
	return await bench.retry(failed);
}

const ALL: Situation[] = [
	...(
		[
			['CONNECTION_LOST', { kind: 'dropAfter' }],
			['CONNECTION_LOST', { kind: 'dropBefore' }],
			['GATEWAY_ERROR', { kind: 'html', status: 502 }],
			['UNEXPECTED_ANSWER', { kind: 'html', status: 200, process: true }],
			['INTERNAL_ERROR', { kind: 'error', code: 'INTERNAL_ERROR' }],
			['SERVICE_UNAVAILABLE', { kind: 'error', code: 'SERVICE_UNAVAILABLE' }],
			['IDEMPOTENCY_CONFLICT', { kind: 'error', code: 'IDEMPOTENCY_CONFLICT' }],
		] as const
	).flatMap(([code, fault]): Situation[] => {
		const what = Object.values(fault).join(' ');
		return [
			{
				code,
				when: `${what}: Retry`,
				says: [RETRY],
				saysNot: ['Retry this execution'],
				bringAbout: async (bench) => await retryAfter(bench, () => strike(bench, fault)),
			},
			{
				code,
				when: `${what}, with Continue On Fail: a person looks it up`,
				says: [
					'To check it yourself, use Withdrawal > Get Many, and compare PIX key, amount and time.',
				],
				async bringAbout(bench) {
					const end = strike(bench, fault);
					const failed = await bench.run(payEach(), TWO, CONTINUE);
					end();
					const isPaid = bench.paid.includes(2002);
					return scene(failed, async () =>
						isPaid ? undefined : await bench.start(failed.workflow, [OTHER]),
					);
				},
			},
			{
				code,
				when: `${what}, with Continue On Fail: the item comes back with its error`,
				says: ['Send this item with its field error to this node again'],
				async bringAbout(bench) {
					const end = strike(bench, fault);
					const failed = await bench.run(payEach(), TWO, CONTINUE);
					return scene(failed, async () => {
						end();
						const back = { ...OTHER, error: failed.json[1]!.error as IDataObject };
						return await bench.run(payEach(), [back]);
					});
				},
			},
		];
	}),
	{
		code: 'REDIRECTED',
		when: 'the address has moved: the Base URL is corrected',
		says: ["Enter the final address as 'Base URL' in the credential.", RETRY],
		bringAbout: async (bench) =>
			await retryAfter(bench, () =>
				strike(bench, { kind: 'status', status: 301, headers: { location: '/elsewhere' } }),
			),
	},
	{
		code: 'UNREACHABLE',
		when: 'the Base URL is wrong: it is corrected',
		says: ["Check the 'Base URL' in the credential and the network of this n8n.", 'choose Retry'],
		async bringAbout(bench) {
			// Nothing listens on the discard port.
			const wrong = { credential: { baseUrl: 'http://127.0.0.1:9' } };
			const failed = await bench.run(ONE_BY_ONE, TWO, wrong);
			return scene(failed, async () => await bench.retry(failed, { credential: bench.credential }));
		},
	},
	{
		code: 'CANCELLED',
		when: 'the execution is stopped: a person looks up what took effect',
		says: ['Check what took effect, and send only the rest in a new execution.'],
		async bringAbout(bench) {
			const failed = await bench.runStopped('20.02', ONE_BY_ONE, TWO);
			return scene(failed, async () => undefined);
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		when: 'the description was changed after a lost response: waits, then settles',
		says: ['Retry this execution in the list Executions after '],
		async bringAbout(bench) {
			const first = await bench.run(ONE_BY_ONE, TWO, { lost: LOST });
			edit(first, { description: 'New words' });
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				const doubtful = await bench.retryAsTold(failed);
				const { id } = bench.sandbox.books.withdrawals[1]!;
				await settleAsTold(bench, doubtful, id);
				return await bench.retry(doubtful);
			});
		},
	},
	...(['dropAfter', 'dropBefore'] as const).map((kind): Situation => ({
		code: 'PAYOUT_IN_DOUBT',
		when: `the retry comes a day later (${kind}): a person looks it up, and settles`,
		says: [
			'and nothing shows whose payout that is.',
			SETTLE_PAID,
			`${SETTLE_NOT_PAID} and these IDs in 'Not These': `,
			'Then retry this execution.',
		],
		saysNot: ['within 24 hours'],
		paid: kind === 'dropAfter' ? [1001, 2002] : [1001, 2002, 2002],
		async bringAbout(bench) {
			const failed = await retryLate(bench, kind);
			return scene(failed, async () => {
				const [own] = bench.idsPaid.slice(1);
				await settleAsTold(bench, failed, kind === 'dropAfter' ? own : undefined);
				return await bench.retry(failed);
			});
		},
	})),
	{
		code: 'ROWS_CHANGED',
		when: 'amounts were changed after a crash: only what is still owed',
		says: ['Or start a new execution with only what is still owed.'],
		async bringAbout(bench) {
			const killed = await bench.run(ONE_BY_ONE, TWO, {
				...CONTINUE,
				lost: { '20.02': 'dropBefore' },
			});
			edit(killed, { amount: '={{ $json.amount === 10.01 ? 11.01 : $json.amount }}' });
			const failed = await bench.retryAfterKill(killed);
			// Row 2 is the same, and is paid.
			return scene(failed, async () => undefined);
		},
	},
	...(['reference', 'copy'] as const).map((way): Situation => ({
		code: 'EQUAL_ROWS',
		when: `two rows are equal, and one is ${way === 'copy' ? 'a copy' : 'owed as well: references'}`,
		says: ['If both are owed, give each a Reference.', 'If one is a copy, remove it.'],
		paid: way === 'copy' ? [1001] : [1001, 1001],
		async bringAbout(bench) {
			const failed = await bench.run(payEach(), [ONE, ONE]);
			const referenced = payEach({}, { reference: '=2026-11 {{ $itemIndex }}' });
			return scene(failed, async () =>
				way === 'copy'
					? await bench.start(failed.workflow, [ONE])
					: await bench.run(referenced, [ONE, ONE]),
			);
		},
	})),
	...(['copy', 'owed'] as const).map((way): Situation => ({
		code: 'EQUAL_ROWS',
		when: `a row of a loop is equal to one of an earlier round, and is ${way === 'copy' ? 'a copy' : 'owed as well'}`,
		says: [
			'if that was paid and only one is owed, nothing is left to do.',
			'Otherwise pay this one alone in a new execution.',
			'In a new execution, send only what this one has not sent in any round or node',
		],
		saysNot: ['choose Retry in'],
		paid: way === 'copy' ? [1001, 2002] : [1001, 1001, 2002],
		async bringAbout(bench) {
			const failed = await bench.start(LOOP, [ONE, ONE, OTHER]);
			return scene(failed, async () => {
				if (way === 'owed') await bench.start(LOOP, [ONE]);
				return await bench.start(LOOP, [OTHER]);
			});
		},
	})),
	{
		code: 'REFERENCE_NEEDED',
		when: 'n8n shows nothing of the first attempt: what is still owed, with references',
		says: ['look it up with Withdrawal > Get Many', 'and fill in Reference'],
		async bringAbout(bench) {
			const end = strike(bench, { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
			const killed = await bench.run(ONE_BY_ONE, TWO);
			end();
			const failed = await bench.retryAfterKill(killed, { establishedAt: null });
			return scene(failed, async () => {
				const paid = dataTables()
					.rows()
					.filter(({ status }) => status === 'paid');
				const owed = TWO.filter(({ amount }) => !paid.some((row) => row.amount === amount));
				return await bench.run(payEach({}, { reference: '=NF-{{ $json.amount }}' }), owed);
			});
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		when: 'another API key is chosen after a lost response: the first one is chosen again',
		says: [
			'Choose the credential with that key (column apiKey of the table BRL Payouts), and retry this execution.',
		],
		async bringAbout(bench) {
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX' });
			const first = await bench.run(ONE_BY_ONE, TWO, { lost: LOST });
			const failed = await bench.retry(first, { credential: { apiKey } });
			return scene(failed, async () => await bench.retry(failed, { credential: bench.credential }));
		},
	},
	{
		code: 'POSSIBLE_DUPLICATE',
		when: 'it is another payout of the same amount: Never',
		says: [`${ONLY_THIS}, with 'Options > Duplicate Guard' set to Never.`],
		paid: [1001, 2002, 2002],
		async bringAbout(bench) {
			await bench.run(payEach(), TWO);
			return await runOther(
				bench,
				payEach({ duplicateGuard: 'always' }),
				payEach({ duplicateGuard: 'never' }),
			);
		},
	},
	{
		code: 'REFERENCE_NEEDED',
		when: 'another workflow called this one: references are filled in',
		says: ['Fill in Reference, for example with the invoice number.'],
		paid: [1001, 2002],
		async bringAbout(bench) {
			const call = { mode: 'integrated', parentExecutionId: '1' } as const;
			const failed = await bench.run(payEach(), INVOICES, { ...call, ...CONTINUE });
			return scene(failed, async () => await bench.run(payReferenced(), INVOICES, call));
		},
	},
	{
		code: 'REFERENCE_NEEDED',
		when: 'another workflow called this one, and every call is to pay: Never',
		says: [
			"once more whenever the caller is retried, choose Never in 'Options > Duplicate Guard'.",
		],
		paid: [1001, 1001, 2002, 2002],
		async bringAbout(bench) {
			const call = { mode: 'integrated', parentExecutionId: '1' } as const;
			const failed = await bench.run(payEach(), TWO, { ...call, ...CONTINUE });
			const never = payEach({ duplicateGuard: 'never' });
			return scene(failed, async () => {
				await bench.run(never, TWO, call);
				return await bench.run(never, TWO, { ...call, parentExecutionId: '2' });
			});
		},
	},
	{
		code: 'POSSIBLE_DUPLICATE',
		when: 'another execution has just sent it, and nobody knows whether it was paid: settled',
		says: [
			'look up at the service whether it was paid.',
			'Outcome Paid and the ID. This row is done then.',
			'Outcome Not Paid, at least five minutes after that attempt. If it does not know that name, nothing was sent under it. Then retry this execution.',
		],
		paid: [2002],
		async bringAbout(bench) {
			const guarded = payEach({ duplicateGuard: 'always' });
			await bench.run(guarded, [OTHER], { lost: 'dropBefore' });
			const failed = await bench.run(guarded, [OTHER]);
			return scene(failed, async () => {
				await settleAsTold(bench, failed);
				return await bench.retry(failed);
			});
		},
	},
	{
		code: 'OVER_LIMIT',
		when: 'the person who set the limit changes it',
		says: ['If it is right, ask the person who set Largest Amount to increase it.'],
		bringAbout: async (bench) =>
			await runOther(
				bench,
				payEach({ largestAmount: 15 }),
				payEach({ largestAmount: 30 }),
				TWO,
				CONTINUE,
			),
	},
	{
		code: 'INVALID_INPUT',
		when: 'a row cannot be right, and nothing was sent: it is corrected',
		says: [
			'Nothing was paid now. To continue, do what each message says, and start the workflow again, or choose Retry in the list Executions, which repeats the saved rows. Not both: that would pay everyone again.',
		],
		async bringAbout(bench) {
			const wrong = [ONE, { ...OTHER, amount: '20,025' }];
			return await runInto(bench, buildWorkflow({ parameters: payEach() }), wrong, undefined, TWO);
		},
	},
	{
		code: 'INVALID_INPUT',
		when: 'a round of a loop cannot be right: it is corrected, and runs with the items that remain',
		says: ['What this execution did in other rounds or nodes, a new one would do again.'],
		saysNot: ['Nothing was paid', 'start the workflow again'],
		paid: [1001, 2002, 3003],
		async bringAbout(bench) {
			const wrong = [ONE, { ...OTHER, amount: '20,025' }, THIRD];
			return await runInto(bench, LOOP, wrong, undefined, [OTHER, THIRD]);
		},
	},
	{
		code: 'INSUFFICIENT_BALANCE',
		when: 'a round of a loop is refused: the items that remain run in a new execution',
		says: [
			'Then retry this execution or, if n8n lists it as successful, run a new one with only the items that remain.',
		],
		paid: [1001, 2002, 3003],
		async bringAbout(bench) {
			const end = strike(bench, { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
			return await runInto(bench, LOOP, [ONE, OTHER, THIRD], end, [OTHER, THIRD]);
		},
	},
	{
		code: 'INVALID_INPUT',
		when: 'a reference is a number that has lost digits: the column becomes text',
		says: ['Format the column as text where the list comes from'],
		async bringAbout(bench) {
			const numbers = TWO.map((row, index) => ({ ...row, key: 35240612345678e30 + index * 1e20 }));
			const texts = TWO.map((row, index) => ({
				...row,
				key: `352406123456780001955500100000123410000${10000 + index}`,
			}));
			const workflow = buildWorkflow({
				parameters: payEach({}, { reference: '={{ $json.key }}' }),
			});
			return await runInto(bench, workflow, numbers, undefined, texts);
		},
	},
];

/** Each row is paid once in the end, if nothing else is said. */
export const SITUATIONS = ALL.map((one): Situation => ({ paid: [1001, 2002], ...one }));
