import {
	ACCEPTED,
	answerToUnverified,
	FOREIGN_SIGNATURE,
	IN_FLIGHT,
	notADelivery,
	OWN_TROUBLE,
} from '../../../../nodes/BrlPaymentsTrigger/answers';

test('what the sender is to send again has a status that it retries, the rest has one that ends it', () => {
	const retried = (status: number) => status >= 500 || status === 408 || status === 429;

	for (const { status } of [IN_FLIGHT, OWN_TROUBLE, FOREIGN_SIGNATURE]) {
		expect(retried(status)).toBe(true);
	}
	expect(notADelivery('The body is not a JSON object').status).toBe(401);
	expect(ACCEPTED.status).toBe(200);
});

test.each(['X-Webhook-Signature', 'X-Webhook-Timestamp'] as const)('%s', (header) => {
	expect(answerToUnverified({ result: 'missing', header }, 503)).toEqual({
		status: 401,
		reason: `The header ${header} is missing. The request does not come from the payment service, or a proxy removed the header.`,
	});
	expect(answerToUnverified({ result: 'malformed', header }, 503)).toEqual({
		status: 401,
		reason: expect.stringContaining(`The header ${header} is malformed.`),
	});
});

test.each([
	[300_001, '300 seconds in the past'],
	[-300_001, '300 seconds in the future'],
	[86_400_000, '86400 seconds in the past'],
])('stale by %i ms: %s, and that the clock may be off', (differenceMs, text) => {
	const { status, reason } = answerToUnverified({ result: 'stale', differenceMs }, 503);
	expect(status).toBe(401);
	expect(reason).toContain(text);
	expect(reason).toMatch(/the clock of this n8n is off by \d+ seconds/);
});

test.each([401, 503] as const)('a mismatch is answered as chosen: %i', (status) => {
	expect(answerToUnverified({ result: 'mismatch' }, status)).toEqual({
		status,
		reason: expect.stringMatching(/secret belongs to another endpoint or was rotated.*proxy/),
	});
});
