import { explainFailure, type FailedRequest } from '../../../nodes/shared/failures/explainFailure';
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

/** A write of which nothing is unknown; tests change one aspect. */
export const request = (changed: Partial<FailedRequest> = {}): FailedRequest => ({
	kind: 'keyed',
	server: 'https://api.example.com',
	scope: 'withdrawals:write',
	idempotencyKey: 'key-1',
	isUnclear: false,
	firstSentAt: SAFE_UNTIL - 24 * 60 * 60 * 1000,
	retrySafeUntil: SAFE_UNTIL,
	verificationHint: 'Withdrawal > Get Many',
	...changed,
});

export const readRequest = request({
	kind: 'read',
	idempotencyKey: undefined,
	firstSentAt: undefined,
	retrySafeUntil: undefined,
});

/** @param isReplay the attempt before, under the same key, got the same error code */
export const explain = (
	outcome: FailedOutcome,
	failed: FailedRequest = request(),
	isReplay = false,
): Failure => explainFailure(outcome, classify(outcome, failed.kind, isReplay), failed, NOW);
