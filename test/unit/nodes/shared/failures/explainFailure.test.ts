import type { FailedRequest } from '../../../../../nodes/shared/failures/explainFailure';
import { joinParts } from '../../../../../nodes/shared/failures/failure';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import type { FailedOutcome, UnclearCause } from '../../../../../nodes/shared/transport/outcome';
import { explain, readRequest, refused, request, silent } from '../../../support/failedRequest';

const UNCLEAR = request({}, { isUnclear: true });
const LATER = { 'retry-after': '3600' };
const NOT_YET = 'until 2026-11-21 10:00 (Brasília time)';
const SAME_KEY =
	'that repeats the request under the same idempotency key and cannot take effect twice.';

const BOLETO = request({ kind: 'boletoCreation' });

type Given = [outcome: FailedOutcome, request?: FailedRequest, isReplay?: boolean];

// What each code of the service says: test/engine/errors/catalogue.test.ts.
describe('a refusal', () => {
	test('repeats what the server said, with the fields that it named', () => {
		const details = { amount: 'must be at least 10', destination: { pixKey: ['missing'] } };
		const failure = explain(refused('VALIDATION_ERROR', { message: 'Validation failed', details }));

		expect(failure.description).toBe(
			'Correct the fields named here. Then run a new execution with only this item. ' +
				'The server said: Validation failed; amount: must be at least 10; ' +
				'destination: {"pixKey":["missing"]}. [VALIDATION_ERROR, HTTP 400]',
		);
		expect(failure).not.toHaveProperty('retrySafeUntil');
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

	const unavailable = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', { status: 503 });
	const limited = (seconds: string) =>
		refused('RATE_LIMIT_EXCEEDED', { headers: { 'retry-after': seconds } });

	test.each<[string, Given, string]>([
		[
			'for want of a scope that nobody knows',
			[refused('FORBIDDEN'), request({ scope: null })],
			ERROR_CATALOGUE.FORBIDDEN.remedy,
		],
		['of an ID', [refused('NOT_FOUND')], 'Check the ID'],
		[
			'at the address that creates things',
			[refused('NOT_FOUND'), request({ namesNoRecord: true })],
			"Check the 'Base URL' in the credential",
		],
		...(
			[
				'INVALID_RECIPIENT_DOCUMENT',
				'WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH',
				'WITHDRAWAL_PIX_KEY_BLOCKED',
			] as const
		).flatMap((code): Array<[string, Given, string]> => [
			[
				`with ${code}, of the document that was sent`,
				[refused(code)],
				ERROR_CATALOGUE[code].remedy,
			],
			[
				`with ${code}, where none was sent`,
				[refused(code), request({ namesNoDocument: true })],
				"Fill in 'Recipient Document'",
			],
		]),
		[
			'of all requests for five minutes',
			[limited('7'), request({ isLimitedForLong: true })],
			'The service accepted no request of this run for five minutes.',
		],
		['that asks to retry in an hour', [limited('3600')], `The server asks to wait ${NOT_YET}`],
		['that asks for a short wait', [limited('7')], ERROR_CATALOGUE.RATE_LIMIT_EXCEEDED.remedy],
		[
			'that the server keeps under a key of the user',
			[unavailable, request({}, { hasOwnKey: true }), true],
			"repeats this response for your 'Idempotency Key' for 24 hours. It is safe to send this item, and only this item, with another key, for example with -2 at the end.",
		],
		[
			'that the server keeps under a key of this node',
			[unavailable],
			'Wait until a provider is available again. Then retry this execution, or run a new one',
		],
	])('%s says what to do', (_, given, remedy) => {
		expect(explain(...given).description).toContain(remedy);
	});

	test.each<[string, FailedRequest, boolean, string, boolean]>([
		[
			'of a boleto',
			BOLETO,
			true,
			'Later, run a new execution with only this item; that is safe',
			false,
		],
		[
			'of a boleto, under an own key',
			request({ kind: 'boletoCreation' }, { hasOwnKey: true }),
			true,
			'with -2 at the end',
			false,
		],
		['of a boleto, seen once', BOLETO, false, 'Retry this execution in a few minutes.', true],
		['of PIX or a card', request(), true, 'Retry this execution in a few minutes.', true],
	])('%s, repeated: retryable only if a retry can help', (_, given, isReplay, says, retryable) => {
		const failure = explain(refused('PROVIDER_TEMPORARILY_UNAVAILABLE'), given, isReplay);

		expect(failure.description).toContain(says);
		expect(failure.retryable).toBe(retryable);
	});
});

describe('no response', () => {
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

	test.each([
		[502, true],
		[403, false],
	])('of a gateway carries its status %i, and can be retried: %o', (httpStatus, retryable) => {
		const failure = explain(silent('gateway', httpStatus), readRequest);
		expect(failure).toMatchObject({ code: 'GATEWAY_ERROR', httpStatus, retryable });
	});

	test('of a gateway that asks to retry in an hour says when', () => {
		const page = { ...silent('gateway', 503), headers: LATER } as FailedOutcome;
		expect(explain(page, readRequest).description).toContain(NOT_YET);
	});

	test('says that nothing was sent only where that is sure', () => {
		expect(explain(silent('unreachable', null, true)).description).toMatch(/^Nothing was sent\. /);
		expect(explain(silent('timeout'), readRequest).description).not.toContain('Nothing was sent');
	});

	test('because this n8n blocks it names the reason and the address', () => {
		const failure = explain({ kind: 'blocked', reason: 'Blocked by SSRF protection' });

		expect(failure).toMatchObject({ code: 'BLOCKED_BY_N8N', httpStatus: null, retryable: false });
		expect(failure.description).toBe(
			'Blocked by SSRF protection. Nothing was sent. Ask the administrator of this n8n to allow https://api.example.com.',
		);
	});
});

describe('a write whose effect is unknown', () => {
	const CAUSES = ['timeout', 'connectionLost', 'malformed', 'redirect'] as const;
	const OUTCOMES: Array<[string, FailedOutcome]> = [
		...CAUSES.map((cause): [string, FailedOutcome] => [cause, silent(cause)]),
		['gateway', silent('gateway', 502)],
		['unreachable', silent('unreachable', null, true)],
		['certificate', silent('certificate', null, true)],
		['blocked', { kind: 'blocked', reason: 'Blocked by SSRF protection' }],
		...Object.keys(ERROR_CATALOGUE)
			.filter((code) => code !== 'IDEMPOTENCY_PAYLOAD_MISMATCH')
			.map((code): [string, FailedOutcome] => [code, refused(code, { status: 503 })]),
	];

	test.each(OUTCOMES)('%s says so, how to find out, and what not to do', (_name, outcome) => {
		const failure = explain(outcome, UNCLEAR);

		expect(failure).toMatchObject({
			effect: 'unknown',
			idempotencyKey: 'key-1',
			retrySafeUntil: '2026-11-22T11:30:00.000Z',
		});
		expect(failure.message).toMatch(/^It is not known whether this took effect: [a-z]/);
		expect(failure.description).toContain(
			`Retry this execution in the list Executions before 2026-11-22 08:30 (Brasília time): ${SAME_KEY}`,
		);
		expect(failure.description).toContain(
			'To check it yourself, use Withdrawal > Get Many. Do not repeat it under another key until you have checked.',
		);
		expect(failure.description).not.toMatch(/Nothing was sent|that is safe|undefined|null/);
	});

	test('is offered no retry if the execution was stopped: n8n has none', () => {
		const failure = explain(silent('cancelled'), UNCLEAR);

		expect(failure.effect).toBe('unknown');
		expect(failure.description).toContain(
			`n8n keeps no data of a stopped execution and offers no Retry for it. In a new one send only this item with that key in 'Options > Idempotency Key' before 2026-11-22 08:30 (Brasília time): ${SAME_KEY}`,
		);
		expect(failure.description).not.toContain('Retry this execution');
	});

	test('says what the earlier attempt has most likely done, not what to do about the refusal', () => {
		const failure = explain(refused('ALREADY_REFUNDED'), UNCLEAR);

		expect(failure.description).toContain('Most likely, this same refund has been made.');
		expect(failure.description).not.toContain(ERROR_CATALOGUE.ALREADY_REFUNDED.remedy);
	});

	test('keeps the remedy of what a retry alone does not solve', () => {
		expect(explain(refused('INVALID_API_KEY'), UNCLEAR).description).toContain(
			ERROR_CATALOGUE.INVALID_API_KEY.remedy,
		);
	});

	test('says of the own key that its 24 hours may have begun earlier', () => {
		const own = request({}, { isUnclear: true, hasOwnKey: true });
		const words = 'If this key was used in an earlier execution, the 24 hours began there.';

		expect(explain(silent('timeout'), own).description).toContain(words);
		expect(explain(silent('timeout'), UNCLEAR).description).not.toContain(words);
	});

	test('names no time if none is known', () => {
		const given = request({}, { isUnclear: true, retrySafeUntil: undefined });
		const failure = explain(silent('timeout'), given);

		expect(failure.description).toContain('in the list Executions: that repeats');
		expect(failure).not.toHaveProperty('retrySafeUntil');
	});

	test.each(['timeout', 'cancelled'] as const)('is asked for by its reference: %s', (cause) => {
		const again = 'Run the workflow again: the reference is recognized, and paid once.';
		const given = request({}, { isUnclear: true, reference: 'NF-1042', again });
		const { description } = explain(silent(cause), given);

		expect(description).toContain(`${again} To check it yourself,`);
		expect(description).not.toMatch(/in 'Options > Idempotency Key'|Retry this execution/);
	});

	// n8n offers no Retry for what was stopped, and no reference would recognize it.
	test.each([
		['timeout', 'Retry it: it is recognized.'],
		['cancelled', 'A new one sends this as a new order: check first'],
	] as const)('is asked for by its automatic name, if it can be: %s', (cause, says) => {
		const given = request({}, { isUnclear: true, again: 'Retry it: it is recognized.' });
		const { description } = explain(silent(cause), given);

		expect(description).toContain(says);
		expect(description.includes('Retry it')).toBe(cause === 'timeout');
		expect(description).toContain('To check it yourself, use Withdrawal > Get Many.');
	});

	test('of other content than before: only the earlier content shows its outcome', () => {
		const failure = explain(refused('IDEMPOTENCY_PAYLOAD_MISMATCH'), UNCLEAR);

		expect(failure).toMatchObject({
			message: ERROR_CATALOGUE.IDEMPOTENCY_PAYLOAD_MISMATCH.what,
			effect: 'unknown',
			retryable: false,
		});
		expect(failure.description).toContain('Restore the earlier values and retry');
		expect(failure.description).not.toContain('Retry this execution');
	});
});

test.each<[FailedOutcome, string, boolean]>([
	[silent('connectionLost'), 'unknown', true],
	[refused('NOT_FOUND', { status: 404 }), 'none', false],
])('a write that may be repeated without harm, after %o: %s', (outcome, effect, isHarmless) => {
	const failure = explain(outcome, request({ kind: 'repeatable', order: undefined }));

	expect(failure.effect).toBe(effect);
	expect(failure.description.includes('repeating it does no harm')).toBe(isHarmless);
});

test('an order shows its reference, and when it was first sent, if it was', () => {
	const given = request({}, { reference: 'NF-1042' });
	expect(explain(refused('INVALID_PIX_KEY'), given)).toMatchObject({
		reference: 'NF-1042',
		firstSentAt: '2026-11-21T11:30:00.000Z',
	});

	const neverSent = explain(refused('INVALID_PIX_KEY'), request({}, { firstUsedAt: undefined }));
	expect(neverSent).not.toHaveProperty('reference');
	expect(neverSent).not.toHaveProperty('firstSentAt');
});

describe('the parts of a description', () => {
	test('are what to do, how to do it again, and the words of the server', () => {
		const { parts, description } = explain(refused('INSUFFICIENT_BALANCE', { message: 'Too low' }));

		expect(parts).toEqual({
			remedy: ERROR_CATALOGUE.INSUFFICIENT_BALANCE.remedy,
			again: ERROR_CATALOGUE.INSUFFICIENT_BALANCE.again,
			reason: 'The server said: Too low. [INSUFFICIENT_BALANCE, HTTP 400]',
			serverSaid: 'Too low.',
		});
		expect(joinParts(parts!)).toBe(description);
	});

	test('have how to find out apart from what to do', () => {
		const { parts, description } = explain(silent('timeout'), UNCLEAR);

		expect(parts?.again).toMatch(/^Retry this execution in the list Executions/);
		expect(parts?.howToCheck).toMatch(/^To check it yourself/);
		expect(parts).not.toHaveProperty('serverSaid');
		expect(joinParts(parts!)).toBe(description);
	});
});
