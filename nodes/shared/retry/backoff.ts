import type { Outcome } from '../transport/outcome';

/** How long to wait before another attempt. All values in milliseconds; time and chance are arguments. */

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 20_000;
/** A server that asks for more than this is not waited for: the item fails and says when to retry. */
export const LONGEST_HINTED_WAIT_MS = 5 * 60_000;

/** Exponential backoff with jitter: between half and all of 0.5 s, 1 s, 2 s … 20 s. */
export function backoffMs(retry: number, random: () => number): number {
	const ceiling = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retry);
	return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/**
 * What the server asks for in `Retry-After` or, with status 429, in `X-RateLimit-Reset`: in other
 * responses, that header says when the count starts over, which is no reason to wait.
 *
 * The unit of the latter is not documented (docs/api.md#rate-limits), so it is inferred from the magnitude:
 * seconds from now, seconds or epoch milliseconds, or an HTTP date.
 * @returns milliseconds from `now`, at least 0; null when no header says anything usable
 */
export function hintedWaitMs(outcome: Outcome, now: number): number | null {
	if (outcome.kind === 'blocked' || outcome.headers === undefined) return null;
	const { headers, status } = outcome;
	for (const name of status === 429 ? ['retry-after', 'x-ratelimit-reset'] : ['retry-after']) {
		const timestamp = parseTimestamp(headers[name], now);
		if (timestamp !== null) return Math.max(0, timestamp - now);
	}
	return null;
}

/** Below this a number is a number of seconds from now: as epoch seconds it would be in 1973. */
const SMALLEST_EPOCH_SECONDS = 100_000_000;
const SMALLEST_EPOCH_MILLISECONDS = 100_000_000_000;
/** The largest valid Date, in epoch milliseconds. */
const LARGEST_DATE = 8_640_000_000_000_000;

function parseTimestamp(value: string | undefined, now: number): number | null {
	const text = value?.trim() ?? '';
	if (text === '') return null;
	const number = Number(text);
	if (Number.isNaN(number)) {
		const date = Date.parse(text);
		return Number.isNaN(date) ? null : date;
	}
	if (!Number.isFinite(number) || number < 0) return null;
	if (number < SMALLEST_EPOCH_SECONDS) return now + number * 1000;
	const timestamp = number < SMALLEST_EPOCH_MILLISECONDS ? number * 1000 : number;
	return timestamp <= LARGEST_DATE ? timestamp : null;
}

/** What `X-RateLimit-Reset` counts. */
export type ResetUnit =
	'auto' | 'secondsFromNow' | 'millisecondsFromNow' | 'unixSeconds' | 'unixMilliseconds';

const TO_TIMESTAMP: Partial<Record<ResetUnit, (count: number, now: number) => number>> = {
	secondsFromNow: (count, now) => now + count * 1000,
	millisecondsFromNow: (count, now) => now + count,
	unixSeconds: (count) => count * 1000,
	unixMilliseconds: (count) => count,
};

/** The outcome with a date in place of the number in `X-RateLimit-Reset`, if the user knows its unit. */
export function withResetDate<T extends Outcome>(outcome: T, unit: ResetUnit, now: number): T {
	if (outcome.kind === 'blocked' || outcome.headers === undefined) return outcome;
	const count = Number(outcome.headers['x-ratelimit-reset']?.trim() || Number.NaN);
	const timestamp = TO_TIMESTAMP[unit]?.(count, now) ?? Number.NaN;
	if (!(timestamp >= 0 && timestamp <= LARGEST_DATE)) return outcome;
	const headers = { ...outcome.headers, 'x-ratelimit-reset': new Date(timestamp).toISOString() };
	return { ...outcome, headers };
}
