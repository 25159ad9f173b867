/** The response to a refund says nothing about an earlier attempt of this refund. */
import { useBench } from '../support/harness';
import { NODE } from '../support/names';
import type { Parameters } from '../support/workflow';

const bench = useBench();
const refundEach: Parameters = {
	resource: 'payment',
	operation: 'refund',
	paymentId: '={{ $json.paymentId }}',
	options: { maxConcurrency: 1 },
};
const paidTwo = () =>
	[1001, 2005].map((amountCents) => ({
		paymentId: bench.sandbox.seed.payment({ status: 'PAID', amountCents }).id,
	}));
const answer = (code: string) => bench.sandbox.faults.add({ method: 'POST', kind: 'error', code });

describe('a refund whose first response was lost', () => {
	it.each([
		['ALREADY_REFUNDED', 'Most likely, this same refund has been made.'],
		['REFUND_IN_PROGRESS', 'Most likely, this same refund is being processed.'],
		['INVALID_STATUS', 'This refund itself may have changed the status.'],
	])('is not called one without effect after %s', async (code, words) => {
		const items = paidTwo();
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter' });
		answer(code);

		const { error } = await bench.run(refundEach, items);

		expect(bench.sandbox.books.refunds).toHaveLength(1);
		expect(error?.message).toMatch(/^Row 1: It is not known whether this took effect: /);
		expect(error?.description).toContain(words);
		expect(error?.description).toContain('Payment > Get, and look at the status');
		expect(error?.description).toContain('1 with unknown outcome (row 1)');
		expect(error?.description).toContain('would repeat them.');
	});

	it('nor after an error of the service', async () => {
		answer('INTERNAL_ERROR');
		answer('ALREADY_REFUNDED');

		const { error } = await bench.run(refundEach, paidTwo());

		expect(error?.message).toMatch(/^Row 1: It is not known whether this took effect: /);
	});
});

it.each([
	['list', '={{ $json.id }}'],
	['id', '={{ $json.id.toUpperCase() }}'],
	['txId', '={{ $json.txId }}'],
])('a refund whose payment is chosen by "%s" in the retry keeps its key', async (mode, value) => {
	const items = [1001, 2005].map((amountCents) => {
		const { id, txId } = bench.sandbox.seed.payment({ status: 'PAID', amountCents });
		return { id, txId };
	});
	const failed = await bench.run({ ...refundEach, paymentId: '={{ $json.id }}' }, items, {
		lost: 'dropAfter',
	});
	expect(failed.error).toBeDefined();
	const node = failed.workflow.nodes[NODE]!;
	node.parameters = { ...node.parameters, paymentId: { __rl: true, mode, value } as never };

	const { error, json } = await bench.retry(failed);

	expect(error).toBeUndefined();
	expect(json.map(({ amount }) => amount)).toEqual([10.01, 20.05]);
	expect(bench.sandbox.books.refunds.map(({ paymentId }) => paymentId).sort()).toEqual(
		items.map(({ id }) => id).sort(),
	);
	expect(bench.keys).toHaveLength(2);
});

it('a refund that no attempt came before has no effect when the payment is already refunded', async () => {
	answer('ALREADY_REFUNDED');

	const { error } = await bench.run(refundEach, paidTwo());

	expect(error?.message).toBe('Row 1: The payment is already fully refunded');
	expect(error?.description).toContain('Nothing is left to do.');
	expect(error?.description).toContain('1 failed without effect (row 1)');
});
