/** Payouts without a reference: the lines W1 to W21 of docs/never-paid-twice.md that end with an error. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { NODE } from '../support/names';
import { payEach, TWO } from '../support/payouts';
import {
	CONTINUE,
	HOUR,
	INVOICES,
	MINUTE,
	payReferenced,
	type PayoutBench,
} from '../support/references';
import { PHONE } from '../support/values';
import { buildWorkflow, changeOptions, edit, type Parameters } from '../support/workflow';
import { runInto, scene, type Scene, type Situation, waitAsTold } from './situation';

const [ONE = {}, OTHER = {}] = TWO;
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const RETRY =
	'To continue, choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated.';
const ONLY_THIS = 'run a new execution with only this item';

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

/** The bank refuses the payout of row 2. */
function bankRefuses({ sandbox }: PayoutBench): void {
	const { id } = sandbox.books.withdrawals.find(({ amountCents }) => amountCents === 2002)!;
	sandbox.setWithdrawalStatus(id, 'FAILED', 'Account closed');
}

const ownKey = (suffix = ''): Parameters =>
	payEach({ maxConcurrency: 1, idempotencyKey: `={{ 'own-' + $json.amount }}${suffix}` });

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
				line: 'W1',
				when: `${what}: Retry`,
				says: [RETRY],
				saysNot: ['Retry this execution'],
				bringAbout: async (bench) => await retryAfter(bench, () => strike(bench, fault)),
			},
			{
				code,
				line: 'W1',
				when: `${what}, with Continue On Fail: only this item, with its key`,
				says: ['send only this item with that key in Options > Idempotency Key'],
				async bringAbout(bench) {
					const end = strike(bench, fault);
					const failed = await bench.run(payEach(), TWO, CONTINUE);
					return scene(failed, async () => {
						end();
						const { idempotencyKey } = failed.json[1]!.error;
						return await bench.run(payEach({ idempotencyKey }), [OTHER]);
					});
				},
			},
			{
				code,
				line: 'W7',
				when: `${what}, with Continue On Fail: the item comes back with its error`,
				says: [],
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
		says: ['Enter the final address as Base URL in the credential.', RETRY],
		bringAbout: async (bench) =>
			await retryAfter(bench, () =>
				strike(bench, { kind: 'status', status: 301, headers: { location: '/elsewhere' } }),
			),
	},
	{
		code: 'UNREACHABLE',
		when: 'the Base URL is wrong: it is corrected',
		says: ['Check the Base URL in the credential and the network of this n8n.', 'choose Retry'],
		async bringAbout(bench) {
			// Nothing listens on the discard port.
			const wrong = { credential: { baseUrl: 'http://127.0.0.1:9' } };
			const failed = await bench.run(ONE_BY_ONE, TWO, wrong);
			return scene(failed, async () => await bench.retry(failed, { credential: bench.credential }));
		},
	},
	{
		code: 'CANCELLED',
		line: 'W20',
		when: 'the execution is stopped: only this item, with its key',
		says: [
			'send only this item with that key in Options > Idempotency Key',
			'Check what took effect, and send only the rest in a new execution.',
		],
		async bringAbout(bench) {
			const failed = await bench.runStopped('20.02', ONE_BY_ONE, TWO);
			return scene(failed, async () => {
				const [, idempotencyKey = ''] = bench.keys;
				expect(failed.error?.description).toContain(idempotencyKey);
				return await bench.run(payEach({ idempotencyKey }), [OTHER]);
			});
		},
	},
	{
		code: 'IDEMPOTENCY_PAYLOAD_MISMATCH',
		line: 'W3',
		when: 'the description was changed after a lost response: it is restored',
		says: ['Restore the earlier values and retry: then the service shows the outcome.'],
		async bringAbout(bench) {
			const first = await bench.run(ONE_BY_ONE, TWO, { lost: LOST });
			edit(first, { description: 'New words' });
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				edit(failed, { description: '' });
				return await bench.retry(failed);
			});
		},
	},
	...(['dropAfter', 'dropBefore'] as const).flatMap((kind): Situation[] => [
		{
			code: 'PAYOUT_IN_DOUBT',
			line: 'W11',
			when: `the retry comes a day later (${kind}): a person looks it up`,
			says: [
				'and nothing shows whose payout that is.',
				'To check it yourself, use Withdrawal > Get Many, by PIX key and amount. If it was not paid, run a new execution with only this item.',
				'To continue, do what the error of each row with unknown outcome says.',
			],
			saysNot: ['within 24 hours'],
			paid: kind === 'dropAfter' ? [1001, 2002] : [1001, 2002, 2002],
			async bringAbout(bench) {
				const failed = await retryLate(bench, kind);
				return scene(failed, async () => {
					if (kind === 'dropAfter') return undefined;
					return await bench.start(failed.workflow, [OTHER]);
				});
			},
		},
	]),
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W11',
		when: 'the retry comes a day later: the option of docs/questions.md, for what was not paid',
		says: ['and nothing shows whose payout that is.'],
		paid: [1001, 2002, 2002],
		async bringAbout(bench) {
			const failed = await retryLate(bench, 'dropBefore');
			return scene(failed, async () => {
				changeOptions(failed.workflow, { allowRetryAfter24Hours: true });
				return await bench.retry(failed);
			});
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W5',
		when: 'amounts were changed after a crash: a person looks them up',
		says: ['Since this execution began, another amount was paid to the same PIX key', ONLY_THIS],
		paid: [1001, 1101, 2002],
		async bringAbout(bench) {
			const killed = await bench.run(ONE_BY_ONE, TWO);
			edit(killed, { amount: '={{ $json.amount === 10.01 ? 11.01 : $json.amount }}' });
			const failed = await bench.retryAfterKill(killed);
			// What was found is another payout: this one is still to be paid.
			return scene(failed, async () => await bench.start(failed.workflow, [ONE]));
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W8',
		when: 'another API key is chosen after a lost response: the first one is chosen again',
		says: ['Choose the credential that it was sent with, and retry this execution.'],
		async bringAbout(bench) {
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX' });
			const first = await bench.run(ONE_BY_ONE, TWO, { lost: LOST });
			const failed = await bench.retry(first, { credential: { apiKey } });
			return scene(failed, async () => await bench.retry(failed, { credential: bench.credential }));
		},
	},
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W8',
		when: 'the API key is revoked after a lost response: a person looks it up',
		says: ['If that key no longer works, look the payout up.', ONLY_THIS],
		async bringAbout(bench) {
			const expiresAt = new Date(bench.clock.now() + MINUTE).toISOString();
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });
			const first = await bench.run(ONE_BY_ONE, TWO, {
				credential: { apiKey },
				lost: { '20.02': 'dropBefore' },
			});
			bench.clock.advance(2 * MINUTE);
			const revoked = await bench.retry(first);
			expect(revoked.error?.description).toContain('Create a new key in the dashboard');
			const failed = await bench.retry(revoked, { credential: bench.credential });
			return scene(failed, async () => await bench.start(failed.workflow, [OTHER]));
		},
	},
	{
		code: 'OTHER_ENVIRONMENT',
		line: 'W8',
		when: 'the test key is replaced by a live key: a new execution',
		says: ['To process it with the live key, run a new execution.'],
		paid: [1001, 1001, 2002],
		async bringAbout(bench) {
			const end = strike(bench, { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
			const first = await bench.run(ONE_BY_ONE, TWO);
			end();
			const live = { credential: bench.liveCredential };
			const failed = await bench.retry(first, live);
			return scene(failed, async () => await bench.start(failed.workflow, TWO, live));
		},
	},
	...(['stopWorkflow', 'continueRegularOutput'] as const).map((onError): Situation => ({
		code: 'WITHDRAWAL_NOT_PAID',
		line: 'W1',
		when: `the bank refused it after a lost response (${onError}): a new execution with only this item`,
		says: [
			`To pay it anyway, ${ONLY_THIS}.`,
			...(onError === 'stopWorkflow'
				? [
						'Retry does not pay what the bank refused (row 2). To pay it, run a new execution with only that row.',
					]
				: []),
		],
		saysNot: ['choose Retry', 'Pressing Execute again'],
		paid: [1001, 2002, 2002],
		async bringAbout(bench) {
			bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
			const first = await bench.run(ONE_BY_ONE, TWO, { lost: LOST });
			bankRefuses(bench);
			first.workflow.nodes[NODE]!.onError = onError;
			const failed = await bench.retry(first);
			return scene(failed, async () => await bench.start(failed.workflow, [OTHER]));
		},
	})),
	{
		code: 'WITHDRAWAL_NOT_PAID',
		line: 'W16',
		when: 'the bank refused it under a key of your own: another key',
		says: ['and with another key in Options > Idempotency Key.'],
		paid: [1001, 2002, 2002],
		async bringAbout(bench) {
			await bench.run(ownKey(), TWO);
			bankRefuses(bench);
			bench.clock.advance(MINUTE);
			return await runOther(bench, ownKey(), ownKey('-2'));
		},
	},
	{
		code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
		line: 'W16',
		when: 'no provider, under a key of your own: another key',
		says: ['with another key, for example with -2 at the end.'],
		saysNot: ['run a new one with only this item'],
		paid: [2002],
		async bringAbout(bench) {
			bench.sandbox.account.withdrawalProviderUnavailable = true;
			const failed = await bench.run(ownKey(), [OTHER]);
			bench.sandbox.account.withdrawalProviderUnavailable = false;
			return scene(failed, async () => await bench.run(ownKey('-2'), [OTHER]));
		},
	},
	{
		code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE',
		line: 'W15',
		when: 'no provider: Retry sends it under a new key',
		says: ['Wait until a provider is available again.', 'choose Retry in the list Executions'],
		bringAbout: async (bench) =>
			await retryAfter(bench, () => {
				bench.sandbox.account.withdrawalProviderUnavailable = true;
				return () => (bench.sandbox.account.withdrawalProviderUnavailable = false);
			}),
	},
	{
		code: 'POSSIBLE_DUPLICATE',
		line: 'W12',
		when: 'it is another payout of the same amount: Never',
		says: [`${ONLY_THIS}, with Never in Options > Duplicate Guard.`],
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
		code: 'POSSIBLE_DUPLICATE',
		line: 'W19',
		when: 'in a sub-workflow, it is a new payment: Never',
		says: ['If this is a new payment, run it with Never in Options > Duplicate Guard.'],
		paid: [1001, 1001, 2002, 2002],
		async bringAbout(bench) {
			const sub = { mode: 'integrated', parentExecutionId: '1' } as const;
			await bench.run(payEach(), TWO, sub);
			const failed = await bench.run(payEach(), TWO, { ...sub, ...CONTINUE });
			const never = payEach({ duplicateGuard: 'never' });
			return scene(failed, async () => await bench.run(never, TWO, sub));
		},
	},
	...(['Never', 'Paid'] as const).map((way): Situation => ({
		code: 'POSSIBLE_DUPLICATE',
		line: 'W12',
		when: `somebody fills in references, and the payouts ${way === 'Paid' ? 'were these' : 'were others'}`,
		says: [
			'Then record it: Withdrawal > Settle Reference, Paid, ',
			'If not, set Duplicate Guard to Never for this run.',
		],
		paid: way === 'Paid' ? [1001, 2002] : [1001, 1001, 2002, 2002],
		async bringAbout(bench) {
			await bench.run(payEach(), INVOICES);
			const parameters = payReferenced({ duplicateGuard: 'always' });
			const workflow = buildWorkflow({ parameters, ...CONTINUE });
			return await runInto(bench, workflow, INVOICES, async ({ errors }) => {
				if (way === 'Never') changeOptions(workflow, { duplicateGuard: 'never' });
				else
					for (const [row, error] of errors.entries()) {
						const [, id] = /Settle Reference, Paid, (\S+)\./.exec(error!.description)!;
						await bench.settle(String(INVOICES[row]!.invoice), 'paid', id);
					}
			});
		},
	})),
	{
		code: 'PAYOUT_IN_DOUBT',
		line: 'W12',
		when: 'another execution has just sent it: after the time that the error names',
		says: [
			'if the list shows the payout by then, Duplicate Guard stops it, and otherwise it is paid.',
		],
		paid: [2002],
		async bringAbout(bench) {
			const guarded = payEach({ duplicateGuard: 'always' });
			await bench.run(guarded, [OTHER], { lost: 'dropBefore' });
			const workflow = buildWorkflow({ parameters: guarded, ...CONTINUE });
			return await runInto(bench, workflow, [OTHER], (failed) => waitAsTold(bench, failed));
		},
	},
	{
		code: 'INCOMPLETE_LIST',
		line: 'W12',
		when: 'the list has gaps: later',
		says: ['Run this again later.'],
		async bringAbout(bench) {
			const end = bench.showList([], 3);
			const parameters = payEach({ duplicateGuard: 'always' });
			return await runInto(bench, buildWorkflow({ parameters, ...CONTINUE }), TWO, end);
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
			'Nothing was paid. Correct the row in your list and start the workflow again; this is safe.',
		],
		async bringAbout(bench) {
			const wrong = [ONE, { ...OTHER, amount: '20,025' }];
			return await runInto(bench, buildWorkflow({ parameters: payEach() }), wrong, undefined, TWO);
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
	{
		code: 'INVALID_INPUT',
		line: 'W16',
		when: 'rows share a key of your own: an expression that differs',
		says: ['Use an expression that differs per item, such as an invoice number'],
		bringAbout: async (bench) =>
			await runOther(bench, payEach({ idempotencyKey: 'own' }), ownKey(), TWO),
	},
	{
		code: 'INVALID_INPUT',
		line: 'W4',
		when: 'two equal rows, one of them paid, and one was removed: the rows are restored',
		says: ['Restore the rows and retry.'],
		paid: [1001, 1001],
		async bringAbout(bench) {
			const rows = [ONE, ONE];
			let seen = 0;
			const end = strike(bench, { kind: 'dropBefore' }, () => (seen += 1) > 1);
			const first = await bench.run(ONE_BY_ONE, rows);
			end();
			const stack = first.data.executionData!.nodeExecutionStack;
			const whole = stack.map(({ data }) => data.main);
			for (const { data } of stack) data.main = data.main!.map((items) => items!.slice(0, 1));
			const failed = await bench.retry(first);
			return scene(failed, async () => {
				stack.forEach(({ data }, index) => (data.main = whole[index]!));
				return await bench.retry(first);
			});
		},
	},
	{
		code: 'INVALID_API_KEY',
		when: 'the credential has a key that was revoked: a new key',
		says: [
			'Create a new key in the dashboard under Settings > API Keys and paste it',
			'choose Retry',
		],
		async bringAbout(bench) {
			const expiresAt = new Date(bench.clock.now() - 1).toISOString();
			const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });
			const failed = await bench.run(ONE_BY_ONE, TWO, { credential: { apiKey } });
			return scene(failed, async () => await bench.retry(failed, { credential: bench.credential }));
		},
	},
	{
		code: 'INVALID_PIX_KEY',
		when: 'equal rows are corrected in the list while one was paid before: nobody is paid twice',
		says: ['To correct a row, remove the rows that were paid (row 1) from the list'],
		async bringAbout(bench) {
			strike(bench, { kind: 'error', code: 'INVALID_PIX_KEY' }, (body) => body.includes('maria'));
			const corrected = [{ ...OTHER, pixKey: PHONE }];
			const workflow = buildWorkflow({ parameters: ONE_BY_ONE });
			return await runInto(bench, workflow, TWO, undefined, corrected);
		},
	},
];

/** Each row is paid once in the end, if nothing else is said. */
export const SITUATIONS = ALL.map((one): Situation => ({ paid: [1001, 2002], ...one }));
