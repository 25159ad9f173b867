import { lowerFirst } from 'lodash';
import { hintedWaitMs, LONGEST_HINTED_WAIT_MS } from '../retry/backoff';
import type { Verdict, RequestKind } from '../retry/verdict';
import { toBrasiliaTime, toIso } from '../text/time';
import { omitUndefined } from '../text/omitUndefined';
import type { FailedOutcome, Refusal, Unclear, UnclearCause } from '../transport/outcome';
import { joinParts, type Failure, type DescriptionParts, type NeededScope } from './failure';
import { lookUpError, THEN_RETRY, type CatalogueEntry } from '../retry/errors';
import { maskText } from '../privacy/text';
import { toText } from '../input/text';
import { joinSentences, sentence } from '../text/sentences';

/** A key under which a write is sent, and what is known of it. Times in epoch ms. */
export interface SentKey {
	readonly key: string;
	/** Whether an attempt under the key may have taken effect, and it is not known whether it did. */
	readonly isUnclear: boolean;
	/** The user chose the key, so only the user may choose another one. */
	readonly hasOwnKey: boolean;
	readonly firstUsedAt: number | undefined;
	/** Until when the service certainly recognizes a repetition; undefined if that is not known, or not needed. */
	readonly retrySafeUntil: number | undefined;
	/** The user's own name for what is sent. */
	readonly reference: string | undefined;
	/** How the same request is made again, as a sentence; undefined: under the same key. */
	readonly again: string | undefined;
}

/** What is known about the request besides its last outcome. */
export interface FailedRequest {
	readonly kind: RequestKind;
	/** Where it went, without path: `https://api.example.com`. */
	readonly server: string;
	/** The scope that the operation requires. */
	readonly scope: NeededScope;
	/** Of a write under a key. */
	readonly order?: SentKey | undefined;
	/** It pays to a key that says nothing of its holder, and no document was sent with it. */
	readonly namesNoDocument?: boolean;
	/** Where a person finds out whether it took effect. */
	readonly verificationHint?: string | undefined;
}

/** What one outcome says to the user, regardless of earlier attempts. */
type Explanation = Pick<Failure, 'code' | 'message' | 'httpStatus'> & {
	readonly parts: DescriptionParts;
};

/** Explains the last outcome of a request that failed for good. */
export function explainFailure(
	outcome: FailedOutcome,
	verdict: Verdict,
	request: FailedRequest,
	now: number,
): Failure {
	const wait = verdict.retry === 'never' ? undefined : longWait(outcome, now);
	const own = explain(outcome, verdict, request, wait);
	const { order } = request;
	const isUnclear = order?.isUnclear === true;
	// A retry of the execution would only get the stored response again.
	const isUsedUp =
		verdict.retry === 'newKey' && (request.kind === 'boletoCreation' || order?.hasOwnKey === true);
	const mayHaveActed = verdict.effect === 'unknown' ? MAY_HAVE_ACTED[request.kind] : undefined;
	const { message, parts } = isUnclear
		? explainUnknownEffect(outcome, verdict, request, order, own)
		: { ...own, parts: { ...own.parts, remedy: joinSentences(own.parts.remedy, mayHaveActed) } };
	return {
		code: own.code,
		message,
		description: joinParts(parts),
		parts,
		httpStatus: own.httpStatus,
		retryable: verdict.retry !== 'never' && (isUnclear || !isUsedUp),
		effect: isUnclear || mayHaveActed !== undefined ? 'unknown' : 'none',
		...omitUndefined({
			idempotencyKey: order?.key,
			reference: order?.reference,
			firstSentAt: toIso(order?.firstUsedAt),
			retrySafeUntil: isUnclear ? toIso(order.retrySafeUntil) : undefined,
		}),
	};
}

/** Of writes without an order, by their kind. */
const MAY_HAVE_ACTED: Readonly<Partial<Record<RequestKind, string>>> = {
	repeatable: 'It may still have taken effect; repeating it does no harm.',
	single:
		'It was sent once and may still have taken effect: look at the record before you repeat it.',
};

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
	return `The server asks to wait until ${toBrasiliaTime(now + wait, 'up')}.`;
}

