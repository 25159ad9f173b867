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
	new LedgerAttempt('n8n-key-1', 'NF-1', 'Run it again.', state(changed), renew, () => NOW);

const LOST = silent('connectionLost');
const MISMATCH = refused('IDEMPOTENCY_PAYLOAD_MISMATCH', { status: 409 });
const KEPT = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', { status: 503 });
const FORBIDDEN = refused('FORBIDDEN', { status: 403 });

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

	test.each<[string, Array<[Outcome, Effect]>, boolean]>([
		['after a lost response', [[LOST, 'unknown']], true],
		['after a refusal', [[FORBIDDEN, 'none']], false],
		// It says nothing about the attempt whose response was lost.
		[
			'after a refusal that followed a lost one',
			[
				[LOST, 'unknown'],
				[FORBIDDEN, 'none'],
			],
			true,
		],
		// This attempt did nothing: the key was used with other content.
		['after a mismatch', [[MISMATCH, 'unknown']], false],
	])('%s', (_, outcomes, isUnclear) => {
		const attempt = open();
		for (const outcome of outcomes) attempt.recordOutcome(...outcome);

		expect(attempt.isUnclear).toBe(isUnclear);
		expect(attempt.unansweredAt).toBe(isUnclear ? NOW : -Infinity);
	});

	test.each(['recordSuccess', 'recordUsedUp'] as const)('not after %s', (known) => {
		const attempt = open();
		attempt.recordOutcome(LOST, 'unknown');
		attempt[known]();

		expect(attempt.isUnclear).toBe(false);
	});
});

test.each<[string, Array<[Outcome, Effect]>, boolean, string, Answer]>([
	['nothing was sent', [], false, 'CANCELLED', { kind: 'notSent' }],
	['its response was lost', [[LOST, 'unknown']], false, 'TIMEOUT', { kind: 'unknown' }],
	[
		'it never left',
		[
			[LOST, 'unknown'],
			[silent('unreachable', null, true), 'none'],
		],
		false,
		'UNREACHABLE',
		{ kind: 'notSent' },
	],
	[
		'the key was used otherwise',
		[[MISMATCH, 'unknown']],
		false,
		'IDEMPOTENCY_PAYLOAD_MISMATCH',
		{ kind: 'mismatch' },
	],
	[
		'it was refused',
		[[FORBIDDEN, 'none']],
		false,
		'FORBIDDEN',
		{ kind: 'refused', needsNewKey: false },
	],
	[
		'the failure is kept',
		[[KEPT, 'none']],
		true,
		'WITHDRAWAL_PROVIDER_UNAVAILABLE',
		{ kind: 'refused', needsNewKey: true },
	],
	[
		'a code that nobody knows',
		[[refused('NEW_CODE'), 'none']],
		true,
		'NEW_CODE',
		{ kind: 'refused', needsNewKey: false },
	],
])('the protocol is told what became of it: %s', (_, outcomes, isUsedUp, code, answer) => {
	const attempt = open();
	for (const outcome of outcomes) attempt.recordOutcome(...outcome);
	if (isUsedUp) attempt.recordUsedUp();

	expect(attempt.toAnswer({ code } as Failure)).toEqual(answer);
});
