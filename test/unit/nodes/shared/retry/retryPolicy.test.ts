import fc from 'fast-check';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import type { Outcome, UnclearCause } from '../../../../../nodes/shared/transport/outcome';
import {
	decide,
	LONGEST_LIMITED_MS,
	MAX_CONFLICTS,
	MAX_FAILURES,
	MAX_RENEWALS,
	type Progress,
} from '../../../../../nodes/shared/retry/retryPolicy';
import { classify, type RequestKind } from '../../../../../nodes/shared/retry/verdict';
import { LONGEST_HINTED_WAIT_MS } from '../../../../../nodes/shared/retry/backoff';
import { refused as refusal, silent } from '../../../support/failedRequest';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const KINDS: RequestKind[] = ['read', 'repeatable', 'keyed', 'boletoCreation'];
const HALF = () => 0.5;

const refused = (code: string, status = 400, headers: Record<string, string> = {}) =>
	refusal(code, { status, headers });

const fresh = (kind: RequestKind, changed: Partial<Progress> = {}): Progress => ({
	kind,
	failures: 0,
	conflicts: 0,
	rateLimited: 0,
	limitedForMs: 0,
	renewals: 0,
	isUnclear: false,
	isDone: false,
	hasOwnKey: false,
	...changed,
});

/** What has happened so far, and whether the attempt before, under the same key, got the same code. */
type Past = Partial<Progress> & { isReplay?: boolean };

const after = (outcome: Outcome, kind: RequestKind, { isReplay, ...changed }: Past = {}) =>
	decide(outcome, classify(outcome, kind, isReplay), fresh(kind, changed), NOW, HALF);

const next = (outcome: Outcome, kind: RequestKind, past?: Past) => after(outcome, kind, past).next;

/** What follows each code that is retried, whatever the kind of request; others fail. */
const FOLLOWS: Record<string, string> = {
	IDEMPOTENCY_CONFLICT: 'stillProcessed',
	RATE_LIMIT_EXCEEDED: 'wait',
	PROVIDER_TEMPORARILY_UNAVAILABLE: 'sameKey',
	WITHDRAWAL_PROVIDER_UNAVAILABLE: 'sameKey',
	WITHDRAWAL_TEMPORARILY_UNAVAILABLE: 'sameKey',
	WITHDRAWAL_PROCESSING_FAILED: 'sameKey',
	INTERNAL_ERROR: 'sameKey',
	SERVICE_UNAVAILABLE: 'sameKey',
};

test.each(Object.entries(ERROR_CATALOGUE))('after %s', (code, { status }) => {
	for (const kind of KINDS) {
		expect(next(refused(code, status ?? 400), kind)).toBe(FOLLOWS[code] ?? 'fail');
	}
});

test.each([
	[400, 'fail', 'unknown'],
	[404, 'fail', 'unknown'],
	[408, 'sameKey', 'unknown'],
	[422, 'fail', 'unknown'],
	[429, 'wait', 'unknown'],
	[500, 'sameKey', 'unknown'],
	[502, 'sameKey', 'unknown'],
	[504, 'sameKey', 'unknown'],
])('status %i without a known code: %s, effect %s', (status, follows, effect) => {
	for (const kind of KINDS) {
		for (const outcome of [refused('SOMETHING_NEW', status), silent('gateway', status)]) {
			expect(next(outcome, kind)).toBe(follows);
			expect(classify(outcome, kind).effect).toBe(effect);
		}
	}
});

test.each<[UnclearCause, boolean, string, string]>([
	['timeout', false, 'sameKey', 'unknown'],
	['unreachable', true, 'sameKey', 'notReached'],
	['connectionLost', false, 'sameKey', 'unknown'],
	['malformed', false, 'sameKey', 'unknown'],
	['redirect', false, 'fail', 'unknown'],
	['certificate', true, 'fail', 'notReached'],
	['cancelled', false, 'fail', 'unknown'],
	['cancelled', true, 'fail', 'notReached'],
])('%s (never sent: %o): %s, effect %s', (cause, neverSent, follows, effect) => {
	const outcome = silent(cause, cause === 'malformed' ? 200 : null, neverSent);
	for (const kind of KINDS) {
		expect(next(outcome, kind)).toBe(follows);
		expect(classify(outcome, kind).effect).toBe(effect);
	}
});

test('a success ends it', () => {
	const outcome: Outcome = { kind: 'success', status: 200, headers: {}, body: {} };
	for (const kind of KINDS) {
		expect(next(outcome, kind)).toBe('done');
	}
});

