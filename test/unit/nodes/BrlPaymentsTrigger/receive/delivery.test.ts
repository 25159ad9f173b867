import type { IDataObject } from 'n8n-workflow';
import {
	contentsOf,
	readDelivery,
	readEvent,
	replayKey,
} from '../../../../../nodes/BrlPaymentsTrigger/receive/delivery';
import { BODY, DELIVERY_ID, PAYMENT_ID, validHeaders } from '../support/delivery';

const read = (changed: IDataObject = {}, body: Buffer | string = BODY) =>
	readDelivery(validHeaders(changed), Buffer.from(body));

test('event, id and body are read', () => {
	expect(read()).toEqual({
		delivery: {
			event: 'PAYMENT_PAID',
			deliveryId: DELIVERY_ID,
			body: { id: PAYMENT_ID, amount: 10, status: 'PAID' },
		},
	});
});

test.each(['webhook.test', 'a:b-c', 'E'.repeat(64)])('the event %s', (event) => {
	expect(read({ 'x-webhook-event': event })).toMatchObject({ delivery: { event } });
	expect(readEvent({ 'x-webhook-event': event })).toEqual({ event });
});

test.each([
	...[undefined, '', 'PAYMENT_PAID ', 'PAYMENT_PAID, PAYMENT_PAID', 'PAGAMENTO_É', '<b>'],
	...['A\nB', 'E'.repeat(65), ['PAYMENT_PAID']],
])('the event %o is refused', (event) => {
	const problem = 'The header X-Webhook-Event is missing or malformed';
	expect(read({ 'x-webhook-event': event })).toEqual({ problem });
	expect(readEvent({ 'x-webhook-event': event })).toEqual({ problem });
});

test.each(['1', 'a/b+c=', 'evt_!~', 'x'.repeat(200)])('the delivery id %s', (deliveryId) => {
	expect(read({ 'x-webhook-delivery-id': deliveryId })).toMatchObject({ delivery: { deliveryId } });
});

test.each([undefined, '', 'a b', 'a,a', 'a\n', 'é', 'x'.repeat(201), ['a']])(
	'the delivery id %o is refused',
	(deliveryId) => {
		expect(read({ 'x-webhook-delivery-id': deliveryId })).toEqual({
			problem: 'The header X-Webhook-Delivery-Id is missing or malformed',
		});
	},
);

test.each(['', '[{}]', 'null', '"{}"', '{', '{}{}', "{'a':1}", '\ufeff{}', ' {}', '\n{}'])(
	'the body %o is refused',
	(body) => {
		expect(read({}, body)).toEqual({ problem: 'The body is not a JSON object' });
	},
);

test.each(['{}', '{} ', '{\n  "a": "João"\n}\n'])('the body %o', (body) => {
	expect(read({}, body)).toMatchObject({ delivery: { body: JSON.parse(body) } });
});

test('a key that would reach every object stays a key', () => {
	const reading = read({}, '{"__proto__":{"polluted":true},"a":1}');
	expect(reading).toMatchObject({ delivery: { body: { a: 1 } } });
	expect(({} as IDataObject).polluted).toBeUndefined();
});

// Which bodies are about the same: test/engine/trigger/deliveries.test.ts.
test.each<[IDataObject, number]>([
	[{ id: 'p1', txId: 'PAY1', status: 'PAID' }, 2],
	[{ id: 'p1', paymentId: 'p1', withdrawalId: '', txId: 7 }, 1],
	[{}, 1],
])('%o has as many names as IDs, or one: %i', (body, count) => {
	expect(contentsOf(body, JSON.stringify(body))).toHaveLength(count);
});

test('a resource has one name whatever the field of its ID, a body without an ID that of its bytes', () => {
	const [id, paymentId] = [{ id: 'p1' }, { paymentId: 'p1', amount: 1 }];
	expect(contentsOf(paymentId, '{}')).toEqual(contentsOf(id, '{ }'));
	expect(contentsOf({}, '{}')).toEqual(contentsOf({}, '{}'));
	expect(contentsOf({}, '{}')).not.toEqual(contentsOf({}, '{ }'));
});

test('a delivery keeps its ID; each time that the user has written it makes another key', () => {
	for (const others of [[], ['b'], ['aa']]) expect(replayKey('a', others)).toBe('a');
	const keys = [['a'], ['a', 'a'], ['b', 'a', 'a', 'a']].map((ids) => replayKey('a', ids));
	expect(new Set(keys).size).toBe(3);
	// A delivery ID has no blank, so no delivery can have such a key as its ID.
	for (const key of keys) expect(key).toContain(' ');
	expect(replayKey('a', ['a', 'b', 'a'])).toBe(keys[1]);
});
