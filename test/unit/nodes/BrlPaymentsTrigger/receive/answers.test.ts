import type { IDataObject } from 'n8n-workflow';
import {
	answerToUnverified,
	diagnose,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	INTERNAL_ERROR,
	notADelivery,
	TOO_LARGE,
} from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';
import {
	AUTOMATIC,
	BODY,
	dotSignature,
	hmac,
	SECRET,
	TIMESTAMPS,
	validHeaders,
} from '../support/delivery';

// The sender gives up for good on a 4xx other than 408 and 429.
test.each([IN_FLIGHT, INTERNAL_ERROR, FOREIGN_SIGNATURE, TOO_LARGE, notADelivery('It is none')])(
	'the sender is to send it again: $reason',
	({ status, reason }) => {
		expect(status).toBe(503);
		expect(reason).toMatch(/^[A-Z].*\.$/);
	},
);

test.each(['X-Webhook-Signature', 'X-Webhook-Timestamp'] as const)('%s', (header) => {
	expect(answerToUnverified({ result: 'missing', header }, 503)).toEqual({
		status: 401,
		reason: `The header ${header} is missing. The request does not come from the payment service, or a proxy removed the header.`,
	});
});

test.each([401, 503] as const)('%i for a mismatch and a malformed header, as chosen', (chosen) => {
	const malformed = { result: 'malformed', header: 'X-Webhook-Timestamp' } as const;
	expect(answerToUnverified(malformed, chosen)).toEqual({
		status: chosen,
		reason: expect.stringContaining('The header X-Webhook-Timestamp is malformed.'),
	});
	expect(answerToUnverified({ result: 'mismatch' }, chosen)).toEqual({
		status: chosen,
		reason: expect.stringMatching(
			/secret belongs to another endpoint or was rotated.*proxy.*Custom.*Secret Encoding/,
		),
	});
});

test.each([
	[300_001, /300 seconds in the past.* off by 300 s.*increase Options > Replay Window/],
	[3_600_000, /3600 seconds in the past.* increase Options > Replay Window/],
	[3_601_000, /3601 seconds in the past.* set Receive By to Webhook and Polling/],
	[-300_001, /300 seconds in the future.* off by 300 s.*\(NTP\)\.$/],
])('stale by %i ms: 503 whatever is chosen, and what helps', (differenceMs, text) => {
	for (const chosen of [401, 503] as const) {
		const { status, reason } = answerToUnverified({ result: 'stale', differenceMs }, chosen);
		expect(status).toBe(503);
		expect(reason).toMatch(
			/^The signature is genuine.*clock of this n8n or of the payment service/,
		);
		expect(reason).toMatch(text);
	}
});

describe('a diagnosis', () => {
	const diagnoseWith = (name: string, value: unknown) =>
		diagnose(validHeaders({ [`x-webhook-${name}`]: value } as IDataObject), BODY, AUTOMATIC);

	test('says which parts there were, and shows nothing of secret, signature and body', () => {
		const text = diagnose(validHeaders(), BODY, AUTOMATIC);
		expect(text).toBe(
			`Present: X-Webhook-Signature with 1 value(s) of 64 characters, X-Webhook-Timestamp in seconds, X-Webhook-Delivery-Id yes, X-Webhook-Event PAYMENT_PAID, body of ${BODY.length} bytes, tried 10 scheme(s) with 1 signing key(s)`,
		);
		for (const hidden of [SECRET, dotSignature(), '10.00', TIMESTAMPS.seconds]) {
			expect(text).not.toContain(hidden);
		}
	});

	const base64 = hmac(BODY, { hash: 'sha512', encoding: 'base64' });
	test.each([
		['signature', undefined, 'X-Webhook-Signature no,'],
		['signature', 'hmac abc', 'X-Webhook-Signature of 8 characters in an unknown format,'],
		['signature', `v1,${dotSignature()} v1,${base64}`, ' 2 value(s) of 64 and 88 characters,'],
		['timestamp', TIMESTAMPS.milliseconds, 'X-Webhook-Timestamp in milliseconds,'],
		['timestamp', TIMESTAMPS['ISO 8601'], 'X-Webhook-Timestamp in ISO 8601,'],
		['timestamp', 'Sat, 21 Nov 2026 12:00:00 GMT', 'X-Webhook-Timestamp as an HTTP date,'],
		['timestamp', 'now', 'X-Webhook-Timestamp unreadable,'],
		['timestamp', '', 'X-Webhook-Timestamp no,'],
		['delivery-id', undefined, 'X-Webhook-Delivery-Id no,'],
		['event', undefined, 'X-Webhook-Event no,'],
	])('names the %s %o', (name, value, words) => {
		expect(diagnoseWith(name, value)).toContain(words);
	});
});
