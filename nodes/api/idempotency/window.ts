import { InputError } from '../input/inputError';
import { beginningOf, type ExecutionFacts } from './root';

/** How long the server remembers a key ("Limits", idempotency window). Milliseconds. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Whether the server has forgotten a key. @param firstUsedAt milliseconds since 1970 */
export function isForgotten(firstUsedAt: number, now: number): boolean {
	return now - firstUsedAt >= KEY_LIFETIME_MS;
}

export interface LifetimeExceptions {
	/** The user decided to send it all the same. */
	readonly isAllowed: boolean;
	/** It was looked up, and no trace of a first attempt was found. */
	readonly isLookedUp: boolean;
}

/**
 * Refuses to send a write whose earlier attempt the server may have forgotten: it would be a new
 * payment to the server.
 *
 * @param firstUsedAt when this node first sent the key, as its context remembers; milliseconds since 1970
 * @throws InputError with what to look up before paying again
 */
export function checkKeyLifetime(
	firstUsedAt: number | undefined,
	facts: ExecutionFacts,
	now: number,
	{ isAllowed, isLookedUp }: LifetimeExceptions,
): void {
	if (isAllowed) return;
	if (firstUsedAt !== undefined) {
		if (!isForgotten(firstUsedAt, now)) return;
		throw new InputError(
			`This was first sent on ${new Date(firstUsedAt).toISOString()}, and the server recognises a repetition for 24 hours only`,
			REMEDY,
			'unknown',
		);
	}
	// A first attempt has no record, and neither has a retry of an execution that was killed. The age
	// of the execution matters only for the latter: a Wait node may well lie before a first attempt.
	if (facts.mode !== 'retry') return;
	const beganAt = beginningOf(facts);
	if (beganAt === undefined) {
		if (isLookedUp) return;
		throw new InputError(
			'This is a retried execution, and nothing tells whether its first attempt already sent this',
			REMEDY,
			'unknown',
		);
	}
	if (isForgotten(beganAt, now)) {
		throw new InputError(
			`This execution began on ${new Date(beganAt).toISOString()}, and the server recognises a repetition for 24 hours only`,
			REMEDY,
			'unknown',
		);
	}
}

const REMEDY =
	'Nothing was sent. Look up whether it already took effect (Get Many, with the date of the first attempt). If it did not, send this item alone, and no other, in a new execution. Or switch on Options > Allow Retry After 24 Hours and retry again: that applies to all items of this node. Those with a recorded success are not sent again, but when n8n is killed it keeps no record.';
