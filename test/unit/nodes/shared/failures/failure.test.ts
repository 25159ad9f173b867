import { ERROR_CATALOGUE, type ErrorCode } from '../../../../../nodes/shared/retry/errors';
import {
	ApiFailure,
	explainFailure,
	type FailedRequest,
} from '../../../../../nodes/shared/failures/failure';
import type { Outcome, UnclearCause } from '../../../../../nodes/shared/transport/outcome';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SAFE_UNTIL = Date.parse('2026-11-22T11:30:00Z');

type Failed = Exclude<Outcome, { kind: 'success' }>;

const refused = (
	code: string,
	changed: Partial<Extract<Outcome, { kind: 'refused' }>> = {},
): Failed => ({
	kind: 'refused',
	code,
	status: 400,
	message: '',
	details: undefined,
	headers: {},
	...changed,
});

const silent = (cause: UnclearCause, status: number | null = null, neverSent = false): Failed => ({
	kind: 'unclear',
	cause,
	status,
	neverSent,
});

/** A write of which nothing is unknown; tests change one aspect. */
const request = (changed: Partial<FailedRequest> = {}): FailedRequest => ({
	kind: 'keyed',
	server: 'https://api.example.com',
	scope: 'withdrawals:write',
	idempotencyKey: 'key-1',
	isUnclear: false,
	firstSentAt: SAFE_UNTIL - 24 * 60 * 60 * 1000,
	retrySafeUntil: SAFE_UNTIL,
	verificationHint: 'Withdrawal > Get Many',
	...changed,
});

const unclearRequest = () => request({ isUnclear: true });
const readRequest = request({
	kind: 'read',
	idempotencyKey: undefined,
	firstSentAt: undefined,
	retrySafeUntil: undefined,
});

const explain = (outcome: Failed, changed: FailedRequest = request()) =>
	explainFailure(outcome, changed, NOW);

describe('a refusal', () => {
	test.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])(
		'%s says what happened, what to do, and the code',
		(code) => {
			const { what, remedy, status } = ERROR_CATALOGUE[code];
			const failure = explain(refused(code, { status: status ?? 400 }));

			expect(failure).toMatchObject({
				code,
				message: what,
				httpStatus: status ?? 400,
				effect: 'none',
				idempotencyKey: 'key-1',
			});
			expect(failure.description).toContain(`[${code}, HTTP ${status ?? 400}]`);
			if (code !== 'FORBIDDEN') expect(failure.description).toContain(remedy);
			expect(failure.description).not.toMatch(/\.\.|undefined|null|\s{2}/);
		},
	);

	test('names the scope that is missing', () => {
		expect(explain(refused('FORBIDDEN', { status: 403 })).description).toContain(
			'Give the key the scope withdrawals:write ',
		);
		expect(explain(refused('FORBIDDEN'), request({ scope: null })).description).toContain(
			ERROR_CATALOGUE.FORBIDDEN.remedy,
		);
	});

	test('repeats what the server said, with the fields that it named', () => {
		const failure = explain(
			refused('VALIDATION_ERROR', {
				message: 'Validation failed',
				details: { amount: 'must be at least 10', destination: { pixKey: ['missing'] } },
			}),
		);

		expect(failure.description).toBe(
			'Correct the fields named here. Then run a new execution with only this item. ' +
				'The server said: Validation failed; amount: must be at least 10; ' +
				'destination: {"pixKey":["missing"]}. [VALIDATION_ERROR, HTTP 400]',
		);
	});

	test('cuts off what the server said where it is endless', () => {
		const failure = explain(refused('VALIDATION_ERROR', { message: 'x'.repeat(10_000) }));

		expect(failure.description.length).toBeLessThan(700);
	});

	test('with a code that the API does not name says so and names it', () => {
		const failure = explain(refused('SOMETHING_NEW', { status: 418, message: 'Teapot' }));

		expect(failure).toMatchObject({
			code: 'SOMETHING_NEW',
			message: 'The server refused the request',
			httpStatus: 418,
			retryable: false,
		});
		expect(failure.description).toContain('not documented');
		expect(failure.description).toContain('The server said: Teapot. [SOMETHING_NEW, HTTP 418]');
	});

	test('that asks to come back in an hour says when', () => {
		const headers = { 'retry-after': '3600' };
		const failure = explain(refused('RATE_LIMIT_EXCEEDED', { status: 429, headers }));

		expect(failure.description).toContain('wait until 2026-11-21T13:00:00.000Z');
		expect(failure.retryable).toBe(true);
	});

	test('that a short wait did not solve keeps its usual remedy', () => {
		const headers = { 'retry-after': '7' };

		expect(explain(refused('RATE_LIMIT_EXCEEDED', { headers })).description).toContain(
			ERROR_CATALOGUE.RATE_LIMIT_EXCEEDED.remedy,
		);
	});

	test.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])(
		'%s tells whether a retry can help',
		(code) => {
			const { status, retry } = ERROR_CATALOGUE[code];

			expect(explain(refused(code, { status: status ?? 400 })).retryable).toBe(
				retry === 'sameKey' || retry === 'wait',
			);
		},
	);
});

