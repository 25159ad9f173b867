/**
 * Payouts that were refused twice and sent under the next key, where the service keeps no refusal: the
 * first key would pay them once more.
 */
import { parseDialect } from '../../../dev/sandbox';
import { dataTables, restart } from '../support/ledger';
import { BEFORE, FINE, MISMATCHES, reviveTables, usePayouts } from '../support/money';
import { BOTH, CORRECTED, INVOICES, referenced } from '../support/payouts';
import { MINUTE } from '../support/values';

const bench = usePayouts();

beforeEach(() => {
	Object.assign(bench.sandbox.dialect, parseDialect('storedFailures=none'));
});

/** Each row meets these outcomes first, one in each request. */
const meet = (...outcomes: ReadonlyArray<'refused' | 'dropBefore' | 'dropAfter'>) => {
	const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
	for (const amount of ['10.01', '20.02']) {
		for (const outcome of outcomes) {
			if (outcome === 'refused') bench.strike(amount, { kind: 'error', code, times: 1 });
			else bench.strike(amount, { kind: outcome, times: 1 });
		}
	}
};
/** n8n is killed as soon as everything is paid: nothing of that is written. */
const killWhenPaid = async () => await bench.payKilled(() => bench.paid.length > 0);

it.each([
	['the second', ['refused', 'refused']],
	['the third', ['refused', 'refused', 'refused', 'refused']],
	['a key that lost a response before, and the next one', ['dropBefore', 'refused', 'refused']],
] as const)(
	'after n8n was killed, it keeps to %s key, which has paid',
	async (_which, outcomes) => {
		meet(...outcomes);
		await killWhenPaid();
		bench.sandbox.faults.clear();

		const again = await bench.payAsTold();
		const copy = await bench.start(referenced(), INVOICES);

		bench.expectOnce(again, BEFORE);
		expect(copy.ids).toEqual(again.ids);
		bench.expectLiving(BOTH, again, copy);
	},
);

it('keeps to the next key in a copy that began with it, after n8n was killed', async () => {
	meet('refused', 'refused', 'dropAfter');
	const first = await bench.start(referenced(), INVOICES);
	await killWhenPaid();

	expect((await bench.payAsTold()).ids).toEqual(first.ids);
	expect(bench.living).toEqual(BOTH);
});

it('sends nothing after it was stopped while another execution sent the same', async () => {
	bench.strike('', { kind: 'delay', ms: MINUTE, times: 2 });
	const first = bench.pay();
	await bench.until(() => bench.posts === 2);
	let stop: () => void = () => undefined;
	dataTables().onStep = (operation) => {
		if (operation === 'insert') setImmediate(stop);
	};
	const second = await bench.pay(INVOICES, { onStart: (cancel) => (stop = cancel) });

	expect(second.run.status).toBe('canceled');
	reviveTables();
	bench.clock.advance(MINUTE);
	bench.expectTrue(await first);
	await bench.answered();
	expect(bench.living).toEqual(BOTH);
	bench.expectLiving(BOTH, await bench.payAsTold());
});

describe('where an earlier attempt has paid unseen', () => {
	const THIRD = INVOICES.map((row) => ({ ...row, amount: Number(row.amount) + 2 }));
	/** Something in front of the service refuses each of the two rows. */
	const refuse = (times: number) => bench.refuseNext(times * 2);
	/** Whoever does what the errors say is told that the first content was paid. */
	const expectNeverPaid = async (rows = CORRECTED) => {
		expect((await bench.payAsTold(rows)).codes).toEqual(MISMATCHES);
		expect(bench.paid).toEqual([1001, 2002]);
	};

	it.each([1, 2, 3, 4, 5, 6, 9])(
		'a corrected row that was refused %i times is not paid, and not said to be without effect',
		async (times) => {
			await bench.payUnseen(bench.workflow);
			const refused = refuse(times);

			const again = await bench.pay(CORRECTED);
			refused();

			expect(again.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
			await expectNeverPaid(THIRD);
		},
	);

	it.each([1, 2, 5])(
		'a corrected row is not paid after n8n was killed, and %i refusals',
		async (times) => {
			await bench.payUnseen(bench.workflow);
			restart();
			const refused = refuse(times);
			const isRefused = () => bench.requests('POST').some(({ status }) => status === 503);
			await bench.payKilled(isRefused, CORRECTED);
			refused();
			await expectNeverPaid(THIRD);
		},
	);

	it('a corrected row is not paid while another execution pays the original', async () => {
		const slow = bench.strike('', { kind: 'delay', ms: MINUTE, times: 2 });
		const first = bench.pay();
		await bench.until(() => bench.posts === 2);
		refuse(2);
		const second = bench.pay(CORRECTED);
		slow();
		bench.clock.advance(MINUTE);

		expect((await first).codes).toEqual(FINE);
		expect((await second).codes).not.toContain(undefined);
		await expectNeverPaid();
	});
});
