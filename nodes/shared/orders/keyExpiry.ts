import { InputError } from '../validation/inputError';
import { getBirth, type ExecutionFacts } from './executionIdentity';

const MINUTE_MS = 60_000;

/** How long the server remembers a key (docs/api.md#idempotency). Milliseconds. */
export const KEY_LIFETIME_MS = 24 * 60 * MINUTE_MS;
/** Clocks differ, and a request takes its time: a key counts as forgotten a little earlier. */
export const EXPIRY_MARGIN_MS = 10 * MINUTE_MS;
/** A first use this far in the future was written by a wrong clock. */
const TOLERATED_CLOCK_LEAD_MS = MINUTE_MS;

/** Until when a repetition under the key is surely recognized, epoch ms. */
export function keyExpiresAt(firstUsedAt: number): number {
	return firstUsedAt + KEY_LIFETIME_MS - EXPIRY_MARGIN_MS;
}

/**
 * Whether the server still recognizes a key for sure.
 * @param firstUsedAt epoch ms; a time in the future says nothing about when that was
 */
export function isKeyAlive(firstUsedAt: number, now: number): boolean {
	return now < keyExpiresAt(firstUsedAt) && firstUsedAt <= now + TOLERATED_CLOCK_LEAD_MS;
}

/**
 * Refuses to send a write whose earlier attempt the server may have forgotten: to the server it would
 * be a new one.
 *
 * @param firstUsedAt when the key was first sent, epoch ms; undefined if unknown
 * @throws InputError with what to look up before it is done again
 */
export function checkKeyLifetime(
	firstUsedAt: number | undefined,
	facts: ExecutionFacts,
	now: number,
): void {
	// A first attempt has no record, and neither has a retry of an execution that was killed. The age
	// of the execution matters only for the latter: a Wait node may well come before a first attempt.
	if (firstUsedAt === undefined && facts.mode !== 'retry') return;
	const since = firstUsedAt ?? getBirth(facts);
	if (since !== undefined && isKeyAlive(since, now)) return;
	const began = firstUsedAt === undefined ? 'This execution started' : 'This was first sent';
	throw new InputError(
		since === undefined
			? 'This is a retried execution, and it is not known whether its first attempt already sent this'
			: `${began} on ${new Date(since).toISOString()}, and the server recognizes a repetition for 24 hours only`,
		REMEDY,
		'unknown',
	);
}

const REMEDY =
	'Nothing was sent. Check whether it already took effect (Get Many, with the date of the first attempt). If it did not, run a new execution with only this item. Or turn on Options > Allow Retry After 24 Hours and retry again: that applies to all items of this node.';
