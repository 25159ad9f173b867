/** Why an item failed, in words for the user and in fields for a workflow. */
export interface Failure {
	/** A code of the API, or one of this package: NO_ANSWER, UNREACHABLE, UNEXPECTED_ANSWER … */
	readonly code: string;
	readonly message: string;
	readonly description: string;
	readonly httpStatus: number | null;
	/** Whether retrying this execution can succeed without anybody changing something. */
	readonly retryable: boolean;
	readonly idempotencyKey?: string;
	/**
	 * - `unknown`: the request may have taken effect, and only a retry or a look-up tells
	 * - `done`: an earlier attempt surely took effect, and this one was not sent
	 */
	readonly effect: 'none' | 'unknown' | 'done';
	/** The reference of the payout. */
	readonly reference?: string;
	/** When the key was first sent, ISO 8601. */
	readonly firstSentAt?: string;
	/** Until when a retry is recognized as one, ISO 8601; where the effect of a write is unknown. */
	readonly retrySafeUntil?: string;
	/** Withdrawals that pay the same, found before anything was sent. */
	readonly withdrawalIds?: readonly string[];
	/** It says nothing about other items, which are tried all the same. */
	readonly concernsItemOnly?: true;
}

/** Thrown by the client when an item has failed for good. */
export class ApiFailure extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
		this.name = 'ApiFailure';
	}
}
