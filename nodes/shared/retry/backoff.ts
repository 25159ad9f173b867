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
 * seconds from now, epoch seconds or milliseconds, or an HTTP date. A number that would mean more than five
 * minutes is not believed: it may have another unit.
 * @returns milliseconds from `now`, at least 0; null when no header says anything usable
 */
export function hintedWaitMs(outcome: Outcome, now: number): number | null {
	if (outcome.kind === 'blocked' || outcome.headers === undefined) return null;
	const { headers, status } = outcome;
	const retryAfter = waitUntil(headers['retry-after'], now);
	if (retryAfter !== null || status !== 429) return retryAfter;
	const reset = headers['x-ratelimit-reset'];
	const waitMs = waitUntil(reset, now);
	const isUnsure =
		waitMs !== null && waitMs > LONGEST_HINTED_WAIT_MS && !Number.isNaN(Number(reset));
	return isUnsure ? null : waitMs;
}

function waitUntil(value: string | undefined, now: number): number | null {
	const timestamp = parseTimestamp(value, now);
	return timestamp === null ? null : Math.max(0, timestamp - now);
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
