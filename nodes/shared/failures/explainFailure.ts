import { hintedWaitMs, LONGEST_HINTED_WAIT_MS } from '../retry/backoff';
import type { Verdict } from '../retry/verdict';
import { toBrasiliaTime, toIso } from '../text/time';
import { omitUndefined } from '../text/omitUndefined';
import type { FailedOutcome } from '../transport/outcome';
import { explainRefusal } from './explainRefusal';
import { explainBlocked, explainTransportError } from './explainTransportError';
import { explainUnknownEffect, type PartsToDo } from './explainUnknownEffect';
import type { Explanation, FailedRequest } from './failedRequest';
import { joinParts, type Failure } from './failure';

/** Explains the last outcome of a request that failed for good. */
export function explainFailure(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	now: number,
): Failure {
	const wait = verdict.retry === 'never' ? undefined : longWait(outcome, now);
	const explanation = explain(outcome, verdict, request, wait);
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
		const { message, parts } = explainUnknownEffect(outcome, verdict, request, explanation);
		return {
			...shared,
			message,
			...described(parts, explanation),
			retryable: verdict.retry !== 'never',
			effect: 'unknown',
			...omitUndefined({ retrySafeUntil: toIso(request.retrySafeUntil) }),
		};
	}
	// Deletion, or a new image: it may have happened, and doing it again changes nothing more.
	const mayHaveActed = request.kind === 'repeatable' && verdict.effect === 'unknown';
	return {
		...shared,
		message: explanation.message,
		...described(
			{
				remedy: [explanation.remedy, mayHaveActed ? REPEATABLE : ''].filter(Boolean).join(' '),
				again: explanation.again,
			},
			explanation,
		),
		retryable: verdict.retry !== 'never' && !isUsedUp(verdict, request),
		effect: mayHaveActed ? 'unknown' : 'none',
	};
}

/** Whether a retry of the execution would only get the stored response again. */
function isUsedUp({ retry }: Verdict, { kind, hasOwnKey }: FailedRequest): boolean {
	return retry === 'newKey' && (kind === 'boletoCreation' || hasOwnKey === true);
}

const REPEATABLE = 'It may still have taken effect; repeating it does no harm.';

/** A description, with the parts that it is made of. */
function described(
	{ remedy, again, howToCheck }: PartsToDo,
	{ reason, serverSaid }: Explanation,
): Pick<Failure, 'description' | 'parts'> {
	const parts = { remedy, ...omitUndefined({ again, howToCheck, reason, serverSaid }) };
	return { description: joinParts(parts), parts };
}

function explain(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	wait: string | undefined,
): Explanation {
	switch (outcome.kind) {
		case 'refused':
			return explainRefusal(outcome, verdict, request, wait);
		case 'unclear':
			return explainTransportError(outcome, request, wait);
		case 'blocked':
			return explainBlocked(outcome.reason, request);
	}
}

/** Says when to retry, if the server asks for a longer wait than a run makes. */
function longWait(outcome: FailedOutcome, now: number): string | undefined {
	const wait = hintedWaitMs(outcome, now);
	if (wait === null || wait <= LONGEST_HINTED_WAIT_MS) return undefined;
	const isByReset = 'headers' in outcome && outcome.headers?.['retry-after'] === undefined;
	return `The server asks to wait until ${toBrasiliaTime(now + wait, 'up')}.${isByReset ? ' If that time cannot be right, choose the unit under Rate Limit Reset in the credential.' : ''}`;
}
