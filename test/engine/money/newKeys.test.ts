import { usePayouts } from '../support/money';
import { chargeEach, refundEach } from '../support/payouts';

const bench = usePayouts();
const CHARGES = [{ amount: 10.01 }, { amount: 20.05 }];
const ONE_BY_ONE = { maxConcurrency: 1 };

describe('a refusal that the server keeps under the key', () => {
	beforeEach(() => bench.assume('storedFailures'));

	it('is followed by a new key in the same run when no PIX provider accepted the withdrawal', async () => {
		bench.refuseNext(2);

		bench.expectPaid([1001, 2002], await bench.payTwo());

		expect(bench.keys).toHaveLength(4);
		const used = bench.sandbox.books.withdrawals.map(({ idempotencyKey }) => idempotencyKey);
		expect(bench.keys.slice(2).sort()).toEqual(used.sort());
	});

	it('creates a boleto under a new key once the stored 502 was repeated', async () => {
		bench.refuseNext(2, 'PROVIDER_TEMPORARILY_UNAVAILABLE');

		const { error } = await bench.run(chargeEach('BOLETO'), CHARGES);

		expect(error).toBeUndefined();
		const amounts = bench.sandbox.books.payments.map(({ amountCents }) => amountCents);
		expect(amounts.sort()).toEqual([1001, 2005]);
		expect(bench.keys).toHaveLength(4);
		// The 502, its replay, and the new key; for each of the two.
		expect(bench.posts).toBe(6);
	});

	it('creates a PIX charge under the same key only: no 502 says that none was made', async () => {
		const body = { error: { code: 'PROVIDER_TEMPORARILY_UNAVAILABLE', message: 'Unavailable' } };
		bench.strike('', { kind: 'status', status: 502, process: true, body, times: 4 });

		const { error } = await bench.run(chargeEach('PIX'), CHARGES);

		expect(error).toBeUndefined();
		expect(bench.keys).toHaveLength(2);
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	it('tries five keys in each run, then says that Retry goes on', async () => {
		bench.sandbox.account.withdrawalProviderUnavailable = true;

		let failed = await bench.payTwo({}, ONE_BY_ONE);
		for (let runs = 1; runs <= 2; runs += 1) {
			expect(bench.keys).toHaveLength(5 * runs);
			expect(failed.error).toMatchObject({ effect: 'none' });
			expect(failed.error?.message).toBe(
				'Row 1 (R$ 10,01): No PIX provider accepted the withdrawal, and no money moved',
			);
			expect(failed.error?.description).toContain('Wait until a provider is available again.');
			failed = await bench.retry(failed);
		}
		expect(bench.paid).toEqual([]);
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});

	it('makes no new key after a lost response: the old one shows what was paid', async () => {
		const code = 'WITHDRAWAL_PROVIDER_UNAVAILABLE';
		bench.strike('10.01', { kind: 'dropAfter', times: 1 });
		const clear = bench.strike('10.01', { kind: 'error', code, stored: false });

		const failed = await bench.payTwo();
		expect(failed.error).toMatchObject({ effect: 'unknown' });
		const failedAgain = await bench.retry(failed);
		expect(failedAgain.error).toMatchObject({ effect: 'unknown' });
		clear();
		const retried = await bench.retry(failedAgain);

		bench.expectPaid([1001, 2002], retried);
		expect(retried.json[0]).toMatchObject({ netAmount: 10.01 });
		expect(bench.keys).toHaveLength(2);
	});
});

describe('a refusal that the server does not keep', () => {
	const CODES = ['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 'WITHDRAWAL_PROCESSING_FAILED'];

	it.each(CODES)('pays under the same key after %s', async (code) => {
		bench.refuseNext(2, code);
		bench.expectPaid([1001, 2002], await bench.payTwo());
		expect(bench.keys).toHaveLength(2);
		expect(bench.posts).toBe(4);
	});

	it('refunds under the same key when the processor is unavailable', async () => {
		bench.refuseNext(2, 'PROVIDER_TEMPORARILY_UNAVAILABLE');

		const { error } = await bench.run(refundEach, bench.paidPayments());

		expect(error).toBeUndefined();
		expect(bench.sandbox.books.refunds).toHaveLength(2);
		expect(bench.keys).toHaveLength(2);
	});
});
