import type { Verdict } from '../retry/verdict';
import { sentence } from '../text/sentence';
import type { Unclear } from '../transport/outcome';
import type { Explanation, FailedRequest } from './failedRequest';
import { longWait } from './longWait';
import { TRANSPORT_ERRORS } from './transportErrors';

/** Explains that no response of the service arrived. */
export function explainTransportError(
	outcome: Unclear,
	verdict: Verdict,
	request: FailedRequest,
	now: number,
): Explanation {
	const { cause, status, neverSent } = outcome;
	const { code, message, description: usual } = TRANSPORT_ERRORS[cause];
	const wait = verdict.retry === 'never' ? null : longWait(outcome, now);
	const remedy = wait ?? usual;
	return {
		code,
		message,
		remedy: neverSent ? `${notSent(request)} ${remedy}` : remedy,
		reason: `[${code}${status === null ? '' : `, HTTP ${status}`}, ${request.server}]`,
		httpStatus: status,
		...(neverSent || wait !== null ? { again: 'Then retry this execution.' } : {}),
	};
}

/** Explains that this n8n blocked the request. */
export function explainBlocked(reason: string, request: FailedRequest): Explanation {
	return {
		code: 'BLOCKED_BY_N8N',
		message: 'This n8n does not allow requests to this address',
		remedy: `${sentence(reason)} ${notSent(request)} Ask the administrator of this n8n to allow ${request.server}.`,
		reason: '',
		httpStatus: null,
	};
}

/** About this attempt only: an earlier one may well have been sent. */
function notSent({ isUnclear }: FailedRequest): string {
	return isUnclear ? 'This attempt was not sent.' : 'Nothing was sent.';
}
