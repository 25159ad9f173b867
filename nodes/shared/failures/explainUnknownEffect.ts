import { lookUpError } from '../retry/errors';
import type { Verdict } from '../retry/verdict';
import { toBrasiliaTime } from '../text/time';
import type { FailedOutcome } from '../transport/outcome';
import type { Explanation, FailedRequest } from './failedRequest';

/** What the user may do, and how to find out what happened. */
export interface PartsToDo {
	readonly remedy: string;
	readonly again?: string | undefined;
	readonly howToCheck?: string;
}

/** Explains an outcome after which it is unknown whether the write took effect, and how to find out. */
export function explainUnknownEffect(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	explanation: Explanation,
): { message: string; parts: PartsToDo } {
	// The one refusal that a retry only repeats, because the content differs from the earlier attempt's.
	if (explanation.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') {
		const remedy = getRemedy(outcome, verdict, explanation);
		return { message: explanation.message, parts: { remedy } };
	}
	const isCancelled = outcome.kind === 'unclear' && outcome.cause === 'cancelled';
	const remedy = isCancelled ? '' : getRemedy(outcome, verdict, explanation);
	const again = wayToAskAgain(request, isCancelled);
	const happened = findEntry(outcome)?.whatIfUnclear ?? explanation.message;
	return {
		message: `It is not known whether this took effect: ${lowerFirst(happened)}`,
		parts: {
			remedy: isCancelled ? again : remedy,
			again: isCancelled ? undefined : again,
			howToCheck: [wayToCheck(request), findEntry(outcome)?.ifRetriesFail]
				.filter(Boolean)
				.join(' '),
		},
	};
}

/** What to do before the request is repeated; empty if repeating it is all. */
function getRemedy(outcome: FailedOutcome, verdict: Verdict, { remedy }: Explanation): string {
	if (verdict.retry !== 'never') return '';
	const own = findEntry(outcome)?.remedyIfUnclear;
	if (own !== undefined) return own;
	// Left out: for a refusal without effect, the remedy may be to send it again.
	return outcome.kind === 'refused' && verdict.effect === 'none' ? '' : remedy;
}

function findEntry(outcome: FailedOutcome): ReturnType<typeof lookUpError> {
	return outcome.kind === 'refused' ? lookUpError(outcome.code) : undefined;
}

function wayToAskAgain(request: FailedRequest, isCancelled: boolean): string {
	const { retrySafeUntil, hasOwnKey, isContinued, reference, isExternalId } = request;
	if (reference !== undefined) {
		return isExternalId
			? 'Run the workflow again: the External ID is recognized, and charged once.'
			: 'Run the workflow again: the reference is recognized, and paid once.';
	}
	const before =
		retrySafeUntil === undefined ? '' : ` before ${toBrasiliaTime(retrySafeUntil, 'down')}`;
	const bySameKey = 'under the same idempotency key and cannot take effect twice';
	const sendAgain = 'send only this item with that key in Options > Idempotency Key';
	const ownKey = hasOwnKey
		? ' If this key was used in an earlier execution, the 24 hours began there.'
		: '';
	if (isCancelled) {
		return `n8n keeps no data of a stopped execution and offers no Retry for it. In a new one ${sendAgain}${before}: that repeats the request ${bySameKey}.${ownKey}`;
	}
	if (isContinued) {
		return `Send this item to the node again${before}, for example by connecting the error output to its input: that repeats the request ${bySameKey}. Or ${sendAgain}.${ownKey} A retry of this execution does not come to this node again, and a new execution is a new order.`;
	}
	return `Retry this execution in the list Executions${before}: that repeats the request ${bySameKey}.${ownKey} If the execution cannot be retried, ${sendAgain}.`;
}

function wayToCheck({ firstSentAt, verificationHint, reference }: FailedRequest): string {
	return [
		`To check it yourself, use ${verificationHint ?? 'Get Many'}.`,
		firstSentAt === undefined ? '' : `It was first sent on ${toBrasiliaTime(firstSentAt, 'down')}.`,
		reference === undefined ? 'Do not repeat it under another key until you have checked.' : '',
	]
		.filter(Boolean)
		.join(' ');
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
