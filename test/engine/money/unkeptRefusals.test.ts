/**
 * Payouts that were refused twice and sent under the next key, where the service keeps no refusal: the
 * first key would pay them once more.
 */
import { parseDialect } from '../../../dev/sandbox';
import { BEFORE, FINE, useMoney } from '../support/money';
import {
	BOTH,
	CORRECTED,
	INVOICES,
	killTables,
	MISMATCHES,
	referenced,
	reviveTables,
} from '../support/references';
import { restart } from '../support/restart';

const bench = useMoney();

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

it('does not use the next key where that cannot be written', async () => {
	meet('refused', 'refused');
	await bench.pay([{ ...INVOICES[0], amount: 30, invoice: 'NF-0' }]);
	const keys = bench.keys.length;
	killTables(() => bench.posts > 1 && bench.keys.length === keys + 2);
	const failed = await bench.pay();
	reviveTables();

	expect(failed.codes).toEqual(['LEDGER_UNAVAILABLE', 'LEDGER_UNAVAILABLE']);
	expect(bench.keys).toHaveLength(keys + 2);
	expect((await bench.payAsTold()).codes).toEqual(FINE);
	expect(bench.living).toEqual({ ...BOTH, 'NF-0': 1 });
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

	it.each([1, 2, 5, 9])(
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

	it('a corrected row is not paid after n8n was killed, and refusals', async () => {
		await bench.payUnseen(bench.workflow);
		restart();
		const refused = refuse(2);
		const isRefused = () => bench.requests('POST').some(({ status }) => status === 503);
		await bench.payKilled(isRefused, CORRECTED);
		refused();
		await expectNeverPaid(THIRD);
	});
});
