/** The user's own idempotency key, of what has no name: it is sent as it is, in every execution. */
import type { IDataObject } from 'n8n-workflow';
import { usePayouts } from '../support/money';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { CONTINUE } from '../support/workflow';

const bench = usePayouts();
const ORDERS: IDataObject[] = [
	{ amount: 10.01, order: 'order-1' },
	{ amount: 20.05, order: 'order-2' },
];
const [FIRST = {}, SECOND = {}] = ORDERS;
const chargeOrders = {
	...chargeEach('PIX'),
	options: { idempotencyKey: '={{ $json.order }}', maxConcurrency: 1 },
};
const charge = async (items = ORDERS) => await bench.run(chargeOrders, items);
const charged = () => bench.sandbox.books.payments.map(({ amountCents }) => amountCents).sort();

it('charges once in several executions, and after a kill', async () => {
	const first = await charge();
	const killed = await charge();
	const retried = await bench.retryAfterKill(killed);

	for (const { error, ids } of [killed, retried]) {
		expect(error).toBeUndefined();
		expect(ids).toEqual(first.ids);
	}
	expect(charged()).toEqual([1001, 2005]);
	expect(bench.keys).toEqual(['order-1', 'order-2']);
});

it('is never replaced after a refusal', async () => {
	bench.refuseNext(4, 'PROVIDER_TEMPORARILY_UNAVAILABLE');
	await charge();
	await charge();
	expect(bench.keys.every((key) => ORDERS.some(({ order }) => order === key))).toBe(true);
});

it.each([
	['has 101 characters', 'x'.repeat(101), 'The idempotency key has '],
	['is that of another item', 'order-2', 'Rows 1 and 2 have the same idempotency key'],
])('is refused before anything is sent when it %s', async (_what, order, says) => {
	const { error } = await charge([{ ...FIRST, order }, SECOND]);
	expect(error?.message).toContain(says);
	expect(bench.requests()).toEqual([]);
});

it.each([null, '', 'undefined'])('is refused where its expression returns %j', async (order) => {
	const { errors } = await bench.run(chargeOrders, [{ ...FIRST, order }, SECOND], CONTINUE);
	expect(errors[0]?.message).toBe('Idempotency Key is empty in this row');
	expect(charged()).toEqual([2005]);
});

it('of a payout is none: a reference does what it was for', async () => {
	bench.expectPaid([1001, 2002], await bench.run(payEach({ idempotencyKey: 'own' }), TWO));
	expect(bench.keys).not.toContain('own');
});
