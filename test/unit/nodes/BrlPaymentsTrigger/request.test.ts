import type { IDataObject } from 'n8n-workflow';
import { notADelivery, TOO_LARGE } from '../../../../nodes/BrlPaymentsTrigger/answers';
import {
	keysOf,
	readDelivery,
	readEvent,
	readRawBody,
	readSigned,
} from '../../../../nodes/BrlPaymentsTrigger/request';
import {
	BODY,
	DELIVERY_ID,
	dotSignature,
	PAYMENT_ID,
	TIMESTAMPS,
	validHeaders,
} from './support/delivery';

const read = (changed: IDataObject = {}, body: Buffer | string = BODY) =>
	readDelivery(validHeaders(changed), Buffer.from(body), 'PAYMENT_PAID');

test('event, id and body are read', () => {
	expect(read()).toEqual({
		event: 'PAYMENT_PAID',
		deliveryId: DELIVERY_ID,
		body: { id: PAYMENT_ID, amount: 10, status: 'PAID' },
	});
});

test.each(['webhook.test', 'a:b-c', 'E'.repeat(64)])('the event %s', (event) => {
	expect(readEvent({ 'x-webhook-event': event })).toBe(event);
});

test.each([
	...[undefined, '', 'PAYMENT_PAID ', 'PAYMENT_PAID, PAYMENT_PAID', 'PAGAMENTO_É', '<b>'],
	...['A\nB', 'E'.repeat(65), ['PAYMENT_PAID']],
])('the event %o is refused', (event) => {
	expect(readEvent({ 'x-webhook-event': event })).toBeUndefined();
});

test.each(['1', 'a/b+c=', 'evt_!~', 'x'.repeat(200)])('the delivery id %s', (deliveryId) => {
	expect(read({ 'x-webhook-delivery-id': deliveryId })).toMatchObject({ deliveryId });
});

test.each([undefined, '', 'a b', 'a\n', 'é', 'x'.repeat(201), ['a']])(
	'the delivery id %o is refused',
	(deliveryId) => {
		const answer = notADelivery('The header X-Webhook-Delivery-Id is missing or malformed');
		expect(read({ 'x-webhook-delivery-id': deliveryId })).toEqual(answer);
	},
);

test.each(['', '[{}]', 'null', '"{}"', '{}{}', "{'a':1}", '\ufeff{}', ' {}'])(
	'the body %o is refused',
	(body) => {
		expect(read({}, body)).toEqual(notADelivery('The body is not a JSON object'));
	},
);

test('a key that would reach every object stays a key', () => {
	const reading = read({}, '{"__proto__":{"polluted":true},"a":1}\n');
	expect(reading).toMatchObject({ body: { a: 1 } });
	expect(({} as IDataObject).polluted).toBeUndefined();
});

// Which bodies are about the same: test/engine/trigger/deliveries.test.ts.
describe('the keys of a delivery', () => {
	const keys = (body: IDataObject, changed: object = {}, raw = JSON.stringify(body)) =>
		keysOf({ deliveryId: 'a', event: 'PAYMENT_PAID', body, ...changed }, Buffer.from(raw));

	test.each<[IDataObject, number]>([
		[{ id: 'p1', txId: 'PAY1', status: 'PAID' }, 2],
		[{ id: 'p1', paymentId: 'p1', withdrawalId: '', txId: 7 }, 1],
		[{}, 1],
	])('of %o are as many as its IDs, or one: %i', (body, count) => {
		expect(keys(body)).toHaveLength(count);
	});

	test('are the same whatever the field of the ID; without an ID the bytes count', () => {
		expect(keys({ paymentId: 'p1', amount: 1 })).toEqual(keys({ id: 'p1' }));
		expect(keys({}, {}, '{}')).toEqual(keys({}, {}, '{}'));
		expect(keys({}, {}, '{}')).not.toEqual(keys({}, {}, '{ }'));
	});

	test.each<[string, IDataObject, object]>([
		['delivery ID', { id: 'p1' }, { deliveryId: 'b' }],
		['event', { id: 'p1' }, { event: 'PAYMENT_CONFIRMED' }],
		['resource', { id: 'p2' }, {}],
		['status', { id: 'p1', status: 'PAID' }, {}],
	])('are others for another %s', (_, body, changed) => {
		expect(keys(body, changed)).not.toEqual(keys({ id: 'p1' }));
	});
});

const MEGABYTE = 1024 * 1024;
const SIGNED = {
	event: 'PAYMENT_PAID',
	signature: dotSignature(),
	timestamp: TIMESTAMPS.seconds,
};

test.each([
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE, SIGNED],
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE + 1, TOO_LARGE],
	['as it is', {}, 16 * MEGABYTE, SIGNED],
])('a body that came %s: %o, %i bytes', (_, headers, bytes, answer) => {
	expect(readSigned(validHeaders(headers), bytes)).toEqual(answer);
});

// What is refused at once otherwise: test/engine/trigger/requests.test.ts.
const BYTES = Buffer.from('{"id":1}');
const OCTETS = 'application/octet-stream';

interface FakeRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/** A request whose body n8n has not read; reading it may fail. */
const unread = (read: () => Buffer = () => BYTES): FakeRequest => ({
	async readRawBody(this: FakeRequest) {
		this.rawBody = read();
	},
});

const readBytes = async (request: FakeRequest, contentType?: string) =>
	await readRawBody(
		{ getRequestObject: () => request },
		contentType === undefined ? {} : { 'content-type': contentType },
	);

const READ = { ...unread(() => Buffer.from('other')), rawBody: BYTES };

test.each<[string, FakeRequest, string?]>([
	['what n8n has read', READ, 'application/json'],
	['what n8n has left unread', unread(), OCTETS],
	['what n8n has left unread', unread()],
])('%s is the body', async (_, request, contentType) => {
	expect(await readBytes(request, contentType)).toBe(BYTES);
});

const abort = () => {
	throw new Error('aborted');
};
test.each<[string, FakeRequest, string, string]>([
	['that n8n has used up', unread(), ' Multipart/Mixed; boundary=x', 'did not provide'],
	['that this n8n cannot read later', {}, OCTETS, 'did not provide'],
	['of a sender that hangs up', unread(abort), OCTETS, 'aborted'],
])('a body %s cannot be read', async (_, request, contentType, message) => {
	await expect(readBytes(request, contentType)).rejects.toThrow(message);
});
