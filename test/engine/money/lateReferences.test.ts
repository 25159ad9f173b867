/** References that are filled in after their payouts were made: the books count what is paid. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { continueOnFail, useMoney } from '../support/money';
import { payEach } from '../support/payouts';
import { BOTH, CONTINUE, HOUR, INVOICES, MINUTE, payReferenced } from '../support/references';
import { edit, type Parameters } from '../support/workflow';
import { restart } from '../support/restart';

const bench = useMoney();
const [ONE = {}, TWO = {}] = INVOICES;
const STOPPED = ['POSSIBLE_DUPLICATE', 'POSSIBLE_DUPLICATE'];

const pay = async (parameters: Parameters, settings: RunSettings = {}, rows = INVOICES) =>
	await bench.run(parameters, rows, { ...CONTINUE, ...settings });
/** A person presses Execute with a live key. */
const byHand = (): RunSettings => ({ mode: 'manual', credential: bench.liveCredential });
/** Each row is stopped, and its error names these withdrawals. */
const expectStopped = ({ errors, posts }: Execution, ...ids: string[][]) => {
	expect(errors).toMatchObject(
		ids.map((withdrawalIds) => ({
			...{ code: 'POSSIBLE_DUPLICATE', effect: 'none', retryable: false },
			withdrawalIds,
		})),
	);
	expect(posts).toBe(0);
};

/** What protects, and what is asked to be looked for. */
const GUARDED: Array<[string, () => RunSettings, Parameters]> = [
	['by hand with a live key', byHand, {}],
	[
		'in a called workflow',
		() => ({ mode: 'integrated', parentExecutionId: String(bench.idsPaid.length) }),
		{},
	],
	['with Always', () => ({}), { duplicateGuard: 'always' }],
];

