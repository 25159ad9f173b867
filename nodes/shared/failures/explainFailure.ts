import type { Verdict } from '../retry/verdict';
import { omitUndefined } from '../text/omitUndefined';
import type { FailedOutcome } from '../transport/outcome';
import { explainRefusal } from './explainRefusal';
import { explainBlocked, explainTransportError } from './explainTransportError';
import { explainUnknownEffect } from './explainUnknownEffect';
import type { Explanation, FailedRequest } from './failedRequest';
import type { Failure } from './failure';

/** Explains the last outcome of a request that failed for good. */
export function explainFailure(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	now: number,
): Failure {
	const explanation = explain(outcome, verdict, request, now);
	const isWrite = request.kind === 'keyed' || request.kind === 'boletoCreation';
	const shared = {
		code: explanation.code,
		httpStatus: explanation.httpStatus,
		...omitUndefined({
			idempotencyKey: request.idempotencyKey,
			reference: request.reference,
			firstSentAt: toIso(request.firstSentAt),
		}),
	};
	if (isWrite && request.isUnclear) {
		return {
			...shared,
			...explainUnknownEffect(outcome, verdict, request, explanation),
			retryable: verdict.retry !== 'never',
			effect: 'unknown',
			...omitUndefined({ retrySafeUntil: toIso(request.retrySafeUntil) }),
		};
	}
	// Deleting, replacing an image: it may have happened, and asking again does no more.
	const mayHaveActed = request.kind === 'repeatable' && verdict.effect === 'unknown';
	return {
		...shared,
		message: explanation.message,
		description: [explanation.remedy, mayHaveActed ? REPEATABLE : '', explanation.reason]
			.filter(Boolean)
			.join(' '),
		// After the last key a retry of the execution only meets the stored answers again.
		retryable: verdict.retry !== 'never' && verdict.retry !== 'newKey',
		effect: mayHaveActed ? 'unknown' : 'none',
	};
}

const REPEATABLE = 'It may have taken effect all the same; repeating it does no harm.';

function explain(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	now: number,
): Explanation {
	switch (outcome.kind) {
		case 'refused':
			return explainRefusal(outcome, verdict, request, now);
		case 'unclear':
			return explainTransportError(outcome, verdict, request, now);
		case 'blocked':
			return explainBlocked(outcome.reason, request);
	}
}

function toIso(epochMs: number | undefined): string | undefined {
	return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}
