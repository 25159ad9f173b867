import {
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	notADelivery,
	INTERNAL_ERROR,
	TOO_LARGE,
} from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';

// The sender gives up for good on a 4xx other than 408 and 429.
test.each([
	IN_FLIGHT,
	INTERNAL_ERROR,
	FOREIGN_SIGNATURE,
	TOO_LARGE,
	notADelivery('The body is not a JSON object'),
])('the sender is to send it again: $reason', ({ status, reason }) => {
	expect(status).toBe(503);
	expect(reason).toMatch(/^[A-Z].*\.$/);
});

test.each(['X-Webhook-Signature', 'X-Webhook-Timestamp'] as const)('%s', (header) => {
	expect(answerToUnverified({ result: 'missing', header }, 503)).toEqual({
		status: 401,
		reason: `The header ${header} is missing. The request does not come from the payment service, or a proxy removed the header.`,
	});
	for (const status of [401, 503] as const) {
		expect(answerToUnverified({ result: 'malformed', header }, status)).toEqual({
			status,
			reason: expect.stringContaining(`The header ${header} is malformed.`),
		});
	}
});

test.each([
	[300_001, '300 seconds in the past'],
	[-300_001, '300 seconds in the future'],
])('stale by %i ms: %s, and that a clock may be off, whatever is chosen', (differenceMs, text) => {
	for (const chosen of [401, 503] as const) {
		const { status, reason } = answerToUnverified({ result: 'stale', differenceMs }, chosen);
		expect(status).toBe(503);
		expect(reason).toContain(text);
		expect(reason).toMatch(/^The signature is genuine.*clock of this n8n or .* is off by \d+ s/);
	}
});

test.each([
	['a minute less than an hour', 3_540_000, /increase Options > Replay Window/],
	['an hour', 3_600_000, /increase Options > Replay Window/],
	['more than an hour', 3_601_000, /set Receive By to Webhook and Polling/],
	['the future', -400_000, /\(NTP\)\.$/],
])('what helps if a genuine delivery is stale by %s', (_, differenceMs, remedy) => {
	const { reason } = answerToUnverified({ result: 'stale', differenceMs }, 503);
	expect(reason).toMatch(remedy);
});

test.each([401, 503] as const)('a mismatch gets the chosen response: %i', (status) => {
	expect(answerToUnverified({ result: 'mismatch' }, status)).toEqual({
		status,
		reason: expect.stringMatching(/secret belongs to another endpoint or was rotated.*proxy/),
	});
});
