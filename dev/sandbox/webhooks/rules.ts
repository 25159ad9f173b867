/** "Delivery semantics" and "Limits" of webhooks, as decisions without effects. */

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 60 * 60 * 1_000;
const MOST_ATTEMPTS = 24;
export const ENDPOINTS_PER_EVENT = 2;

/** The pause after this many failed attempts: 5 s, doubling, never more than 6 h. */
export function retryDelayMs(failedAttempts: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), LONGEST_DELAY_MS);
}

export function isAccepted(status: number | null): boolean {
	return status !== null && status >= 200 && status < 300;
}

/** A 4xx other than 408 and 429 says that trying again is of no use. */
function isRefusedForGood(status: number | null): boolean {
	return status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/**
 * @param status null when no response came; a redirect is a response like any other: not 2xx
 * @param attempts made, this one included
 */
export function judgeAttempt(
	status: number | null,
	attempts: number,
): 'DELIVERED' | 'FAILED' | 'RETRY' {
	if (isAccepted(status)) return 'DELIVERED';
	return isRefusedForGood(status) || attempts >= MOST_ATTEMPTS ? 'FAILED' : 'RETRY';
}
