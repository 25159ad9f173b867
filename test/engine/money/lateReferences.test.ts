/** References that are filled in after their payouts were made: the books count what is paid. */
import type { IDataObject } from 'n8n-workflow';
import type { RunSettings } from '../support/harness';
import { continueOnFail, usePayouts } from '../support/money';
import { BOTH, INVOICES, payEach, payReferenced } from '../support/payouts';
import { HOUR, MINUTE } from '../support/values';
import { CONTINUE, edit, type Parameters } from '../support/workflow';
import { restart } from '../support/ledger';

const bench = usePayouts();
const [ONE = {}, TWO = {}] = INVOICES;
const STOPPED = ['POSSIBLE_DUPLICATE', 'POSSIBLE_DUPLICATE'];

const pay = async (parameters: Parameters, settings: RunSettings = {}, rows = INVOICES) =>
	await bench.run(parameters, rows, { ...CONTINUE, ...settings });
/** A person presses Execute with a live key. */
const byHand = (): RunSettings => ({ mode: 'manual', credential: bench.liveCredential });

/** A new reference is compared in every mode. */
const GUARDED: Array<[string, () => RunSettings, Parameters]> = [
	['by a schedule with a live key', () => ({ credential: bench.liveCredential }), {}],
	['by hand with a live key', byHand, {}],
	['by hand with a test key', () => ({ mode: 'manual' }), {}],
	['with Always', () => ({}), { duplicateGuard: 'always' }],
];