/** @param wait says when to retry, if that is long from now */
function explainRefusal(
	refusal: Refusal,
	verdict: Verdict,
	request: FailedRequest,
	wait: string | undefined,
): Explanation {
	const { code, status } = refusal;
	const entry = findEntry(refusal, request);
	const serverSaid = serverWords(refusal);
	const isOwnKeyBlocked = verdict.retry === 'newKey' && request.order?.hasOwnKey === true;
	return {
		code,
		message: entry?.what ?? 'The server refused the request',
		httpStatus: status,
		parts: {
			remedy: sentence(getRemedy(refusal, entry, verdict, request, wait)),
			reason: joinSentences(
				serverSaid && `The server said: ${serverSaid}`,
				`[${code}, HTTP ${status}]`,
			),
			...omitUndefined({
				again: isOwnKeyBlocked ? undefined : (entry?.again ?? (wait && THEN_RETRY)),
				serverSaid,
			}),
		},
	};
}

function findEntry({ code }: Refusal, request: FailedRequest): CatalogueEntry | undefined {
	const entry = lookUpError(code);
	return entry && { ...entry, ...(request.namesNoDocument ? entry.onNoDocument : undefined) };
}

const UNKNOWN_CODE_REMEDY =
	'This code is not documented. Contact support of the service and quote the code';

function getRemedy(
	refusal: Refusal,
	entry: CatalogueEntry | undefined,
	{ retry }: Verdict,
	request: FailedRequest,
	wait: string | undefined,
): string {
	if (entry === undefined) return UNKNOWN_CODE_REMEDY;
	if (refusal.code === 'FORBIDDEN' && request.scope !== null) {
		return `In the dashboard under Settings > API Keys, create a key with the scope ${request.scope}, and paste it into the credential. If the key has that scope, it does not allow the IP address of this n8n: create one that does.`;
	}
	if (wait !== undefined) return wait;
	if (retry === 'newKey' && request.order?.hasOwnKey) return BLOCKED_OWN_KEY;
	return (retry === 'newKey' ? entry.onBoletoReplay?.remedy : undefined) ?? entry.remedy;
}

/** A new execution would start over from that key, and get the same stored responses. */
const BLOCKED_OWN_KEY =
	"The service repeats this response for your 'Idempotency Key' for 24 hours. It is safe to send this item, and only this item, with another key, for example with -2 at the end.";

/** What the server itself said, with the fields that it named; undefined if it said nothing. */
function serverWords({ message, details }: Refusal): string | undefined {
	const fields = Object.entries(details ?? {}).map(
		([field, problem]) => `${maskText(field)}: ${toText(problem)}`,
	);
	const words = [message, ...fields].filter(Boolean).join('; ');
	return words === '' ? undefined : sentence(words);
}

function explainTransportError(
	{ cause, status, neverSent }: Unclear,
	request: FailedRequest,
	wait: string | undefined,
): Explanation {
	const { code, message, description } = TRANSPORT_ERRORS[cause];
	const remedy = wait ?? description;
	return {
		code,
		message,
		httpStatus: status,
		parts: {
			remedy: neverSent ? `${notSent(request)} ${remedy}` : remedy,
			reason: `[${code}${status === null ? '' : `, HTTP ${status}`}, ${request.server}]`,
			...(neverSent || wait !== undefined ? { again: THEN_RETRY } : {}),
		},
	};
}

function explainBlocked(reason: string, request: FailedRequest): Explanation {
	return {
		code: 'BLOCKED_BY_N8N',
		message: 'This n8n does not allow requests to this address',
		httpStatus: null,
		parts: {
			remedy: `${sentence(reason)} ${notSent(request)} Ask the administrator of this n8n to allow ${request.server}.`,
		},
	};
}

/** About this attempt only: an earlier one may well have been sent. */
function notSent({ order }: FailedRequest): string {
	return order?.isUnclear ? 'This attempt was not sent.' : 'Nothing was sent.';
}

const NO_RETRY = 'n8n offers no Retry for a stopped execution.';

/** Codes of this package for outcomes without a response of the service (docs/errors.md). */
export const TRANSPORT_ERRORS: Readonly<
	Record<UnclearCause, { code: string; message: string; description: string }>
