import type { FailedRequest } from '../../../../../nodes/shared/failures/explainFailure';
import { joinParts } from '../../../../../nodes/shared/failures/failure';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import type { FailedOutcome } from '../../../../../nodes/shared/transport/outcome';
import { explain, refused, request, silent } from '../../../support/failedRequest';

test.each<[string, FailedRequest]>([
	['refused', request({ reference: 'NF-1042' })],
	['in doubt', request({ reference: 'NF-1042', isUnclear: true })],
])('an order that is %s shows its reference, and when it was first sent', (_, given) => {
	const failure = explain(refused('INVALID_PIX_KEY'), given);

	expect(failure.reference).toBe('NF-1042');
	expect(failure.firstSentAt).toBe('2026-11-21T11:30:00.000Z');
});

test('what was never sent shows neither reference nor first sending', () => {
	const failure = explain(refused('INVALID_PIX_KEY'), request({ firstSentAt: undefined }));

	expect(failure).not.toHaveProperty('reference');
	expect(failure).not.toHaveProperty('firstSentAt');
});

test.each<[string, FailedOutcome, FailedRequest]>([
	['refused', refused('INSUFFICIENT_BALANCE', { message: 'Too low' }), request()],
	['in doubt', refused('INTERNAL_ERROR', { message: 'Oops' }), request({ isUnclear: true })],
	['lost', silent('timeout'), request({ isUnclear: true })],
	['changed', refused('IDEMPOTENCY_PAYLOAD_MISMATCH'), request({ isUnclear: true })],
])('the description of what was %s is its parts, joined', (_, outcome, given) => {
	const { description, parts } = explain(outcome, given);

	expect(joinParts(parts!)).toBe(description);
});

test('what to do, how to do it again and the words of the server are apart', () => {
	const { parts } = explain(refused('INSUFFICIENT_BALANCE', { message: 'Too low' }));

	expect(parts).toEqual({
		remedy: ERROR_CATALOGUE.INSUFFICIENT_BALANCE.remedy,
		again: ERROR_CATALOGUE.INSUFFICIENT_BALANCE.again,
		reason: 'The server said: Too low. [INSUFFICIENT_BALANCE, HTTP 400]',
		serverSaid: 'Too low.',
	});
});

test('how to find out is apart from what to do', () => {
	const { parts } = explain(silent('timeout'), request({ isUnclear: true }));

	expect(parts?.again).toMatch(/^Retry this execution in the list Executions/);
	expect(parts?.howToCheck).toMatch(/^To check it yourself/);
	expect(parts).not.toHaveProperty('serverSaid');
});

test('an effect that is known promises no time', () => {
	expect(explain(refused('INVALID_PIX_KEY'))).not.toHaveProperty('retrySafeUntil');
});

describe('a write that may be repeated without harm', () => {
	const repeatable = request({
		kind: 'repeatable',
		idempotencyKey: undefined,
		retrySafeUntil: undefined,
	});

	test('is not called one without effect when its response was lost', () => {
		const failure = explain(silent('connectionLost'), repeatable);

		expect(failure.effect).toBe('unknown');
		expect(failure.description).toContain('repeating it does no harm');
	});

	test('is without effect when the server refused it', () => {
		const failure = explain(refused('NOT_FOUND', { status: 404 }), repeatable);

		expect(failure.effect).toBe('none');
		expect(failure.description).not.toContain('no harm');
	});
});
