import fc from 'fast-check';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import type { FailedOutcome } from '../../../../../nodes/shared/transport/outcome';
import {
	decideRetry,
	LONGEST_LIMITED_MS,
	MAX_CONFLICTS,
	MAX_FAILURES,
	MAX_RENEWALS,
	type Progress,
} from '../../../../../nodes/shared/retry/retryPolicy';
import { classify, type RequestKind } from '../../../../../nodes/shared/retry/verdict';
import { refused as refusal, silent } from '../../../support/failedRequest';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const KINDS: RequestKind[] = ['read', 'repeatable', 'keyed', 'boletoCreation'];
const HALF = () => 0.5;

const refused = (code: string, status = 400, headers: Record<string, string> = {}) =>
	refusal(code, { status, headers });

const LOST = silent('timeout');
const FAILED = refused('INTERNAL_ERROR', 500);
const IN_PROGRESS = refused('IDEMPOTENCY_CONFLICT', 409);
const LIMITED = refused('RATE_LIMIT_EXCEEDED', 429);
/** The service keeps it under the key of a payout. */
const KEPT = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', 503);
/** The service keeps it under the key of a boleto. */
const KEPT_OF_BOLETO = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', 502);

const fresh = (changed: Partial<Progress> = {}): Progress => ({
	failures: 0,
	conflicts: 0,
	rateLimited: 0,
	limitedForMs: 0,
	renewals: 0,
	hasNextKey: true,
	...changed,
});

/** What has happened so far, and whether the attempt before, under the same key, got the same code. */
type Past = Partial<Progress> & { isReplay?: boolean };

const after = (outcome: FailedOutcome, kind: RequestKind, { isReplay, ...changed }: Past = {}) =>
	decideRetry(outcome, classify(outcome, kind, isReplay), fresh(changed), NOW, HALF);

const next = (outcome: FailedOutcome, kind: RequestKind, past?: Past) =>
	after(outcome, kind, past).next;

/** The wait before the next attempt at a payout, or that there is none. */
const waitAfter = (outcome: FailedOutcome, past: Past = {}) => {
	const decision = after(outcome, 'keyed', past);
	return 'waitMs' in decision ? decision.waitMs : decision.next;
};

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

test.each(Object.entries(ERROR_CATALOGUE))(
	'after %s, and after its repetition',
	(code, { status }) => {
		const outcome = refused(code, status ?? 400);
		for (const kind of KINDS) {
			expect(next(outcome, kind)).toBe(FOLLOWS[code] ?? 'fail');
			if (outcome.code === KEPT.code || outcome.code === KEPT_OF_BOLETO.code) continue;
			expect(classify(outcome, kind, true)).toEqual(classify(outcome, kind));
		}
	},
);

test.each([
	[400, 'fail'],
	[408, 'sameKey'],
	[429, 'wait'],
	[500, 'sameKey'],
])('status %i without a known code: %s, and its effect is unknown', (status, follows) => {
	for (const kind of KINDS) {
		for (const outcome of [refused('SOMETHING_NEW', status), silent('gateway', status)]) {
			expect(next(outcome, kind)).toBe(follows);
			expect(classify(outcome, kind).effect).toBe('unknown');
		}
	}
});

test.each<[string, string, string, FailedOutcome]>([
	['what this n8n blocks', 'fail', 'notReached', { kind: 'blocked', reason: 'not allowed' }],
	['a refused connection', 'sameKey', 'notReached', silent('unreachable', null, true)],
	['an unreadable response', 'sameKey', 'unknown', silent('malformed', 200)],
	['a redirect', 'fail', 'unknown', silent('redirect')],
	['a wrong certificate', 'fail', 'notReached', silent('certificate', null, true)],
	['a stop', 'fail', 'unknown', silent('cancelled')],
	['a stop before it was sent', 'fail', 'notReached', silent('cancelled', null, true)],
])('after %s: %s, effect %s', (_, follows, effect, outcome) => {
	const retry = follows === 'sameKey' ? 'sameKey' : 'never';
	for (const kind of KINDS) {
		expect(next(outcome, kind)).toBe(follows);
		expect(classify(outcome, kind)).toEqual({ retry, effect });
	}
});

// The service says that it is limited before it looks at a request; something in front of it may say so after.
test('a write that is sent once is sent again only if the service itself is limited', () => {
	const outcomes: FailedOutcome[] = [
		...Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => refused(code, status ?? 400)),
		...(['gateway', 'timeout', 'connectionLost', 'malformed'] as const).map((one) => silent(one)),
		...[silent('gateway', 429), silent('unreachable', null, true)],
	];
	for (const outcome of outcomes) {
		const isLimit = outcome.kind === 'refused' && outcome.code === 'RATE_LIMIT_EXCEEDED';
		expect([outcome, next(outcome, 'single')]).toEqual([outcome, isLimit ? 'wait' : 'fail']);
		expect(classify(outcome, 'single').effect).toBe(classify(outcome, 'repeatable').effect);
	}
});

