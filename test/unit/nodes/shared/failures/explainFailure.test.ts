import type { FailedRequest, SentKey } from '../../../../../nodes/shared/failures/explainFailure';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import type { FailedOutcome, UnclearCause } from '../../../../../nodes/shared/transport/outcome';
import { explain, readRequest, refused, request, silent } from '../../../support/failedRequest';

const UNCLEAR = request({}, { isUnclear: true });
const SAME_KEY =
	'that repeats the request under the same idempotency key and cannot take effect twice.';

const BOLETO = request({ kind: 'boletoCreation' });
const OWN_BOLETO = request({ kind: 'boletoCreation' }, { hasOwnKey: true });

// What each code of the service says, and codes that it does not name: test/engine/errors/catalogue.test.ts.
describe('a refusal', () => {
	const MISSING = 'destination: {"pixKey":["missing"]}';
	test('repeats what the server said, with the fields that it named', () => {
		const details = { amount: 'must be at least 10', destination: { pixKey: ['missing'] } };
		const failure = explain(refused('VALIDATION_ERROR', { message: 'Failed', details }));

		expect(failure.description).toBe(
			`${ERROR_CATALOGUE.VALIDATION_ERROR.remedy} Then run a new execution with only the items that remain. The server said: Failed; amount: must be at least 10; ${MISSING}. [VALIDATION_ERROR, HTTP 400]`,
		);
		expect(failure).not.toHaveProperty('retrySafeUntil');
	});

	const ALONE = 'Later, run a new execution with only the items that remain; that is safe';
	const SOON = 'Retry this execution in a few minutes.';
	test.each<[string, FailedRequest, boolean, string, boolean]>([
		['of a boleto', BOLETO, true, ALONE, false],
		['of a boleto, under an own key', OWN_BOLETO, true, 'with -2 at the end', false],
		['of a boleto, seen once', BOLETO, false, SOON, true],
		['of PIX or a card', request(), true, SOON, true],
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
			`Retry this execution in the list Executions before 2026-11-22 08:30 (Brasília time), with this node unchanged: ${SAME_KEY}`,
		);
		expect(failure.description).toContain(
			'To check it yourself, use Withdrawal > Get Many. Do not change this node, or repeat it under another key, until you have checked.',
		);
		expect(failure.description).not.toMatch(/Nothing was sent|that is safe|undefined|null/);
	});

	const BEFORE = 'before 2026-11-22 08:30 (Brasília time)';
	const AGAIN = 'Run the workflow again: the reference is recognized, and paid once.';
	const RETRY = /Retry this execution/;
	const REFERENCE = { reference: 'NF-1042', again: AGAIN };
	const NAMELESS = { again: 'Retry it: it is recognized.' };
	const NO_TIME = { retrySafeUntil: undefined };
	const [TIMEOUT, STOPPED] = [silent('timeout'), silent('cancelled')];

	test.each<[string, FailedOutcome, Partial<SentKey>, string, RegExp?]>([
		[
			'was stopped: n8n offers no retry',
			...([STOPPED, {}] as const),
			`In a new one send only this item with that key in 'Options > Idempotency Key' ${BEFORE}: ${SAME_KEY}`,
			RETRY,
		],
		[
			'has an own key, whose 24 hours may have begun earlier',
			...([TIMEOUT, { hasOwnKey: true }] as const),
			'If this key was used in an earlier execution, the 24 hours began there.',
		],
		[
			'has no known time',
			TIMEOUT,
			NO_TIME,
			'Executions, with this node unchanged: that repeats',
			/first sent/,
		],
		['has a reference', TIMEOUT, REFERENCE, `${AGAIN} To check it yourself,`, RETRY],
		['has a reference, and was stopped', STOPPED, REFERENCE, AGAIN, /Idempotency Key'/],
		// n8n offers no Retry for what was stopped, and no reference would recognize it.
		[
			'has an automatic name, and was stopped',
			...([STOPPED, NAMELESS] as const),
			'A new one sends this as a new order: check first',
			/Retry it/,
		],
		// What the earlier attempt has most likely done, not what to do about the refusal.
		[
			'was refused as a repetition',
			...([refused('ALREADY_REFUNDED'), {}] as const),
			'Most likely, this same refund has been made.',
		],
		// A retry alone does not solve it.
		['got a web page', silent('malformed', 200), {}, "Check the 'Base URL' in the credential"],
		[
			'was refused for its API key',
			...([refused('INVALID_API_KEY'), {}] as const),
			ERROR_CATALOGUE.INVALID_API_KEY.remedy,
		],
	])('that %s says how to find out', (_, outcome, changed, says, saysNot = /undefined/) => {
		const failure = explain(outcome, request({}, { isUnclear: true, ...changed }));
		expect(failure.effect).toBe('unknown');
		expect(failure.description).toContain(says);
		expect(failure.description).not.toMatch(saysNot);
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
