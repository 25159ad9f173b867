import { sentence } from '../text/sentence';
import type { Unclear } from '../transport/outcome';
import type { Explanation, FailedRequest } from './failedRequest';
import { TRANSPORT_ERRORS } from './transportErrors';

/**
 * Explains that no response of the service arrived.
 * @param wait says when to retry, if that is long from now
 */
export function explainTransportError(
	{ cause, status, neverSent }: Unclear,
	request: FailedRequest,
	wait: string | undefined,
): Explanation {
	const { code, message, description } = TRANSPORT_ERRORS[cause];
	const remedy = wait ?? description;
	return {
		code,
		message,
		remedy: neverSent ? `${notSent(request)} ${remedy}` : remedy,
		reason: `[${code}${status === null ? '' : `, HTTP ${status}`}, ${request.server}]`,
		httpStatus: status,
		...(neverSent || wait !== undefined ? { again: 'Then retry this execution.' } : {}),
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
