import { lookUpError } from '../retry/errors';
import type { Verdict } from '../retry/verdict';
import type { FailedOutcome } from '../transport/outcome';
import type { Explanation, FailedRequest } from './failedRequest';
import type { Failure } from './failure';

/** Explains an outcome after which nobody knows whether the write took effect, and how to find out. */
export function explainUnknownEffect(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	explanation: Explanation,
): Pick<Failure, 'message' | 'description'> {
	// The one refusal that a retry only repeats, because the content differs from the earlier attempt's.
	if (explanation.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') {
		const remedy = remedyOf(outcome, verdict, explanation);
		return {
			message: explanation.message,
			description: [remedy, explanation.reason].filter(Boolean).join(' '),
		};
	}
	const isCancelled = outcome.kind === 'unclear' && outcome.cause === 'cancelled';
	const remedy = isCancelled ? '' : remedyOf(outcome, verdict, explanation);
	const happened = entryOf(outcome)?.whatIfUnclear ?? explanation.message;
	return {
		message: `It is not known whether this took effect: ${lowerFirst(happened)}`,
		description: [remedy, wayToFindOut(request, isCancelled), explanation.reason]
			.filter(Boolean)
			.join(' '),
	};
}

/** What to do before it is asked again; empty where asking again is all. */
function remedyOf(outcome: FailedOutcome, verdict: Verdict, { remedy }: Explanation): string {
	if (verdict.retry !== 'never') return '';
	const own = entryOf(outcome)?.remedyIfUnclear;
	if (own !== undefined) return own;
	// A remedy for what surely had no effect may be to send it again.
	return outcome.kind === 'refused' && verdict.effect === 'none' ? '' : remedy;
}

function entryOf(outcome: FailedOutcome): ReturnType<typeof lookUpError> {
	return outcome.kind === 'refused' ? lookUpError(outcome.code) : undefined;
}

function wayToFindOut(request: FailedRequest, isCancelled: boolean): string {
	const { firstSentAt, retrySafeUntil, verificationHint, hasOwnKey, reference } = request;
	const before =
		retrySafeUntil === undefined ? '' : ` before ${new Date(retrySafeUntil).toISOString()}`;
	const since =
		firstSentAt === undefined
			? ''
			: ` It was first sent on ${new Date(firstSentAt).toISOString()}.`;
	const check = `To check it yourself, use ${verificationHint ?? 'Get Many'}.${since}`;
	if (reference !== undefined) {
		return `Run the workflow again: the reference is recognized, and paid once. ${check}`;
	}
	const bySameKey = 'under the same idempotency key and cannot take effect twice';
	const sendAgain = 'send this item alone with that key in Options > Idempotency Key';
	return [
		isCancelled
			? `n8n keeps nothing of an execution that was stopped, and offers no Retry for it. In a new one ${sendAgain}${before}: it asks again ${bySameKey}.`
			: `Retry this execution in the list Executions${before}: it asks again ${bySameKey}.`,
		hasOwnKey ? 'If this key was used in an earlier execution, the 24 hours began there.' : '',
		isCancelled
			? ''
			: `Where an execution cannot be retried, as with Continue On Fail, ${sendAgain}.`,
		check,
		'Do not repeat it under another key before that.',
	]
		.filter(Boolean)
		.join(' ');
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
