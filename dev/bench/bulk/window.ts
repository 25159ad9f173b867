/** The sandbox counts in windows of a minute, each opened by the first request after the one before. */
const WINDOW_MS = 60_000;

/**
 * How long a rate limit alone makes this many requests take, in milliseconds: each window but the
 * last has to pass as a whole, and the last one needs no waiting.
 */
export function dictatedTime(requests: number, perMinute: number): number {
	return Math.max(0, Math.ceil(requests / perMinute) - 1) * WINDOW_MS;
}
