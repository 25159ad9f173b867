import type { Effect } from '../retry/errors';
import type { Outcome } from '../transport/outcome';

/** What the client asks and tells whoever owns the key that it sends. Times in epoch ms. */
export interface KeyedRequest {
	readonly key: string;
	/** Whether an attempt under the key may have taken effect, and it is not known whether it did. */
	readonly isUnclear: boolean;
	/** The user chose the key, so only the user may choose another one. */
	readonly hasOwnKey: boolean;
	/** Whether the client may go on under the next key. */
	readonly hasNextKey: boolean;
	readonly firstUsedAt: number | undefined;
	/** Until when the service certainly recognizes a repetition; undefined if that is not known, or not needed. */
	readonly retrySafeUntil: number | undefined;
	/** The user's own name for it. */
	readonly reference: string | undefined;
	/** How the same request is made again, as a sentence; undefined: under the same key. */
	readonly again: string | undefined;
	/** Immediately before each attempt. Nothing is sent if it throws or rejects. */
	beforeAttempt(now: number): void | Promise<void>;
	recordSuccess(): void;
	recordOutcome(outcome: Outcome, effect: Effect, now: number): void;
	/** The service keeps a failure under the key, and nothing took effect under it. */
	useNextKey(): void;
	/** The same if the next key is not for this run of the node. */
	recordUsedUp(): void;
}