test('what this n8n blocks is not tried again', () => {
	const outcome: Outcome = { kind: 'blocked', reason: 'not allowed' };
	for (const kind of KINDS) {
		expect(next(outcome, kind)).toBe('fail');
		expect(classify(outcome, kind).effect).toBe('notReached');
	}
});

describe('a provider that is unavailable', () => {
	const outcome = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', 502);

	test('gets a boleto under a new key once the service has repeated the stored response', () => {
		expect(next(outcome, 'boletoCreation', { isReplay: true })).toBe('newKey');
		expect(classify(outcome, 'boletoCreation', true).effect).toBe('none');
	});

	test.each<[string, RequestKind, boolean]>([
		['a boleto when it is seen for the first time', 'boletoCreation', false],
		['PIX or a card, also when it is repeated', 'keyed', true],
	])('keeps the key of %s', (_, kind, isReplay) => {
		expect(next(outcome, kind, { isReplay })).toBe('sameKey');
		expect(classify(outcome, kind, isReplay).effect).toBe('unknown');
	});
});

test('after WITHDRAWAL_PROVIDER_UNAVAILABLE, repeated under the key, another one follows', () => {
	const outcome = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503);
	// Without a key there is none to renew: the same request again.
	expect(KINDS.map((kind) => next(outcome, kind, { isReplay: true }))).toEqual([
		...['sameKey', 'sameKey', 'newKey', 'sameKey'],
	]);
	for (const kind of KINDS) expect(classify(outcome, kind, true).effect).toBe('none');
});

describe('bounds', () => {
	test('of attempts under one key', () => {
		expect(next(silent('timeout'), 'keyed', { failures: MAX_FAILURES - 2 })).toBe('sameKey');
		expect(next(silent('timeout'), 'keyed', { failures: MAX_FAILURES - 1 })).toBe('fail');
	});

	test('of keys', () => {
		const outcome = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503);

		expect(next(outcome, 'keyed', { isReplay: true, renewals: MAX_RENEWALS - 1 })).toBe('newKey');
		expect(next(outcome, 'keyed', { isReplay: true, renewals: MAX_RENEWALS })).toBe('fail');
		expect(next(outcome, 'keyed', { isReplay: true, hasOwnKey: true })).toBe('fail');
	});

	test('no other key is used for what has taken effect under the first', () => {
		const outcome = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503);

		expect(next(outcome, 'keyed', { isReplay: true, isDone: true })).toBe('fail');
		expect(next(silent('timeout'), 'keyed', { isDone: true })).toBe('sameKey');
	});

	test('of responses "still being processed", which are counted separately', () => {
		const outcome = refused('IDEMPOTENCY_CONFLICT', 409);
		const waited = (conflicts: number) => {
			const decision = after(outcome, 'keyed', { conflicts });
			return 'waitMs' in decision ? decision.waitMs : 0;
		};

		expect(next(outcome, 'keyed', { conflicts: MAX_CONFLICTS - 1 })).toBe('stillProcessed');
		expect(next(outcome, 'keyed', { conflicts: MAX_CONFLICTS })).toBe('fail');
		expect(next(outcome, 'keyed', { failures: MAX_FAILURES })).toBe('stillProcessed');
		expect(next(silent('timeout'), 'keyed', { conflicts: MAX_CONFLICTS })).toBe('sameKey');
		const waits = Array.from({ length: MAX_CONFLICTS }, (_, conflicts) => waited(conflicts));
		expect(waits.slice(0, 4)).toEqual([375, 750, 1_500, 3_000]);
		expect(Math.max(...waits)).toBe(15_000);
		expect(waits.reduce((sum, wait) => sum + wait, 0) / 60_000).toBeCloseTo(2, 0);
	});

	test('of responses "later"', () => {
		const outcome = refused('RATE_LIMIT_EXCEEDED', 429);

		expect(next(outcome, 'read', { limitedForMs: LONGEST_LIMITED_MS - 1 })).toBe('wait');
		expect(next(outcome, 'read', { limitedForMs: LONGEST_LIMITED_MS })).toBe('fail');
		expect(next(outcome, 'read', { rateLimited: 1_000 })).toBe('wait');
	});

	test('a key that is new starts with all its attempts, and a "later" uses none up', () => {
		expect(
			next(refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503), 'keyed', {
				isReplay: true,
				failures: MAX_FAILURES,
			}),
		).toBe('newKey');
		expect(next(refused('RATE_LIMIT_EXCEEDED', 429), 'keyed', { failures: MAX_FAILURES })).toBe(
			'wait',
		);
	});
});

