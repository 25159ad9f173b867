import { ERROR_CATALOGUE, type ErrorCode } from '../../../../../nodes/shared/retry/errors';
import type { FailedOutcome } from '../../../../../nodes/shared/transport/outcome';
import { explain, readRequest, refused, request, silent } from '../../../support/failedRequest';

const unclearRequest = () => request({ isUnclear: true });

describe('a write whose effect is unknown', () => {
	const outcomes: Array<[string, FailedOutcome]> = [
		...(
			['timeout', 'connectionLost', 'malformed', 'redirect', 'cancelled', 'gateway'] as const
		).map((cause): [string, FailedOutcome] => [
			cause,
			silent(cause, cause === 'gateway' ? 502 : null),
		]),
		['unreachable', silent('unreachable', null, true)],
		['certificate', silent('certificate', null, true)],
		['blocked', { kind: 'blocked', reason: 'Blocked by SSRF protection' }],
		...Object.keys(ERROR_CATALOGUE)
			.filter((code) => code !== 'IDEMPOTENCY_PAYLOAD_MISMATCH')
			.map((code): [string, FailedOutcome] => [code, refused(code, { status: 503 })]),
	];

	test.each(outcomes)('%s says so, how to find out, and what not to do', (_name, outcome) => {
		const failure = explain(outcome, unclearRequest());

		expect(failure.effect).toBe('unknown');
		expect(failure.message).toMatch(/^It is not known whether this took effect: [a-z]/);
		expect(failure.description).toContain(
			outcome.kind === 'unclear' && outcome.cause === 'cancelled'
				? 'In a new one send only this item with that key in Options > Idempotency Key before 2026-11-22 08:30 (Brasília time): that repeats the request under the same idempotency key and cannot take effect twice.'
				: 'Retry this execution in the list Executions before 2026-11-22 08:30 (Brasília time): that repeats the request under the same idempotency key and cannot take effect twice.',
		);
		expect(failure.description).toContain(
			'To check it yourself, use Withdrawal > Get Many. It was first sent on 2026-11-21 08:30 (Brasília time). Do not repeat it under another key until you have checked.',
		);
		expect(failure.description).not.toMatch(/Nothing was sent|that is safe|undefined|null/);
		expect(failure.idempotencyKey).toBe('key-1');
		expect(failure.retrySafeUntil).toBe('2026-11-22T11:30:00.000Z');
	});

	test('keeps the remedy of what a retry alone does not solve', () => {
		expect(explain(refused('INVALID_API_KEY'), unclearRequest()).description).toContain(
			ERROR_CATALOGUE.INVALID_API_KEY.remedy,
		);
	});

	test.each([
		['ALREADY_REFUNDED', 'Most likely, this same refund has been made.'],
		['REFUND_IN_PROGRESS', 'Most likely, this same refund is being processed.'],
		['INVALID_STATUS', 'This refund itself may have changed the status.'],
	])('that %s says what the earlier attempt has most likely done', (code, words) => {
		const { remedy } = ERROR_CATALOGUE[code as ErrorCode];
		const unclear = explain(refused(code), unclearRequest()).description;

		expect(unclear).toContain(words);
		expect(unclear).not.toContain(remedy);
		expect(explain(refused(code)).description).not.toContain(words);
	});

	test('is offered no retry where n8n has none', () => {
		const { description } = explain(silent('cancelled'), unclearRequest());

		expect(description).toMatch(
			/^n8n keeps no data of a stopped execution and offers no Retry for it\. /,
		);
		expect(description).not.toContain('Retry this execution');
	});

	test('is to be sent again where the node continues after errors: Retry would not come to it', () => {
		const { description } = explain(
			silent('timeout'),
			request({ isUnclear: true, isContinued: true }),
		);

		expect(description).toContain(
			'Send this item to the node again before 2026-11-22 08:30 (Brasília time), for example by connecting the error output to its input: that repeats the request under the same idempotency key and cannot take effect twice.',
		);
		expect(description).toContain('A retry of this execution does not come to this node again');
		expect(description).not.toContain('Retry this execution');
	});

	test('says of the own key that its 24 hours may have begun earlier', () => {
		const words = 'If this key was used in an earlier execution, the 24 hours began there.';

		expect(explain(silent('timeout'), unclearRequest()).description).not.toContain(words);
		expect(
			explain(silent('timeout'), request({ isUnclear: true, hasOwnKey: true })).description,
		).toContain(words);
	});

	test('names no time where none is known', () => {
		const failure = explain(
			silent('timeout'),
			request({
				isUnclear: true,
				firstSentAt: undefined,
				retrySafeUntil: undefined,
			}),
		);

		expect(failure.description).toContain(
			'Retry this execution in the list Executions: that repeats',
		);
		expect(failure.description).not.toContain('first sent');
		expect(failure).not.toHaveProperty('retrySafeUntil');
	});

	test.each<[string, FailedOutcome]>([
		['the response was lost', silent('timeout')],
		['the execution was stopped', silent('cancelled')],
	])('is asked for by its reference where %s', (_, outcome) => {
		const { description } = explain(outcome, request({ isUnclear: true, reference: 'NF-1042' }));

		expect(description).toContain(
			'Run the workflow again: the reference is recognized, and paid once. To check it yourself,',
		);
		expect(description).not.toMatch(/in Options > Idempotency Key|Retry this execution/);
	});

	test('of other content than before: only the earlier content shows its outcome, a mere retry does not', () => {
		const failure = explain(refused('IDEMPOTENCY_PAYLOAD_MISMATCH'), unclearRequest());

		expect(failure).toMatchObject({
			message: ERROR_CATALOGUE.IDEMPOTENCY_PAYLOAD_MISMATCH.what,
			effect: 'unknown',
			retryable: false,
		});
		expect(failure.description).toContain('Restore the earlier values and retry');
		expect(failure.description).not.toContain('Retry this execution');
	});

	test('is one with a key: a read takes no effect', () => {
		const unclearRead = { ...readRequest, isUnclear: true };

		expect(explain(silent('timeout'), unclearRead).effect).toBe('none');
	});
});
