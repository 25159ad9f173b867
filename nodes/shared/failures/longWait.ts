import { hintedWaitMs, LONGEST_HINTED_WAIT_MS } from '../retry/backoff';
import type { FailedOutcome } from '../transport/outcome';

/** Says when to retry, if the server asks for a longer wait than a run makes. */
export function longWait(outcome: FailedOutcome, now: number): string | null {
	const wait = hintedWaitMs(outcome, now);
	if (wait === null || wait <= LONGEST_HINTED_WAIT_MS) return null;
	const isByReset = 'headers' in outcome && outcome.headers?.['retry-after'] === undefined;
	return `The server asks to wait until ${new Date(now + wait).toISOString()}.${isByReset ? ' If that time cannot be right, choose the unit under Rate Limit Reset in the credential.' : ''}`;
}