describe('a response that the service has repeated under the key', () => {
	// Without a key there is none to renew: the same request again.
	test.each<[string, FailedOutcome, RequestKind, string, string]>([
		['of a read', KEPT, 'read', 'sameKey', 'none'],
		['of a write without a key', KEPT, 'repeatable', 'sameKey', 'none'],
		['of a payout', KEPT, 'keyed', 'newKey', 'none'],
		['of a boleto, which it keeps for payouts only', KEPT, 'boletoCreation', 'sameKey', 'none'],
		['of a boleto', KEPT_OF_BOLETO, 'boletoCreation', 'newKey', 'none'],
		['of PIX or a card', KEPT_OF_BOLETO, 'keyed', 'sameKey', 'unknown'],
	])('%s', (_, outcome, kind, follows, effect) => {
		expect(next(outcome, kind, { isReplay: true })).toBe(follows);
		expect(classify(outcome, kind, true).effect).toBe(effect);
		expect(next(outcome, kind)).toBe('sameKey');
	});

	test.each<[string, string, FailedOutcome, Past]>([
		['a fourth new key', 'newKey', KEPT, { renewals: 3 }],
		['no fifth one', 'fail', KEPT, { renewals: 4 }],
		['a new key after all attempts under the last', 'newKey', KEPT, { failures: 5 }],
		['no key where there is none', 'fail', KEPT_OF_BOLETO, { hasNextKey: false }],
	])('is followed by %s', (_, follows, outcome, past) => {
		const kind = outcome === KEPT ? 'keyed' : 'boletoCreation';
		expect(next(outcome, kind, { ...past, isReplay: true })).toBe(follows);
	});
});

test.each<[string, string, FailedOutcome, Past]>([
	['four failures', 'sameKey', LOST, { failures: 3 }],
	['five failures', 'fail', LOST, { failures: 4 }],
	['thirteen conflicts', 'stillProcessed', IN_PROGRESS, { conflicts: 12 }],
	['fourteen conflicts', 'fail', IN_PROGRESS, { conflicts: 13 }],
	['a conflict after five failures', 'stillProcessed', IN_PROGRESS, { failures: 5 }],
	['five minutes under a limit, almost', 'wait', LIMITED, { limitedForMs: 299_999 }],
	['five minutes under a limit', 'fail', LIMITED, { limitedForMs: 300_000 }],
	['any number of responses "later"', 'wait', LIMITED, { rateLimited: 1_000, failures: 5 }],
])('after %s: %s', (_, follows, outcome, past) => {
	expect(next(outcome, 'keyed', past)).toBe(follows);
});

describe('the wait before the next attempt', () => {
	test.each<[string, number | string, FailedOutcome, Past]>([
		['grows with the failures', 1_500, LOST, { failures: 2 }],
		['grows with the conflicts', 3_000, IN_PROGRESS, { conflicts: 3 }],
		['grows with the new keys', 1_500, KEPT, { isReplay: true, renewals: 2 }],
		['begins higher under a limit', 750, LIMITED, {}],
		['grows with the responses "later"', 3_000, LIMITED, { rateLimited: 2 }],
	])('%s', (_, ms, outcome, past) => {
		expect(waitAfter(outcome, past)).toBe(ms);
	});

	test.each<[string, FailedOutcome, Past]>([
		['the same key', FAILED, {}],
		['a new key', KEPT, { isReplay: true }],
		['a limit', LIMITED, {}],
	])('is what the server asks for, up to five minutes: %s', (_, outcome, past) => {
		const asked = (seconds: number) =>
			waitAfter({ ...outcome, headers: { 'retry-after': String(seconds) } } as FailedOutcome, past);

		expect([asked(7), asked(300), asked(301)]).toEqual([7_000, 300_000, 'fail']);
	});

	test('is at least ten seconds once a short wait was asked for thirty times', () => {
		const outcome = refused('RATE_LIMIT_EXCEEDED', 429, { 'retry-after': '1' });

		expect(waitAfter(outcome, { rateLimited: 29 })).toBe(1_000);
		expect(waitAfter(outcome, { rateLimited: 30 })).toBe(10_000);
	});

	test.each(['0', 'Sat, 21 Nov 2026 11:00:00 GMT', 'garbage 5'])(
		'is never none, as %o would have it',
		(value) => {
			const headers = { 'retry-after': value };
			expect(waitAfter({ ...LIMITED, headers })).toBe(750);
			expect(waitAfter({ ...FAILED, headers })).toBe(375);
		},
	);
});

/** Responses "later" in five minutes, if each wait is as short as the first. */
const MOST_LIMITED = LONGEST_LIMITED_MS / 750;
const COUNTED = {
	sameKey: 'failures',
	stillProcessed: 'conflicts',
	wait: 'rateLimited',
	newKey: 'renewals',
} as const;

test('with any responses, an operation comes to an end, and never under more keys than a restart walks', () => {
	const outcomes: FailedOutcome[] = [
		...Object.keys(FOLLOWS).map((code) => refused(code, 503)),
		LOST,
		silent('gateway', 502),
		refused('RATE_LIMIT_EXCEEDED', 429, { 'retry-after': '0' }),
	];
	const anyOutcomes = fc.infiniteStream(fc.constantFrom(...outcomes));
	fc.assert(
		fc.property(fc.constantFrom(...KINDS), anyOutcomes, (kind, stream) => {
			let progress = fresh();
			let last: FailedOutcome | undefined;
			for (let attempts = 1; ; attempts += 1) {
				expect(attempts).toBeLessThanOrEqual(
					(MAX_FAILURES + MAX_CONFLICTS) * (MAX_RENEWALS + 1) * MOST_LIMITED,
				);
				const outcome = stream.next().value;
				const isReplay = outcome.kind === 'refused' && outcome === last;
				last = outcome;
				const decision = after(outcome, kind, { ...progress, isReplay });
				if (decision.next === 'fail') break;
				expect(decision.waitMs).toBeGreaterThan(0);
				const counted = COUNTED[decision.next];
				progress = {
					...progress,
					...(decision.next === 'newKey' ? { failures: 0, conflicts: 0 } : {}),
					[counted]: progress[counted] + 1,
					limitedForMs: decision.next === 'wait' ? progress.limitedForMs + decision.waitMs : 0,
				};
			}
			expect(progress.renewals).toBeLessThanOrEqual(MAX_RENEWALS);
		}),
	);
});
