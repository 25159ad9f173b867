import { joinSentences } from '../text/sentences';

/** What an API key may be allowed to do (docs/api.md#scopes). `*` allows all of it. */
export type Scope =
	| 'balance:read'
	| 'customers:read'
	| 'customers:write'
	| 'documents:read'
	| 'payments:read'
	| 'payments:refund'
	| 'payments:write'
	| 'products:read'
	| 'products:write'
	| 'withdrawals:read'
	| 'withdrawals:write';

/** What one operation requires; null if the API names none. */
export type NeededScope = Scope | `${Scope} and ${Scope}` | null;

/** The parts of a description: each has its own line in the editor, and its own field in the item. */
export interface DescriptionParts {
	/** What to do. */
	readonly remedy: string;
	/** How to do it again, if nothing else says how to continue with all items of the run. */
	readonly again?: string;
	/** How to find out whether it took effect. */
	readonly howToCheck?: string;
	/** What the server said and the code, in words. */
	readonly reason?: string;
	/** What the server said, word for word. */
	readonly serverSaid?: string;
}

export function joinParts({ remedy, again, howToCheck, reason }: DescriptionParts): string {
	return joinSentences(remedy, again, howToCheck, reason);
}

/** Why an item failed, in words for the user and in fields for a workflow. */
export interface Failure {
	/** A code of the API, or one of this package: TIMEOUT, UNREACHABLE, UNEXPECTED_ANSWER … */
	readonly code: string;
	readonly message: string;
	readonly description: string;
	/** If they are known; joined, they are the description. */
	readonly parts?: DescriptionParts;
	readonly httpStatus: number | null;
	/** Whether retrying this execution can succeed without anyone changing something. */
	readonly retryable: boolean;
	readonly idempotencyKey?: string;
	/** The automatic name or key of the order, and what it asked for: by that, an item that comes back is recognized. */
	readonly order?: { readonly name: string; readonly content: string };
	/** `unknown`: the request may have taken effect, and only a retry or a lookup shows which. */
	readonly effect: 'none' | 'unknown';
	/** The reference of the payout. */
	readonly reference?: string;
	/** When the key was first sent, ISO 8601. */
	readonly firstSentAt?: string;
	/** Until when a retry is recognized as one, ISO 8601; if the effect of a write is unknown. */
	readonly retrySafeUntil?: string;
	/** Withdrawals that the error is about. */
	readonly withdrawalIds?: readonly string[];
	/** Payments that the error is about. */
	readonly paymentIds?: readonly string[];
	/** It says nothing about other items, which are still tried. */
	readonly concernsItemOnly?: true;
}

/** The same failure with another description; its parts no longer apply. */
export function redescribe(failure: Failure, description: string): Failure {
	return { ...failure, parts: undefined, description };
}

/** What a failure has to say; for the rest see `ownFailure`. */
export type OwnFailure = Pick<Failure, 'code' | 'message' | 'description' | 'effect'> &
	Partial<Failure>;

/** A failure that this package decides; if it does not say more, no retry helps. */
export function ownFailure(own: OwnFailure): Failure {
	return { httpStatus: null, retryable: false, ...own };
}

/** Thrown when an item has failed for good. */
export class ApiFailure extends Error {
	readonly failure: Failure;

	constructor(own: OwnFailure) {
		super(own.message);
		this.failure = ownFailure(own);
		this.name = 'ApiFailure';
	}
}
