/** "Delivery semantics" and "Limits" of webhooks, as decisions without effects. */

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 60 * 60 * 1_000;
export const MOST_ATTEMPTS = 24;
export const OLDEST_MS = 72 * 60 * 60 * 1_000;
export const ENDPOINTS_PER_EVENT = 2;

/** Jitter spreads a delay over 90 to 110 % of its nominal length. */
const JITTER = 0.1;

/**
 * The pause after this many failed attempts: 5 s, doubling, never more than 6 h.
 * @param random 0 to 1, places the pause within its jitter
 */
export function retryDelayMs(failedAttempts: number, random: number): number {
	const nominal = Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), LONGEST_DELAY_MS);
	const factor = 1 - JITTER + 2 * JITTER * random;
	return Math.min(Math.round(nominal * factor), LONGEST_DELAY_MS);
}

export function isAccepted(status: number | null): boolean {
	return status !== null && status >= 200 && status < 300;
}

/** A 4xx other than 408 and 429 says that trying again is of no use. */
function isRefusedForGood(status: number | null): boolean {
	return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

interface AttemptCase {
	/** Null when no response came. A redirect is a response like any other: not 2xx. */
	status: number | null;
	/** Attempts made, this one included. */
	attempts: number;
	maxAttempts: number;
	tooOld: boolean;
	endpointActive: boolean;
}

export function judgeAttempt(input: AttemptCase): 'DELIVERED' | 'FAILED' | 'RETRY' {
	if (isAccepted(input.status)) return 'DELIVERED';
	if (isRefusedForGood(input.status)) return 'FAILED';
	if (input.attempts >= Math.min(input.maxAttempts, MOST_ATTEMPTS)) return 'FAILED';
	return input.tooOld || !input.endpointActive ? 'FAILED' : 'RETRY';
}

/** A small seeded generator (mulberry32): the same run draws the same pauses. */
export function seededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	};
}
