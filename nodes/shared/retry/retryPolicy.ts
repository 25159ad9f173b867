import type { FailedOutcome } from '../transport/outcome';
import { backoffMs, hintedWaitMs, LONGEST_HINTED_WAIT_MS } from './backoff';
import type { Verdict } from './verdict';

/** What has happened so far to one logical operation. */
export interface Progress {
	/** Attempts under the current key (or in all, if there is no key) that got no usable response. */
	readonly failures: number;
	/** Attempts under the current key that found an earlier one still being processed. */
	readonly conflicts: number;
	/** How often the server has asked to wait. */
	readonly rateLimited: number;
	/** For how long, in milliseconds, it has given no item of the run any other response. */
	readonly limitedForMs: number;
	/** How many keys this run has found to be used up that no earlier run had. */
	readonly renewals: number;
	/** Whether this run may go on under another key. */
	readonly hasNextKey: boolean;
}

type Decision =
	/** `stillProcessed` is a `sameKey` with a separate count. */
	{ next: 'sameKey' | 'stillProcessed' | 'newKey' | 'wait'; waitMs: number } | { next: 'fail' };

/** Attempts under one key before the item fails. */
export const MAX_FAILURES = 5;
/**
 * How often the result of an earlier attempt is asked for while the service works on it. With the
 * waits between them, that is about two minutes: such a response is no failure: it says that an
 * outcome is on its way.
 */
export const MAX_CONFLICTS = 13;
/**
 * How long a run waits while no item gets through a rate limit. As long as one does, the others wait:
 * a long list under a low limit takes its time.
 */
export const LONGEST_LIMITED_MS = 5 * 60_000;
/**
 * After this many short waits, the server is asked less often: five minutes could be thousands of
 * requests.
 */
const TRUSTED_HINTS = 30;
const LEAST_WAIT_MS = 10_000;
/**
 * New keys of one run. A client that does not know of them, such as another n8n, sends under each key in
 * turn, so none that may have paid is skipped.
 */
export const MAX_RENEWALS = 4;

/**
 * Decides what follows one attempt.
 * @param outcome of the attempt, for the time that the server names
 */
export function decideRetry(
	outcome: FailedOutcome,
	{ retry }: Verdict,
	progress: Progress,
	now: number,
	random: () => number,
): Decision {
	if (retry === 'never') return { next: 'fail' };

	const hinted = hintedWaitMs(outcome, now);
	if (hinted !== null && hinted > LONGEST_HINTED_WAIT_MS) return { next: 'fail' };
	// A time in the past, for example because of a clock that is behind, must not turn retries into a storm.
	const waitMs = (ownMs: number) => (hinted === null || hinted === 0 ? ownMs : hinted);

	switch (retry) {
		case 'wait':
			if (progress.limitedForMs >= LONGEST_LIMITED_MS) return { next: 'fail' };
			return {
				next: 'wait',
				waitMs: Math.max(
					waitMs(backoffMs(progress.rateLimited + 1, random)),
					progress.rateLimited < TRUSTED_HINTS ? 0 : LEAST_WAIT_MS,
				),
			};
		case 'newKey':
			if (!progress.hasNextKey || progress.renewals >= MAX_RENEWALS) return { next: 'fail' };
			return { next: 'newKey', waitMs: waitMs(backoffMs(progress.renewals, random)) };
		case 'sameKey':
			if (outcome.kind === 'refused' && outcome.code === 'IDEMPOTENCY_CONFLICT') {
				if (progress.conflicts >= MAX_CONFLICTS) return { next: 'fail' };
				return {
					next: 'stillProcessed',
					waitMs: waitMs(backoffMs(progress.conflicts, random)),
				};
			}
			if (progress.failures + 1 >= MAX_FAILURES) return { next: 'fail' };
			return { next: 'sameKey', waitMs: waitMs(backoffMs(progress.failures, random)) };
	}
}