describe('an answer that the server keeps under the key', () => {
	const unavailable = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', { status: 503 });

	test('sends somebody with a key of their own to another key', () => {
		expect(
			explain(unavailable, request({ isReplay: true, hasOwnKey: true })).description,
		).toContain(
			'keeps this answer under your Idempotency Key for 24 hours. It is safe to send this item, and no other, under another key, for example with -2 at the end.',
		);
		expect(explain(unavailable).description).toContain(
			'Later, run a new execution with only this item; that is safe.',
		);
	});

	describe('for a boleto that was refused twice in the same way', () => {
		const refusal = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', { status: 502 });
		const boleto = (changed: Partial<FailedRequest> = {}) =>
			explain(refusal, request({ kind: 'boletoCreation', isReplay: true, ...changed }));

		test('is not to be met again by a retry', () => {
			expect(boleto().description).toContain(
				'Later, run a new execution with only this item; that is safe.',
			);
			expect(boleto().retryable).toBe(false);
		});

		test('sends somebody with a key of their own to another key', () => {
			expect(boleto({ hasOwnKey: true }).description).toContain('with -2 at the end');
		});

		test.each<[string, Partial<FailedRequest>]>([
			['was seen once', { isReplay: false }],
			['was given to PIX or a card', { kind: 'keyed' }],
		])('is not taken for one that %s', (_, changed) => {
			expect(boleto(changed).description).toContain('Retry this execution in a few minutes.');
			expect(boleto(changed).retryable).toBe(true);
		});
	});
});

