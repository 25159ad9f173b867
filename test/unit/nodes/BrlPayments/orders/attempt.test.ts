import { LedgerAttempt } from '../../../../../nodes/BrlPayments/orders/attempt';
import type { Answer, Row, State } from '../../../../../nodes/BrlPayments/orders/protocol';
import type { Failure } from '../../../../../nodes/shared/failures/failure';
import type { Effect } from '../../../../../nodes/shared/retry/errors';
import type { Outcome } from '../../../../../nodes/shared/transport/outcome';
import { refused, silent } from '../../../support/failedRequest';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const OWN: Row = {
	...{ id: 1, status: 'sending', generation: 1, content: 'content', apiKey: 'key' },
	...{ run: 'run-1', at: NOW },
};
const OTHER: Row = { ...OWN, id: 2, run: 'run-2' };

/** An order that this run has claimed and is about to send; tests change one aspect. */
const state = (changed: Partial<State> = {}): State => ({
	...{ asked: OWN, rows: [OWN], generation: 1, rounds: 0 },
	...{ unansweredAt: -Infinity, answer: undefined },
	...changed,
});
const renew = vi.fn(async () => await Promise.resolve());
const open = (changed: Partial<State> = {}) =>
	new LedgerAttempt(
		'n8n-key-1',
		'NF-1',
		() => 'Run it again.',
		state(changed),
		renew,
		() => NOW,
	);

type Sent = [Outcome, Effect];
const LOST: Sent = [silent('connectionLost'), 'unknown'];
const NOT_SENT: Sent = [silent('unreachable', null, true), 'none'];
const MISMATCH: Sent = [refused('IDEMPOTENCY_PAYLOAD_MISMATCH', { status: 409 }), 'unknown'];
const KEPT: Sent = [refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', { status: 503 }), 'none'];
const FORBIDDEN: Sent = [refused('FORBIDDEN', { status: 403 }), 'none'];
const UNKNOWN_CODE: Sent = [refused('NEW_CODE'), 'none'];
test('the client may repeat it under its key, and must not choose another one', async () => {
	const attempt = open();
	await attempt.beforeAttempt();

	expect(attempt).toMatchObject({ key: 'n8n-key-1', hasOwnKey: false, hasNextKey: false });
	expect(renew).toHaveBeenCalledWith(-Infinity);
	expect(() => attempt.useNextKey()).toThrow(TypeError);
});

describe('whether an earlier attempt may have taken effect', () => {
	test.each<[string, Partial<State>, boolean]>([
		['no', {}, false],
		['one of this run', { unansweredAt: NOW - 1 }, true],
		['one of another run under this key', { rows: [OWN, OTHER] }, true],
		['one of another run, under another key', { rows: [OWN, { ...OTHER, generation: 0 }] }, false],
		[
			'one of another run that was refused',
			{ rows: [OWN, { ...OTHER, at: 0 }, { ...OTHER, id: 3, status: 'refused' }] },
			false,
		],
	])('%s: %j', (_, changed, isUnclear) => {
		expect(open(changed).isUnclear).toBe(isUnclear);
	});

	test.each<[string, Sent[], boolean]>([
		['after a lost response', [LOST], true],
		['after a refusal', [FORBIDDEN], false],
		// It says nothing about the attempt whose response was lost.
		['after a refusal that followed a lost one', [LOST, FORBIDDEN], true],
		// This attempt did nothing: the key was used with other content.
		['after a mismatch', [MISMATCH], false],
	])('%s', (_, outcomes, isUnclear) => {
		const attempt = open();
		for (const outcome of outcomes) attempt.recordOutcome(...outcome);

		expect(attempt.isUnclear).toBe(isUnclear);
		expect(attempt.unansweredAt).toBe(isUnclear ? NOW : -Infinity);
	});

	test.each(['recordSuccess', 'recordUsedUp'] as const)('not after %s', (known) => {
		const attempt = open();
		attempt.recordOutcome(...LOST);
		attempt[known]();

		expect(attempt.isUnclear).toBe(false);
	});
});

test.each<[string, Sent[], boolean, Answer]>([
	['CANCELLED', [], false, { kind: 'notSent' }],
	['TIMEOUT', [LOST], false, { kind: 'unknown' }],
	['UNREACHABLE', [LOST, NOT_SENT], false, { kind: 'notSent' }],
	['IDEMPOTENCY_PAYLOAD_MISMATCH', [MISMATCH], false, { kind: 'mismatch' }],
	['FORBIDDEN', [FORBIDDEN], false, { kind: 'refused', needsNewKey: false }],
	['WITHDRAWAL_PROVIDER_UNAVAILABLE', [KEPT], true, { kind: 'refused', needsNewKey: true }],
	['NEW_CODE', [UNKNOWN_CODE], true, { kind: 'refused', needsNewKey: false }],
])('the protocol is told what became of it: %s', (code, outcomes, isUsedUp, answer) => {
	const attempt = open();
	for (const outcome of outcomes) attempt.recordOutcome(...outcome);
	if (isUsedUp) attempt.recordUsedUp();

	expect(attempt.toAnswer({ code } as Failure)).toEqual(answer);
});