describe.each(GUARDED)('what was paid without references, %s', (_how, how, options) => {
	let ids: string[] = [];
	beforeEach(async () => {
		const first = await pay(payEach(options), how());
		bench.expectPaid([1001, 2002], first);
		ids = first.ids;
		// The process remembers two minutes, and the list the rest.
		bench.clock.advance(10 * MINUTE);
		restart();
	});

	it('is not paid again when somebody fills in references and runs the list once more', async () => {
		expect((await pay(payEach(options), how())).codes).toEqual(STOPPED);

		const again = await pay(payReferenced(options), how());

		expectStopped(again, [ids[0]!], [ids[1]!]);
		expect(bench.paid).toEqual([1001, 2002]);
		// Nor in the run after that one.
		expectStopped(await pay(payReferenced(options), how()), [ids[0]!], [ids[1]!]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is recorded as the error says, and then is paid before', async () => {
		const settings = how();
		const { errors } = await pay(payReferenced(options), settings);
		for (const [index, error] of errors.entries()) {
			expect(error?.message).toMatch(
				/^R\$ \d0,0\d went to this PIX key (today|yesterday) at \d\d:\d\d, without a reference$/,
			);
			expect(error?.description).toContain(
				`Was that NF-${index + 1}? Then record it: Withdrawal > Settle Reference, Paid, ${ids[index]}. If not, set Duplicate Guard to Never for this run.`,
			);
			const { credential = {} } = settings;
			const settled = await bench.settle(`NF-${index + 1}`, 'paid', ids[index], { credential });
			expect(settled).toMatchObject({ status: 'paid', withdrawalId: ids[index] });
		}

		const later = await pay(payReferenced(options), how());

		expect(later.json).toMatchObject(ids.map((id) => ({ id, alreadyPaid: true })));
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('does not stop another payout: with Never it is paid', async () => {
		const never = payReferenced({ ...options, duplicateGuard: 'never' });
		bench.expectPaid([1001, 1001, 2002, 2002], await pay(never, how()));
	});

	it.each([
		['another amount', { amount: 10.02 }, 1002],
		['another PIX key', { pixKey: 'ana@recipient.example' }, 1001],
	])('does not stop a new reference with %s', async (_what, change, cents) => {
		const { codes } = await pay(payReferenced(options), how(), [{ ...ONE, ...change }, TWO]);

		expect(codes).toEqual([undefined, 'POSSIBLE_DUPLICATE']);
		expect(bench.paid).toEqual([1001, cents, 2002].sort((one, other) => one - other));
	});

	it('counts for 24 hours', async () => {
		bench.clock.advance(24 * HOUR - 12 * MINUTE);
		expect((await pay(payReferenced(options), how())).codes).toEqual(STOPPED);
		bench.clock.advance(5 * MINUTE);
		bench.expectPaid([1001, 1001, 2002, 2002], await pay(payReferenced(options), how()));
	});
});

it.each(GUARDED)('what the bank has refused does not count, %s', async (_how, how, options) => {
	bench.sandbox.account.withdrawalOutcome = 'FAILED';
	await pay(payEach(options), how());
	bench.clock.advance(10 * MINUTE);
	bench.sandbox.account.withdrawalOutcome = 'COMPLETED';

	bench.expectPaid([1001, 1001, 2002, 2002], await pay(payReferenced(options), how()));
	expect(bench.living).toMatchObject(BOTH);
});

describe.each(GUARDED)('two invoices of one amount on one day, %s', (_how, how, options) => {
	const list = (...invoices: string[]): IDataObject[] =>
		invoices.map((invoice) => ({ ...ONE, invoice }));

	it('are both paid, in one list or in two, and with what was settled by a person', async () => {
		await pay(payReferenced(options), how(), list('NF-1', 'NF-2'));
		await pay(payReferenced(options), how(), list('NF-1', 'NF-3', 'NF-2'));
		bench.clock.advance(10 * MINUTE);
		restart();

		const last = await pay(payReferenced(options), how(), list('NF-4', 'NF-1'));

		expect(last.paidBefore).toEqual([false, true]);
		bench.expectPaid([1001, 1001, 1001, 1001], last);
	});

	it('are paid where the first was recorded by hand', async () => {
		const settings = how();
		const [id] = (await pay(payEach(options), settings, list('NF-1'))).ids;
		await bench.settle('NF-1', 'paid', id, { credential: settings.credential ?? {} });

		const next = await pay(payReferenced(options), how(), list('NF-2', 'NF-1'));

		expect(next.paidBefore).toEqual([false, true]);
		bench.expectPaid([1001, 1001], next);
	});

	it('are paid where the answer of the first was lost', async () => {
		await pay(payReferenced(options), { ...how(), lost: 'dropAfter' }, list('NF-1'));

		const next = await pay(payReferenced(options), how(), list('NF-2', 'NF-1'));

		expect(next.codes).toEqual([undefined, undefined]);
		bench.expectPaid([1001, 1001], next);
	});

	it('are not, if one was paid without its reference', async () => {
		await pay(payEach(options), how(), list('NF-0'));
		await pay(payReferenced({ duplicateGuard: 'never' }), how(), list('NF-1'));
		bench.clock.advance(10 * MINUTE);
		restart();

		const next = await pay(payReferenced(options), how(), list('NF-1', 'NF-2'));

		expect(next.codes).toEqual([undefined, 'POSSIBLE_DUPLICATE']);
		expect(bench.paid).toEqual([1001, 1001]);
	});
});

it('waits where it is not known yet whether the payout without a reference was made', async () => {
	await pay(payEach({ duplicateGuard: 'always' }), { lost: 'dropAfter' });
	bench.showList([]);

	const { codes, posts } = await pay(payReferenced({ duplicateGuard: 'always' }));

	expect(codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
	expect(posts).toBe(0);
});

it('knows what this process has just paid, where the list does not show it yet', async () => {
	const { ids } = await pay(payEach({}), byHand());
	bench.showList([]);

	expectStopped(await pay(payReferenced({}), byHand()), [ids[0]!], [ids[1]!]);
	expect(bench.paid).toEqual([1001, 2002]);
});

it('the retry of an execution that was started by hand is checked, too', async () => {
	bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
	const settings = { ...byHand(), extras: {} };
	const failed = await pay(payEach({ maxConcurrency: 1 }), settings);
	expect(failed.error).toBeDefined();
	await pay(payEach({ duplicateGuard: 'never' }), byHand());
	edit(failed, { ...payReferenced({ maxConcurrency: 1 }) });

	continueOnFail(failed);

	expect((await bench.retry(failed)).codes).toEqual(STOPPED);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('nothing is looked up', () => {
	it.each<[string, () => RunSettings, Parameters]>([
		['in production', () => ({ credential: bench.liveCredential }), {}],
		['by hand with a test key', () => ({ mode: 'manual' }), {}],
		['with Never', byHand, { duplicateGuard: 'never' }],
	])('%s', async (_how, how, options) => {
		const run = await pay(payReferenced(options), how());

		bench.expectPaid([1001, 2002], run);
		expect(bench.requests('GET')).toEqual([]);
	});

	it('for a reference that the ledger knows', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		await pay(payReferenced({ duplicateGuard: 'never' }), byHand());
		bench.sandbox.faults.clear();

		bench.expectPaid([1001, 2002], await pay(payReferenced({}), byHand()));
		expect(bench.requests('GET')).toEqual([]);
	});
});

describe('a list of withdrawals that cannot be read', () => {
	const blind = () => ({
		credential: {
			apiKey: bench.sandbox.createKey({ environment: 'PRODUCTION', scopes: ['withdrawals:write'] }),
		},
	});

	it('does not stop a person: a hint says that it was not compared', async () => {
		const run = await pay(payReferenced({}), { mode: 'manual', ...blind() });

		bench.expectPaid([1001, 2002], run);
		expect(run.hints.join()).toContain('Duplicate Guard did not check these payouts');
	});

	it('does not stop a called workflow, either', async () => {
		const called = { mode: 'integrated', parentExecutionId: '7' } as const;
		bench.expectPaid([1001, 2002], await pay(payReferenced({}), { ...called, ...blind() }));
	});

	it('stops with Always', async () => {
		const { codes, posts } = await pay(payReferenced({ duplicateGuard: 'always' }), blind());
		expect(codes).toEqual(['FORBIDDEN', 'FORBIDDEN']);
		expect(posts).toBe(0);
	});
});

describe('after a run without references by hand', () => {
	const AGAIN = 'The next execution pays everyone again, as these payouts have no references.';
	const GUARDED_NOW = 'For 24 hours, Duplicate Guard stops what was paid';

	it.each<[string, Parameters, boolean]>([
		['with the guard', payEach({}), true],
		['without the guard', payEach({ duplicateGuard: 'never' }), false],
	])('with a live key, a hint says what the next one does: %s', async (_how, parameters, isOn) => {
		const hints = (await pay(parameters, byHand())).hints.join('\n');

		expect(hints).toContain(AGAIN);
		expect(hints).toContain('Do not add references to rows that are paid.');
		expect(hints.includes(GUARDED_NOW)).toBe(isOn);
	});

	it.each<[string, Parameters, () => RunSettings]>([
		['references', payReferenced({}), byHand],
		['a test key', payEach({}), () => ({ mode: 'manual' })],
		['nobody who has pressed Execute', payEach({}), () => ({ credential: bench.liveCredential })],
	])('says nothing with %s', async (_what, parameters, how) => {
		const run = await pay(parameters, how());
		bench.expectPaid([1001, 2002], run);
		expect(run.hints.join()).not.toContain(AGAIN);
	});
});

it('the error that ends a run says what to do with the rows: not to add references now', async () => {
	await pay(payEach({}), byHand());

	const { error } = await bench.run(payEach({}), INVOICES, byHand());

	expect(error?.description).toContain('it is paid. Do not add a reference to it now');
	expect(error?.description).toContain('are done: do not add references to them now.');
});
