import type { IDataObject } from 'n8n-workflow';
import { diagnose } from '../../../../../nodes/BrlPaymentsTrigger/receive/diagnosis';
import {
	AUTOMATIC,
	BODY,
	dotSignature,
	hmac,
	SECRET,
	settingsWith,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';

const of = (headers: IDataObject) => diagnose(validHeaders(headers), BODY, AUTOMATIC);

test('says which parts were there', () => {
	expect(of({})).toBe(
		`Present: X-Webhook-Signature with 1 value(s) of 64 characters, X-Webhook-Timestamp in seconds, X-Webhook-Delivery-Id yes, X-Webhook-Event PAYMENT_PAID, body of ${BODY.length} bytes, tried 10 scheme(s) with 1 secret(s)`,
	);
});

test('says when the signature is missing or in a form that the scheme does not have', () => {
	expect(of({ 'x-webhook-signature': undefined })).toContain('X-Webhook-Signature no,');
	expect(of({ 'x-webhook-signature': 'hmac abc' })).toContain(
		'X-Webhook-Signature of 8 characters in an unknown format,',
	);
});

test('and which were not', () => {
	expect(of({ 'x-webhook-delivery-id': undefined, 'x-webhook-event': undefined })).toContain(
		'X-Webhook-Delivery-Id no, X-Webhook-Event no',
	);
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

test('names how much was tried', () => {
	const settings = settingsWith({
		signingSecrets: `${SECRET} example-signing-secret-0003`,
		signatureScheme: 'sha256-dot',
	});
	expect(diagnose(validHeaders(), BODY, settings)).toMatch(
		/tried 1 scheme\(s\) with 2 secret\(s\)$/,
	);
});

test('contains no secret, no signature and nothing of the body', () => {
	const text = of({});
	for (const hidden of [SECRET, dotSignature(), '10.00', TIMESTAMPS.seconds]) {
		expect(text).not.toContain(hidden);
	}
});
