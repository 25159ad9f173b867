import { lookUpError, type CatalogueEntry } from '../retry/errors';
import type { Verdict } from '../retry/verdict';
import { omitUndefined } from '../text/omitUndefined';
import { sentence } from '../text/sentence';
import type { Refusal } from '../transport/outcome';
import { toText } from '../validation/text';
import type { Explanation, FailedRequest } from './failedRequest';

/**
 * Explains an error that the service itself responded with.
 * @param wait says when to retry, if that is long from now
 */
export function explainRefusal(
	refusal: Refusal,
	verdict: Verdict,
	request: FailedRequest,
	wait: string | undefined,
): Explanation {
	const entry = findEntry(refusal, request);
	const serverSaid = serverWords(refusal);
	const isOwnKeyBlocked = verdict.retry === 'newKey' && request.hasOwnKey === true;
	return {
		code: refusal.code,
		message: entry?.what ?? 'The server refused the request',
		remedy: sentence(
			entry ? getRemedy(refusal, entry, verdict, request, wait) : UNKNOWN_CODE_REMEDY,
		),
		reason: [
			isInvalid(refusal) ? request.ifInvalid : '',
			serverSaid && `The server said: ${serverSaid}`,
			`[${refusal.code}, HTTP ${refusal.status}]`,
		]
			.filter(Boolean)
			.join(' '),
		httpStatus: refusal.status,
		...omitUndefined({
			again: isOwnKeyBlocked ? undefined : (entry?.again ?? (wait && THEN_RETRY)),
			serverSaid,
		}),
	};
}

function findEntry({ code }: Refusal, request: FailedRequest): CatalogueEntry | undefined {
	const entry = lookUpError(code);
	return entry && request.namesNoRecord ? { ...entry, ...entry.onCreation } : entry;
}

function isInvalid({ code, status }: Refusal): boolean {
	return code === 'VALIDATION_ERROR' || (status === 400 && lookUpError(code) === undefined);
}

const UNKNOWN_CODE_REMEDY =
	'This error is not documented. Contact support of the service and quote the code';

function getRemedy(
	refusal: Refusal,
	entry: CatalogueEntry,
	{ retry }: Verdict,
	request: FailedRequest,
	wait: string | undefined,
): string {
	if (refusal.code === 'FORBIDDEN' && request.scope !== null) {
		return `Give the key the scope ${request.scope} in the dashboard under Settings > API Keys. If it has that scope, add the IP address of this n8n to its allowlist there.`;
	}
	if (wait !== undefined) return wait;
	if (retry === 'wait' && request.isLimitedForLong) return `${NOTHING_GOT_THROUGH} ${entry.remedy}`;
	if (retry === 'newKey' && request.hasOwnKey) return BLOCKED_OWN_KEY;
	return (retry === 'newKey' ? entry.onBoletoReplay?.remedy : undefined) ?? entry.remedy;
}

const THEN_RETRY = 'Then retry this execution.';

const NOTHING_GOT_THROUGH =
	'The service accepted no request of this run for five minutes. API Key > Get shows the limit of the key (rateLimitPerMinute); other workflows that use the key count too.';

/** A new execution would start over from that key, and get the same stored responses. */
const BLOCKED_OWN_KEY =
	'The service repeats this response for your Idempotency Key for 24 hours. It is safe to send this item, and only this item, with another key, for example with -2 at the end.';

/** What the server itself said, with the fields that it named; undefined if it said nothing. */
function serverWords({ message, details }: Refusal): string | undefined {
	const fields = Object.entries(details ?? {}).map(
		([field, problem]) => `${field}: ${toText(problem)}`,
	);
	const words = [message, ...fields].filter(Boolean).join('; ');
	return words === '' ? undefined : sentence(words);
}
