import {
	explainFailure,
	type FailedRequest,
	type SentKey,
} from '../../../nodes/shared/failures/explainFailure';
import type { Failure } from '../../../nodes/shared/failures/failure';
import { classify } from '../../../nodes/shared/retry/verdict';
import type {
	FailedOutcome,
	Refusal,
	Unclear,
	UnclearCause,
} from '../../../nodes/shared/transport/outcome';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const SAFE_UNTIL = Date.parse('2026-11-22T11:30:00Z');

export const refused = (code: string, changed: Partial<Refusal> = {}): Refusal => ({
	kind: 'refused',
	code,
	status: 400,
	message: '',
	details: undefined,
	headers: {},
	...changed,
});

export const silent = (
	cause: UnclearCause,
	status: number | null = null,
	neverSent = false,
): Unclear => ({ kind: 'unclear', cause, status, neverSent });

const KEY: SentKey = {
	key: 'key-1',
	isUnclear: false,
	hasOwnKey: false,
	firstUsedAt: SAFE_UNTIL - 24 * 60 * 60 * 1000,
	retrySafeUntil: SAFE_UNTIL,
	reference: undefined,
	again: undefined,
};

/** A write of which nothing is unknown; tests change one aspect, or one of its key. */
export const request = (
	changed: Partial<FailedRequest> = {},
	order: Partial<SentKey> = {},
): FailedRequest => ({
	kind: 'keyed',
	server: 'https://api.example.com',
	scope: 'withdrawals:write',
	order: { ...KEY, ...order },
	verificationHint: 'Withdrawal > Get Many',
	...changed,
});

export const readRequest = request({ kind: 'read', order: undefined });

/** @param isReplay the attempt before, under the same key, got the same error code */
export const explain = (
	outcome: FailedOutcome,
	failed: FailedRequest = request(),
	isReplay = false,
): Failure => explainFailure(outcome, classify(outcome, failed.kind, isReplay), failed, NOW);
