/** The response to a refund says nothing about an earlier attempt of this refund. */
import { usePayouts } from '../support/money';
import { refundEach } from '../support/payouts';
import { HOUR } from '../support/values';
import { edit } from '../support/workflow';

const bench = usePayouts();
const UNKNOWN = /^Row 1: It is not known whether this took effect: /;

it.each([
	['ALREADY_REFUNDED', 'Most likely, this same refund has been made.'],
	['REFUND_IN_PROGRESS', 'Most likely, this same refund is being processed.'],
	['INVALID_STATUS', 'This refund itself may have changed the status.'],
])(
	'a refund whose first response was lost is not called one without effect after %s',
	async (code, words) => {
		bench.lose('dropAfter', undefined, 1);
		bench.refuseNext(1, code);

		const { error } = await bench.run(refundEach, bench.paidPayments());

		expect(bench.sandbox.books.refunds).toHaveLength(1);
		expect(error?.message).toMatch(UNKNOWN);
		expect(error?.description).toContain(words);
		expect(error?.description).toContain('Payment > Get, and look at the status');
		expect(error?.description).toContain('1 in doubt: row 1');
		expect(error?.description).toContain('would send everything again.');
	},
);

it.each([
	['list', '={{ $json.id }}'],
	['id', '={{ $json.id.toUpperCase() }}'],
	['txId', '={{ $json.txId }}'],
])('a refund whose payment is chosen by "%s" in the retry keeps its key', async (mode, value) => {
	const items = bench.paidPayments();
	const failed = await bench.run(refundEach, items, { lost: 'dropAfter' });
	expect(failed.error).toBeDefined();
	edit(failed, { paymentId: { __rl: true, mode, value } });

	const { error, json } = await bench.retry(failed);

	expect(error).toBeUndefined();
	expect(json.map(({ amount }) => amount)).toEqual([10.01, 20.05]);
	const refunded = bench.sandbox.books.refunds.map(({ paymentId }) => paymentId);
	expect(refunded.sort()).toEqual(items.map(({ id }) => id).sort());
	expect(bench.keys).toHaveLength(2);
});

it('a list of refunds that is retried a day later is told to look them up, and not to retry', async () => {
	const failed = await bench.run(refundEach, bench.paidPayments(), { lost: 'dropAfter' });
	bench.clock.advance(25 * HOUR);

	const { error } = await bench.retry(failed);

	expect(error?.message).toContain('the server recognizes a repetition for 24 hours only');
	expect(error?.description).not.toContain('choose Retry');
	expect(bench.sandbox.books.refunds).toHaveLength(1);
});