describe('silence', () => {
	test.each<[UnclearCause, string, boolean]>([
		['timeout', 'TIMEOUT', true],
		['unreachable', 'UNREACHABLE', true],
		['connectionLost', 'CONNECTION_LOST', true],
		['certificate', 'CERTIFICATE_REJECTED', false],
		['cancelled', 'CANCELLED', false],
		['malformed', 'UNEXPECTED_ANSWER', true],
		['redirect', 'REDIRECTED', false],
	])('%s is explained as %s', (cause, code, retryable) => {
		const failure = explain(silent(cause), readRequest);

		expect(failure).toMatchObject({ code, httpStatus: null, retryable, effect: 'none' });
		expect(failure.message).toMatch(/^The .*[a-z]$/);
		expect(failure.description).toMatch(/\. \[/);
		expect(failure.description).toContain(`[${code}, https://api.example.com]`);
		expect(failure).not.toHaveProperty('idempotencyKey');
	});

	test('of a gateway carries its status', () => {
		expect(explain(silent('gateway', 502), readRequest)).toMatchObject({
			code: 'GATEWAY_ERROR',
			httpStatus: 502,
			retryable: true,
		});
		expect(explain(silent('gateway', 403), readRequest).retryable).toBe(false);
	});

	test('of a gateway that asks to come back in an hour says when', () => {
		const page = { ...silent('gateway', 503), headers: { 'retry-after': '3600' } } as Failed;

		expect(explain(page, readRequest).description).toContain('until 2026-11-21T13:00:00.000Z');
	});

	test('says that nothing was sent only where that is sure', () => {
		expect(explain(silent('unreachable', null, true)).description).toMatch(/^Nothing was sent\. /);
		expect(explain(silent('timeout'), readRequest).description).not.toContain('Nothing was sent');
	});
});

test('what this n8n blocks names the reason and the address', () => {
	const failure = explain({ kind: 'blocked', reason: 'Blocked by SSRF protection' });

	expect(failure).toMatchObject({ code: 'BLOCKED_BY_N8N', httpStatus: null, retryable: false });
	expect(failure.description).toBe(
		'Blocked by SSRF protection. Nothing was sent. Ask the administrator of this n8n to allow https://api.example.com.',
	);
});

describe('a write of which nobody knows whether it took effect', () => {
	const outcomes: Array<[string, Failed]> = [
		...(
			['timeout', 'connectionLost', 'malformed', 'redirect', 'cancelled', 'gateway'] as const
		).map((cause): [string, Failed] => [cause, silent(cause, cause === 'gateway' ? 502 : null)]),
		['unreachable', silent('unreachable', null, true)],
		['certificate', silent('certificate', null, true)],
		['blocked', { kind: 'blocked', reason: 'Blocked by SSRF protection' }],
		...Object.keys(ERROR_CATALOGUE)
			.filter((code) => code !== 'IDEMPOTENCY_PAYLOAD_MISMATCH')
			.map((code): [string, Failed] => [code, refused(code, { status: 503 })]),
	];

	test.each(outcomes)('%s says so, how to find out, and what not to do', (_name, outcome) => {
		const failure = explain(outcome, unclearRequest());

		expect(failure.effect).toBe('unknown');
		expect(failure.message).toMatch(/^It is not known whether this took effect: [a-z]/);
		expect(failure.description).toContain(
			outcome.kind === 'unclear' && outcome.cause === 'cancelled'
				? 'In a new one send this item alone with that key in Options > Idempotency Key before 2026-11-22T11:30:00.000Z: it asks again under the same idempotency key and cannot take effect twice.'
				: 'Retry this execution in the list Executions before 2026-11-22T11:30:00.000Z: it asks again under the same idempotency key and cannot take effect twice.',
		);
		expect(failure.description).toContain(
			'To check it yourself, use Withdrawal > Get Many. It was first sent on 2026-11-21T11:30:00.000Z. Do not repeat it under another key before that.',
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
		['ALREADY_REFUNDED', 'Most likely it is this very refund that was made.'],
		['REFUND_IN_PROGRESS', 'Most likely it is this very refund that is being processed.'],
		['INVALID_STATUS', 'It may be this very refund that changed the status.'],
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
			/^n8n keeps nothing of an execution that was stopped, and offers no Retry for it\. /,
		);
		expect(description).not.toContain('Retry this execution');
	});

	test('says of the own key that its 24 hours may have begun earlier', () => {
		const words = 'If this key was used in an earlier execution, the 24 hours began there.';

		expect(explain(silent('timeout'), unclearRequest()).description).not.toContain(words);
		expect(
			explain(silent('timeout'), request({ isUnclear: true, hasOwnKey: true })).description,
		).toContain(words);
	});

	test('names no moment where none is known', () => {
		const failure = explain(
			silent('timeout'),
			request({
				isUnclear: true,
				firstSentAt: undefined,
				retrySafeUntil: undefined,
			}),
		);

		expect(failure.description).toContain('Retry this execution in the list Executions: it asks');
		expect(failure.description).not.toContain('first sent');
		expect(failure).not.toHaveProperty('retrySafeUntil');
	});

	test.each<[string, Failed]>([
		['the answer was lost', silent('timeout')],
		['the execution was stopped', silent('cancelled')],
	])('is asked for by its reference where %s', (_, outcome) => {
		const { description } = explain(outcome, request({ isUnclear: true, reference: 'NF-1042' }));

		expect(description).toContain(
			'Run the workflow again: the reference is recognized, and paid once. To check it yourself,',
		);
		expect(description).not.toMatch(/in Options > Idempotency Key|Retry this execution/);
	});

	test('of other content than before must be looked up: a retry would only meet the same answer', () => {
		const failure = explain(refused('IDEMPOTENCY_PAYLOAD_MISMATCH'), unclearRequest());

		expect(failure).toMatchObject({
			message: ERROR_CATALOGUE.IDEMPOTENCY_PAYLOAD_MISMATCH.what,
			effect: 'unknown',
			retryable: false,
		});
		expect(failure.description).toContain('look for it before you do anything');
		expect(failure.description).not.toContain('Retry this execution');
	});

	test('is one with a key: a read takes no effect', () => {
		const unclearRead = { ...readRequest, isUnclear: true };

		expect(explain(silent('timeout'), unclearRead).effect).toBe('none');
	});
});

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

test('ApiFailure carries the failure and shows its message', () => {
	const failure = explain(refused('NOT_FOUND', { status: 404 }));
	const error = new ApiFailure(failure);

	expect(error).toBeInstanceOf(Error);
	expect(error.message).toBe(failure.message);
	expect(error.failure).toBe(failure);
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
