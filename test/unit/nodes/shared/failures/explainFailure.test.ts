import type { FailedRequest } from '../../../../../nodes/shared/failures/failedRequest';
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

test('an effect that is known promises no moment', () => {
	expect(explain(refused('INVALID_PIX_KEY'))).not.toHaveProperty('retrySafeUntil');
});

describe('a write that may be repeated without harm', () => {
	const repeatable = request({
		kind: 'repeatable',
		idempotencyKey: undefined,
		retrySafeUntil: undefined,
	});

	test('is not called one without effect when its answer was lost', () => {
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