> = {
	timeout: {
		code: 'TIMEOUT',
		message: 'The server did not respond in time',
		description: "Retry this execution, or increase 'Options > Timeout'.",
	},
	unreachable: {
		code: 'UNREACHABLE',
		message: 'The server cannot be reached',
		description: "Check the 'Base URL' in the credential and the network of this n8n.",
	},
	connectionLost: {
		code: 'CONNECTION_LOST',
		message: 'The connection to the server was lost before the response arrived',
		description: 'Retry this execution.',
	},
	certificate: {
		code: 'CERTIFICATE_REJECTED',
		message: "The server's certificate is not valid",
		description:
			"Check the 'Base URL' in the credential. If it is correct, send nothing and contact support of the service.",
	},
	cancelled: {
		code: 'CANCELLED',
		// n8n shows an execution as stopped rather than failed by the word "canceled".
		message: 'The execution was canceled before the response arrived',
		description: `${NO_RETRY} Send only what did not take effect, in a new one.`,
	},
	gateway: {
		code: 'GATEWAY_ERROR',
		message: 'Something in front of the service responded in its place',
		description: 'Retry this execution in a few minutes.',
	},
	malformed: {
		code: 'UNEXPECTED_ANSWER',
		message: 'The server reported success, but its response cannot be read',
		description: "Check the 'Base URL' in the credential: it may point to a web page.",
	},
	redirect: {
		code: 'REDIRECTED',
		message: 'The server responded with a redirect, which is not followed',
		description: "Enter the final address as 'Base URL' in the credential.",
	},
};

/** For an outcome after which it is unknown whether the write took effect. */
function explainUnknownEffect(
	outcome: FailedOutcome,
	verdict: Verdict,
	{ verificationHint }: FailedRequest,
	order: SentKey,
	own: Explanation,
): Pick<Explanation, 'message' | 'parts'> {
	const remedy = remedyIfUnclear(outcome, verdict, own);
	// The one refusal that a retry only repeats, because the content differs from the earlier attempt's.
	if (own.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') {
		return { message: own.message, parts: { ...own.parts, remedy } };
	}
	const isCancelled = outcome.kind === 'unclear' && outcome.cause === 'cancelled';
	const again = wayToAskAgain(order, isCancelled);
	const entry = entryOf(outcome);
	const howToCheck = joinSentences(
		`To check it yourself, use ${verificationHint ?? 'Get Many'}.`,
		order.again === undefined
			? 'Do not change this node, or repeat it under another key, until you have checked.'
			: '',
		entry?.ifRetriesFail,
	);
	return {
		message: `It is not known whether this took effect: ${lowerFirst(entry?.whatIfUnclear ?? own.message)}`,
		parts: {
			...own.parts,
			...(isCancelled ? { remedy: again, again: undefined } : { remedy, again }),
			howToCheck,
		},
	};
}

/** What to do before the request is repeated; empty if repeating it is all. */
function remedyIfUnclear(outcome: FailedOutcome, verdict: Verdict, own: Explanation): string {
	// A web page in place of the API answers each repetition, too.
	const isWebPage = outcome.kind === 'unclear' && outcome.cause === 'malformed';
	if (verdict.retry !== 'never' && !isWebPage) return '';
	const remedy = entryOf(outcome)?.remedyIfUnclear;
	if (remedy !== undefined) return remedy;
	// Left out: for a refusal without effect, the remedy may be to send it again.
	return outcome.kind === 'refused' && verdict.effect === 'none' ? '' : own.parts.remedy;
}

function entryOf(outcome: FailedOutcome): ReturnType<typeof lookUpError> {
	return outcome.kind === 'refused' ? lookUpError(outcome.code) : undefined;
}

function wayToAskAgain(order: SentKey, isCancelled: boolean): string {
	const { retrySafeUntil, hasOwnKey, again, reference } = order;
	if (again !== undefined) {
		return isCancelled && reference === undefined
			? `${NO_RETRY} A new one sends this as a new order: check first whether it took effect.`
			: again;
	}
	const before =
		retrySafeUntil === undefined ? '' : ` before ${toBrasiliaTime(retrySafeUntil, 'down')}`;
	const ownKey = hasOwnKey
		? ' If this key was used in an earlier execution, the 24 hours began there.'
		: '';
	const repeats = `: that repeats the request under the same idempotency key and cannot take effect twice.${ownKey}`;
	const sendAgain = "send only this item with that key in 'Options > Idempotency Key'";
	return isCancelled
		? `${NO_RETRY} In a new one ${sendAgain}${before}${repeats}`
		: `Retry this execution in the list Executions${before}, with this node unchanged${repeats} If the execution cannot be retried, or has continued after this node, ${sendAgain}.`;
}
