import { lookUpError, type CatalogueEntry, type Effect, type RetryClass } from './errors';
import type { FailedOutcome, Unclear } from '../transport/outcome';

/**
 * - `read`: changes nothing
 * - `repeatable`: a write that has the same effect when it is done twice (delete, replace an image)
 * - `single`: a write that is sent once, and again only if the service has not looked at it
 * - `keyed`: a write under an idempotency key
 * - `boletoCreation`: POST /v1/payments for a boleto alone; the service may store a provider's 502 under its key
 */
export type RequestKind = 'read' | 'repeatable' | 'single' | 'keyed' | 'boletoCreation';

/** What one outcome means for one request. Made once an attempt, for all that act on it or explain it. */
export interface Verdict {
	/** Whether, and under which key, another attempt may follow. */
	readonly retry: RetryClass;
	/** What it shows about the effect of a write. */
	readonly effect: Effect;
}

/** @param isReplay the attempt before, under the same key, got the same error code */
export function classify(outcome: FailedOutcome, kind: RequestKind, isReplay = false): Verdict {
	const verdict = classifyAny(outcome, kind, isReplay);
	const isUntouched = verdict.retry === 'wait' && verdict.effect === 'notReached';
	return kind === 'single' && !isUntouched ? { ...verdict, retry: 'never' } : verdict;
}

function classifyAny(outcome: FailedOutcome, kind: RequestKind, isReplay: boolean): Verdict {
	switch (outcome.kind) {
		case 'blocked':
			return { retry: 'never', effect: 'notReached' };
		case 'unclear':
			return classifyNoResponse(outcome);
		case 'refused': {
			const entry = lookUpError(outcome.code);
			return entry ? classifyCode(entry, kind, isReplay) : classifyStatus(outcome.status);
		}
	}
}

function classifyCode(entry: CatalogueEntry, kind: RequestKind, isReplay: boolean): Verdict {
	const replay = kind === 'boletoCreation' ? entry.onBoletoReplay : entry.onReplay;
	const { retry, effect } = (isReplay ? replay : undefined) ?? entry;
	// Without a key there is nothing to renew: a new key would only repeat the request.
	const hasKey = kind === 'keyed' || kind === 'boletoCreation';
	return { retry: retry === 'newKey' && !hasKey ? 'sameKey' : retry, effect };
}

function classifyNoResponse({ cause, status, neverSent }: Unclear): Verdict {
	const effect = neverSent ? 'notReached' : 'unknown';
	switch (cause) {
		case 'cancelled':
		case 'certificate':
		case 'redirect':
			return { retry: 'never', effect };
		case 'gateway':
			return classifyStatus(status ?? 0);
		default:
			return { retry: 'sameKey', effect };
	}
}

/** For responses without a code of the API: it is unknown who sent them, or what happened before. */
function classifyStatus(status: number): Verdict {
	if (status === 429) return { retry: 'wait', effect: 'unknown' };
	return { retry: status >= 500 || status === 408 ? 'sameKey' : 'never', effect: 'unknown' };
}
