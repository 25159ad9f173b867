import {
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	INTERNAL_ERROR,
	notADelivery,
	TOO_LARGE,
	unsigned,
} from '../../../../nodes/BrlPaymentsTrigger/answers';

// The sender gives up for good on a 4xx other than 408 and 429.
test.each([IN_FLIGHT, INTERNAL_ERROR, FOREIGN_SIGNATURE, TOO_LARGE, notADelivery('It is none')])(
	'the sender is to send it again: $reason',
	({ status, reason }) => {
		expect(status).toBe(503);
		expect(reason).toMatch(/^[A-Z].*\.$/);
	},
);

test('what is not signed is refused for good', () => {
	const reason = expect.stringMatching(/^The header X-Webhook-Timestamp is missing\..*proxy/);
	expect(unsigned('X-Webhook-Timestamp')).toEqual({ status: 401, reason });
});

test.each<[Parameters<typeof answerToUnverified>[0], number, RegExp]>([
	[{ result: 'malformed' }, 503, /X-Webhook-Timestamp is malformed/],
	[
		{ result: 'mismatch', tried: '1 of your secrets' },
		503,
		/another endpoint or was rotated.*proxy.*Secret Encoding.*Tried: 1 of your secrets/,
	],
	[
		{ result: 'stale', differenceMs: 300_001 },
		503,
		/genuine.*300 seconds in the past.* off by 300 s.*Options > Replay Window.*and Polling\.$/,
	],
	[
		{ result: 'stale', differenceMs: -300_001 },
		503,
		/genuine.*300 seconds in the future.* off by 300 s.*\(NTP\)\.$/,
	],
])('%o: %i', (verification, status, reason) => {
	const answer = answerToUnverified(verification);
	expect(answer).toEqual({ status, reason: expect.stringMatching(reason) });
});
