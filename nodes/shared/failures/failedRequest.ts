import type { RequestKind } from '../retry/verdict';
import type { DescriptionParts } from './failure';
import type { NeededScope } from './scopes';

/** What is known about the request besides its last outcome. Times in epoch ms. */
export interface FailedRequest {
	readonly kind: RequestKind;
	/** Where it went, without path: `https://api.example.com`. */
	readonly server: string;
	/** The scope that the operation requires. */
	readonly scope: NeededScope;
	readonly idempotencyKey?: string;
	/** Whether an attempt of this operation may have taken effect without a response that shows it. */
	readonly isUnclear: boolean;
	readonly firstSentAt?: number | undefined;
	/** Undefined if the first use of the key is not known. */
	readonly retrySafeUntil?: number | undefined;
	readonly reference?: string | undefined;
	/** The reference names a charge, not a payout. */
	readonly isExternalId?: boolean | undefined;
	/** It creates a record, and neither its address nor its body names another one. */
	readonly namesNoRecord?: boolean;
	/** On Error is set to Continue: a retry of the execution begins after the node. */
	readonly isContinued?: boolean;
	/** The user chose the key, so that every execution has the same. */
	readonly hasOwnKey?: boolean;
	/** Where a person finds out whether it took effect. */
	readonly verificationHint?: string | undefined;
	/** What else may help if the server refuses a field or a parameter; a full sentence. */
	readonly ifInvalid?: string | undefined;
	/** The service has let no item of the run through for as long as a run waits. */
	readonly isLimitedForLong?: boolean;
}

/** What one outcome says to the user, regardless of earlier attempts. */
export interface Explanation extends Omit<DescriptionParts, 'howToCheck'> {
	readonly code: string;
	/** What happened. */
	readonly message: string;
	readonly httpStatus: number | null;
}
