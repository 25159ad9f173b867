/**
 * Payouts without a reference among others that look alike: the same amount to the same PIX key, told
 * apart by their descriptions. Each is paid once, or its error says that it is in doubt.
 */
import type { IDataObject } from 'n8n-workflow';
import { type Execution } from '../support/execution';
import { type RunSettings } from '../support/harness';
import { continueOnFail, usePayouts } from '../support/money';
import { payEach } from '../support/payouts';
import { CPF, EMAIL, HOUR } from '../support/values';
import { CONTINUE, type Parameters } from '../support/workflow';

const bench = usePayouts();

/** The same amount to the same PIX key for each name. */
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });

const booked = () => bench.sandbox.books.withdrawals;
/** For whom was paid. */
const namesPaid = () => booked().map(({ description }) => description);
const expectPaidFor = (names: string[]) => expect(namesPaid().sort()).toEqual([...names].sort());
const nameOf = (id: unknown) => booked().find((one) => one.id === id)?.description;
/** None has failed, and they show each its own withdrawal. */
const expectShown = (names: string[], ...executions: Execution[]) => {
	for (const { error } of executions) expect(error).toBeUndefined();
	expect(executions.flatMap(({ ids }) => ids.map(nameOf))).toEqual(names);
};
/** The same, and nobody else was paid. */
const expectEachOnce = (names: string[], ...executions: Execution[]) => {
	expectShown(names, ...executions);
	expectPaidFor(names);
};

/** Each one begins in another millisecond, by the clock of the tests. */
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
/** An execution of its own pays each of them. */
const pay = async (names: string[], settings: RunSettings = {}) =>
	await bench.run(payNamed(), alike(...names), { ...begun(), ...settings });
const refuse = (name: string, times = Infinity, code = 'INSUFFICIENT_BALANCE') =>
	bench.strike(`"${name}"`, { kind: 'error', code, times });

it('equal rows of one list are paid a day later where the list shows no other withdrawal than those that belong to the rest', async () => {
	const failed = await pay(['A', 'B', 'C'], { lost: { '"B"': 'dropBefore' } });
	bench.clock.advance(25 * HOUR);
	expectEachOnce(['A', 'B', 'C'], await bench.retry(failed));
});

it('an error that is left on an item of another payment that had no effect: the item is paid under its own key, and so is the row that comes back', async () => {
	const clear = refuse('earlier');
	const [error] = (await pay(['earlier'], CONTINUE)).errors;
	clear();
	const run = async (row: IDataObject) => await bench.run(payNamed(), [{ ...row, error }], begun());

	expectShown(['other'], await run({ amount: 70, pixKey: EMAIL, name: 'other' }));
	expect(booked()[0]?.idempotencyKey).not.toBe(error?.idempotencyKey);
	expectShown(['earlier'], await run({ ...alike('earlier')[0] }));
	expectPaidFor(['other', 'earlier']);
});

describe('a key that is dead', () => {
	const failYesterday = async () => await pay(['ours'], { lost: 'dropBefore' });

	const payByOtherTool = async () => (await bench.payElsewhere(alike('other'), 'other'))[0]!;

	it('with a payout of another tool that looks alike: in doubt, with its ID, and a person decides', async () => {
		const failed = await failYesterday();
		const candidate = await payByOtherTool();
		bench.clock.advance(25 * HOUR);
		continueOnFail(failed);

		const { errors, posts } = await bench.retry(failed);

		const { name } = errors[0]?.order as { name: string };
		expect(errors[0]).toMatchObject({
			...{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds: [candidate] },
			description: expect.stringMatching(
				`Settle Reference with the reference "${name}".*'Not These': ${candidate}.*send this item with its field error to this node again`,
			),
		});
		expect(posts).toBe(0);
		const settled = await bench.settle(name, 'notPaid', '', { notThese: [candidate] });
		expect(settled.error).toBeUndefined();
		const item = { ...alike('ours')[0], error: errors[0] };
		expectShown(['ours'], await bench.run(payNamed(), [item], begun()));
		expectPaidFor(['other', 'ours']);
	});
});

describe('a first request that times out and arrives 90 seconds later', () => {
	beforeEach(() => void bench.strike('', { kind: 'lateRequest', ms: 90_000, times: 1 }));
	/** Time passes, and what arrives meanwhile is processed. */
	const pass = async (ms: number) => {
		bench.clock.advance(ms);
		for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
	};
	const refuseTwice = (stored: boolean) => {
		const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
		bench.strike('', { kind: 'error', code, stored, times: 2 });
	};

	it.each([10_000, 120_000])(
		'and refusals that are not kept in between: one payout by the retry after %d ms',
		async (ms) => {
			refuseTwice(false);
			const failed = await pay(['ours']);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
			await pass(ms);
			expectPaidFor(ms > 90_000 ? ['ours'] : []);

			const retried = await bench.retry(failed);
			await pass(120_000);

			expectEachOnce(['ours'], retried);
		},
	);

	it('and refusals that are kept in between: one payout, once nothing can arrive any more', async () => {
		bench.assume('storedFailures');
		refuseTwice(true);
		let failed = await pay(['ours']);
		for (const ms of [10_000, 120_000]) {
			await pass(ms);
			failed = await bench.retry(failed);
			expect(failed.error).toMatchObject({ effect: 'unknown' });
		}
		expect(bench.keys).toHaveLength(1);
		expectPaidFor([]);
		// A refusal that is kept does not use up the fault.
		bench.sandbox.faults.clear();
		await pass(HOUR);

		expectEachOnce(['ours'], await bench.retry(failed));
	});
});
