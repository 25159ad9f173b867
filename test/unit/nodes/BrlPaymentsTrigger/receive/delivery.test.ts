import type { IDataObject } from 'n8n-workflow';
import {
	contentsOf,
	readDelivery,
	readEvent,
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

test.each(['TEST', 'webhook.test', 'a:b-c', 'E'.repeat(64)])('the event %s', (event) => {
	expect(read({ 'x-webhook-event': event })).toMatchObject({ delivery: { event } });
	expect(readEvent({ 'x-webhook-event': event })).toEqual({ event });
});

test.each([
	undefined,
	'',
	'PAYMENT_PAID ',
	'PAYMENT_PAID, PAYMENT_PAID',
	'PAGAMENTO_É',
	'<b>',
	'A\nB',
	'E'.repeat(65),
	['PAYMENT_PAID'],
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

test.each(['{}', '{} ', '{}\n', '{\n  "a": 1\n}', '{"a":"João"}'])('the body %o', (body) => {
	expect(read({}, body)).toMatchObject({ delivery: { body: JSON.parse(body) } });
});

test('a key that would reach every object stays a key', () => {
	const reading = read({}, '{"__proto__":{"polluted":true},"a":1}');
	expect(reading).toMatchObject({ delivery: { body: { a: 1 } } });
	expect(({} as IDataObject).polluted).toBeUndefined();
});

describe('what a delivery is about', () => {
	const contents = (body: IDataObject, raw = JSON.stringify(body)) => contentsOf(body, raw);
	const hasCommon = (one: string[], other: string[]) => one.some((each) => other.includes(each));
	const both = contents({ id: 'p1', txId: 'PAY1', status: 'PAID' });

	test('has a name by each ID, and each once', () => {
		expect(both).toHaveLength(2);
		expect(contents({ id: 'p1', paymentId: 'p1', withdrawalId: '', txId: 7 })).toHaveLength(1);
	});

	test.each([
		['with one ID less', { txId: 'PAY1', status: 'PAID' }, true],
		['with the ID in another field', { paymentId: 'p1', status: 'PAID', amount: 1 }, true],
		['of another resource', { id: 'p2', txId: 'PAY2', status: 'PAID' }, false],
		['in another status', { id: 'p1', txId: 'PAY1', status: 'REFUNDED' }, false],
	])('is the same or not in a body %s', (_, body, isSame) => {
		expect(hasCommon(contents(body), both)).toBe(isSame);
	});

	test('is the bytes of a body without any ID', () => {
		expect(contents({}, '{}')).toEqual(contents({}, '{}'));
		expect(contents({}, '{}')).toHaveLength(1);
		expect(contents({}, '{}')).not.toEqual(contents({}, '{ }'));
	});
});
