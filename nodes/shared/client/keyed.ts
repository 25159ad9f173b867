import type { SentKey } from '../failures/explainFailure';
import type { Effect } from '../retry/errors';
import type { Outcome } from '../transport/outcome';

/** What the client asks and tells whoever owns the key that it sends. Times in epoch ms. */
export interface KeyedRequest extends SentKey {
	/** Whether the client may go on under another key in this run. */
	readonly hasNextKey: boolean;
	/** Immediately before each attempt. Nothing is sent if it throws or rejects. */
	beforeAttempt(now: number): void | Promise<void>;
	recordSuccess(): void;
	recordOutcome(outcome: Outcome, effect: Effect, now: number): void;
	/** The service keeps a failure under the key: no attempt under it took effect. */
	recordUsedUp(): void;
	/** What follows is sent under another key. Only if `hasNextKey`. */
	useNextKey(): void;
}
