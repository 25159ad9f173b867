import type { Failure } from '../../shared/failures/failure';

/** Field of a polled item that goes from `poll` to `execute` and no further. */
export const POLL_MARK = '__poll';

/** The metadata of an item that a poll has emitted. */
export type PollMark = PolledEvent | { readonly failure: Failure };

export interface PolledEvent {
	/** See `toIdentities`. */
	readonly identities: readonly string[];
	/** Names the poll: the same when its execution is run again. */
	readonly emission: string;
}