describe('waits', () => {
	const waitAfter = (outcome: Outcome, changed: Partial<Progress> = {}) => {
		const decision = after(outcome, 'keyed', changed);
		return 'waitMs' in decision ? decision.waitMs : decision.next;
	};

	test.each([
		['sameKey', refused('INTERNAL_ERROR', 500)],
		['newKey', refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503)],
		['wait', refused('RATE_LIMIT_EXCEEDED', 429)],
	])('%s obeys what the server asks for', (_, outcome) => {
		const asked = (seconds: number) => ({ ...outcome, headers: { 'retry-after': `${seconds}` } });

		expect(waitAfter(asked(7))).toBe(7_000);
		expect(waitAfter(asked(LONGEST_HINTED_WAIT_MS / 1000))).toBe(LONGEST_HINTED_WAIT_MS);
		expect(waitAfter(asked(LONGEST_HINTED_WAIT_MS / 1000 + 1))).toBe('fail');
	});

	test('of a response with a short wait are longer once it has come thirty times', () => {
		const outcome = refused('RATE_LIMIT_EXCEEDED', 429, { 'retry-after': '1' });

		expect(waitAfter(outcome, { rateLimited: 29 })).toBe(1_000);
		expect(waitAfter(outcome, { rateLimited: 30 })).toBe(10_000);
	});

	test.each(['0', 'Sat, 21 Nov 2026 11:00:00 GMT', 'garbage 5'])(
		'%o is no reason to try again at once',
		(value) => {
			const headers = { 'retry-after': value };
			expect(waitAfter(refused('RATE_LIMIT_EXCEEDED', 429, headers))).toBe(750);
			expect(waitAfter(refused('INTERNAL_ERROR', 500, headers))).toBe(375);
		},
	);
});

test('the bounds are those that the pages promise', () => {
	expect([MAX_FAILURES, MAX_CONFLICTS, MAX_RENEWALS]).toEqual([5, 13, 4]);
	expect([LONGEST_LIMITED_MS, LONGEST_HINTED_WAIT_MS]).toEqual([300_000, 300_000]);
});

/**
 * Responses "later" in five minutes, after each of which the wait is at least as long as after the
 * first.
 */
const MOST_LIMITED = LONGEST_LIMITED_MS / 750;

test('with any responses, an operation comes to an end, and never under more keys than a restart walks', () => {
	const outcomes: Outcome[] = [
		...Object.keys(FOLLOWS).map((code) => refused(code, 503)),
		silent('timeout'),
		silent('gateway', 502),
		refused('RATE_LIMIT_EXCEEDED', 429, { 'retry-after': '0' }),
	];
	fc.assert(
		fc.property(
			fc.constantFrom(...KINDS),
			fc.infiniteStream(fc.constantFrom(...outcomes)),
			(kind, stream) => {
				let progress = fresh(kind);
				let last: Outcome | undefined;
				for (let attempts = 1; ; attempts += 1) {
					expect(attempts).toBeLessThanOrEqual(
						(MAX_FAILURES + MAX_CONFLICTS) * (MAX_RENEWALS + 1) * MOST_LIMITED,
					);
					const outcome = stream.next().value;
					const isReplay = outcome.kind === 'refused' && outcome === last;
					last = outcome;
					const decision = after(outcome, kind, { ...progress, isReplay });
					if (decision.next === 'fail' || decision.next === 'done') break;
					expect(decision.waitMs).toBeGreaterThan(0);
					const { failures, conflicts, rateLimited, renewals } = progress;
					const limitedForMs =
						decision.next === 'wait' ? progress.limitedForMs + decision.waitMs : 0;
					progress = { ...progress, limitedForMs };
					if (decision.next === 'wait') progress = { ...progress, rateLimited: rateLimited + 1 };
					if (decision.next === 'sameKey') progress = { ...progress, failures: failures + 1 };
					if (decision.next === 'stillProcessed') {
						progress = { ...progress, conflicts: conflicts + 1 };
					}
					if (decision.next === 'newKey') {
						progress = { ...progress, failures: 0, conflicts: 0, renewals: renewals + 1 };
					}
				}
				expect(progress.renewals).toBeLessThanOrEqual(MAX_RENEWALS);
			},
		),
	);
});

test('a refusal that is repeated under its key ends the attempts after a lost response: another key might do it twice', () => {
	const refusal = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503);

	expect(next(refusal, 'keyed', { isUnclear: true })).toBe('sameKey');
	expect(next(refusal, 'keyed', { isUnclear: true, isReplay: true })).toBe('fail');
});

test('a boleto gets a new key also after a lost response: the stored response says that there is none', () => {
	const refusal = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', 502);

	expect(next(refusal, 'boletoCreation', { isUnclear: true, isReplay: true })).toBe('newKey');
});