describe.each(GUARDED)('what was paid without references, %s', (_how, how, options) => {
	let ids: string[] = [];
	beforeEach(async () => {
		const first = await pay(payEach(options), how());
		bench.expectPaid([1001, 2002], first);
		ids = first.ids;
		bench.clock.advance(10 * MINUTE);
		restart();
	});

	it('is recorded as the error says, and then is paid before', async () => {
		const settings = how();
		const { errors } = await pay(payReferenced(options), settings);
		for (const [index, error] of errors.entries()) {
			expect(error?.message).toMatch(
				/^R\$ \d0,0\d went to this PIX key (today|yesterday) at \d\d:\d\d \(Brasília time\), without a reference \([\da-f-]{36}\), so it was not paid again$/,
			);
			expect(error?.description).toContain(
				`Was that NF-${index + 1}? Then record it: Withdrawal > Settle Reference, Paid, ${ids[index]}. If not, run only this row, with 'Options > Duplicate Guard' set to Never.`,
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
		expect((await pay(payReferenced(options), how())).paidBefore).toEqual([true, true]);
	});

	it('counts for 24 hours', async () => {
		bench.clock.advance(24 * HOUR - 12 * MINUTE);
		expect((await pay(payReferenced(options), how())).codes).toEqual(STOPPED);
		bench.clock.advance(5 * MINUTE);
		bench.expectPaid([1001, 1001, 2002, 2002], await pay(payReferenced(options), how()));
	});
});

it('what the bank has refused since is not recorded, and paid as the error says', async () => {
	const { ids } = await pay(payEach({}));
	bench.bankRefusesAll();

	const { error } = await bench.settle('NF-1', 'paid', ids[0]);
	expect(error?.message).toContain('the bank refused this withdrawal');
	expect(error?.description).toContain('If none is, the payout is still owed.');

	bench.expectPaid([1001, 1001, 2002, 2002], await pay(payReferenced({})));
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

	it('are not, if one was paid without its reference', async () => {
		await pay(payEach(options), how(), list('NF-0'));
		await pay(payReferenced({ duplicateGuard: 'never' }), how(), list('NF-1'));

		const next = await pay(payReferenced(options), how(), list('NF-1', 'NF-2'));

		expect(next.codes).toEqual([undefined, 'POSSIBLE_DUPLICATE']);
		expect(bench.paid).toEqual([1001, 1001]);
	});
});

it('two payouts of one amount without references: each is recorded for one of two references', async () => {
	const rows = ['NF-1', 'NF-2'].map((invoice) => ({ ...ONE, invoice }));
	const [one, other] = (await pay(payEach({}), {}, rows)).ids as [string, string];
	const { errors } = await pay(payReferenced({}), {}, rows);
	for (const error of errors) {
		expect(error?.description).toMatch(
			new RegExp(`Paid, (${one} or ${other}|${other} or ${one})\\.`),
		);
	}

	await bench.settle('NF-1', 'paid', one);

	const next = await pay(payReferenced({}), {}, rows);
	expect(next.paidBefore).toEqual([true, undefined]);
	expect(next.errors[1]).toMatchObject({ code: 'POSSIBLE_DUPLICATE', withdrawalIds: [other] });
	await bench.settle('NF-2', 'paid', other);
	const last = await pay(payReferenced({}), {}, [...rows, { ...ONE, invoice: 'NF-3' }]);
	expect(last.paidBefore).toEqual([true, true, false]);
	bench.expectPaid([1001, 1001, 1001], last);
});

it('the automatic name keeps its withdrawal: the retry of its execution shows it, and pays the rest', async () => {
	const end = bench.fail('INSUFFICIENT_BALANCE', '20.02');
	const failed = await bench.run(payEach({ maxConcurrency: 1 }), INVOICES);
	expect(failed.error).toBeDefined();
	end();
	await bench.settle('NF-1', 'paid', bench.idsPaid[0]);

	const retried = await bench.retry(failed);

	expect(retried.paidBefore).toEqual([true, false]);
	bench.expectPaid([1001, 2002], retried);
	expect(await bench.getReference('NF-1')).toMatchObject({ withdrawalId: retried.ids[0] });
});

it('is stopped where it is not known whether the payout without a reference was made: that is settled first', async () => {
	await pay(payEach({}), { lost: { '10.01': 'dropAfter', '20.02': 'dropBefore' } });
	bench.clock.advance(5 * MINUTE);

	const { errors, codes, posts } = await pay(payReferenced({}));

	expect(codes).toEqual(STOPPED);
	expect(posts).toBe(0);
	expect(errors[0]?.message).toMatch(
		/^R\$ 10,01 may have gone to this PIX key (today|yesterday) at/,
	);
	const names = errors.map((error) => /"(auto-[\w-]+)"/.exec(error!.description)![1]!);
	const settled = await bench.settle(names[0]!, 'paid', bench.idsPaid[0]);
	expect(settled).toMatchObject({ reference: names[0], status: 'paid' });
	await bench.settle(names[1]!, 'notPaid');

	const next = await pay(payReferenced({}));
	expect(next.paidBefore).toEqual([undefined, false]);
	expect(next.errors[0]?.withdrawalIds).toEqual(bench.idsPaid.slice(0, 1));
	await bench.settle('NF-1', 'paid', bench.idsPaid[0]);
	expect((await pay(payReferenced({}))).paidBefore).toEqual([true, true]);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('an execution without references failed, and the list was paid with references', () => {
	const fail = async (settings: RunSettings = {}) => {
		bench.strike('20.02', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
		const failed = await bench.run(payEach({ maxConcurrency: 1 }), INVOICES, settings);
		expect(failed.error).toBeDefined();
		return failed;
	};

	it.each<[string, () => RunSettings, number]>([
		['by a schedule', () => ({}), HOUR],
		['by hand, more than a day ago', byHand, 25 * HOUR],
	])('its retry pays nobody again: %s', async (_how, how, later) => {
		const failed = await fail(how());
		await bench.settle('NF-1', 'paid', bench.idsPaid[0], how());
		bench.clock.advance(later);
		restart();
		const rest = await pay(payReferenced({}), how());
		bench.expectPaid([1001, 2002], rest);
		continueOnFail(failed);

		const retried = await bench.retry(failed);

		expect(retried.codes).toEqual([undefined, 'POSSIBLE_DUPLICATE']);
		expect(retried.errors[1]?.message).toMatch(
			/as "NF-2" \([\da-f-]{36}\), so it was not paid again/,
		);
		expect(retried.errors[1]?.withdrawalIds).toEqual([rest.ids[1]]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('its retry pays what was not', async () => {
		const failed = await fail();
		await pay(payReferenced({}), {}, [{ ...TWO, amount: '20.03' }]);
		bench.expectPaid([1001, 2002, 2003], await bench.retry(failed));
	});
});

it('a reference is stopped in a retry of the execution, and by itself', async () => {
	bench.refuseNext(1, 'INSUFFICIENT_BALANCE');
	const failed = await bench.run(payEach({ maxConcurrency: 1 }), INVOICES);
	expect(failed.error).toBeDefined();
	await pay(payEach({}));
	edit(failed, payReferenced({ maxConcurrency: 1 }));
	continueOnFail(failed);

	expect((await bench.retry(failed)).codes).toEqual(STOPPED);
	expect(bench.paid).toEqual([1001, 2002]);
});

describe('after a run without references by hand', () => {
	const AGAIN = 'The next execution pays everyone again, as these payouts have no references.';
	const GUARDED_NOW = "For 24 hours, 'Duplicate Guard' stops what was paid";

	it.each<[string, Parameters, boolean]>([
		['with the guard', payEach({}), true],
		['without the guard', payEach({ duplicateGuard: 'never' }), false],
	])('with a live key, a hint says what the next one does: %s', async (_how, parameters, isOn) => {
		const hints = (await pay(parameters, byHand())).hints.join('\n');

		expect(hints).toContain(AGAIN);
		expect(hints).toContain('Do not add references to rows that are paid.');
		expect(hints.includes(GUARDED_NOW)).toBe(isOn);
	});
});
