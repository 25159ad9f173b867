import type { IDataObject } from 'n8n-workflow';
import { diagnose } from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';
import {
	AUTOMATIC,
	BODY,
	dotSignature,
	hmac,
	SECRET,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';

const of = (headers: IDataObject) => diagnose(validHeaders(headers), BODY, AUTOMATIC);

test('says which parts were there', () => {
	expect(of({})).toBe(
		`Present: X-Webhook-Signature with 1 value(s) of 64 characters, X-Webhook-Timestamp in seconds, X-Webhook-Delivery-Id yes, X-Webhook-Event PAYMENT_PAID, body of ${BODY.length} bytes, tried 10 scheme(s) with 1 secret(s)`,
	);
});

test.each([
	[{ 'x-webhook-signature': undefined }, 'X-Webhook-Signature no,'],
	[{ 'x-webhook-signature': 'hmac abc' }, 'Signature of 8 characters in an unknown format,'],
	[{ 'x-webhook-delivery-id': undefined }, 'X-Webhook-Delivery-Id no,'],
	[{ 'x-webhook-event': undefined }, 'X-Webhook-Event no,'],
])('says what is missing or unknown: %o', (headers, words) => {
	expect(of(headers)).toContain(words);
});

test.each([
	[TIMESTAMPS.seconds, 'in seconds'],
	[TIMESTAMPS.milliseconds, 'in milliseconds'],
	[TIMESTAMPS['ISO 8601'], 'in ISO 8601'],
	['now', 'unreadable'],
	['', 'no'],
])('the timestamp %o is %s', (timestamp, form) => {
	expect(of({ 'x-webhook-timestamp': timestamp })).toContain(`X-Webhook-Timestamp ${form},`);
});

test('several values are counted, each with its length', () => {
	const base64 = hmac(BODY, { hash: 'sha512', encoding: 'base64' });
	expect(of({ 'x-webhook-signature': `v1,${dotSignature()} v1,${base64}` })).toContain(
		'X-Webhook-Signature with 2 value(s) of 64 and 88 characters',
	);
});

test('contains no secret, no signature and nothing of the body', () => {
	const text = of({});
	for (const hidden of [SECRET, dotSignature(), '10.00', TIMESTAMPS.seconds]) {
		expect(text).not.toContain(hidden);
	}
});
