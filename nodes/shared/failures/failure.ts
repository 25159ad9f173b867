import { lookUpError, type CatalogueEntry } from '../retry/errors';
import { textOf } from '../validation/text';
import type { Outcome, Refusal, UnclearCause } from '../transport/outcome';
import type { NeededScope } from './scopes';
import { effectOf, retryClassOf, type RequestKind } from '../retry/retryPolicy';
import { hintedWaitMs, LONGEST_HINTED_WAIT_MS } from '../retry/backoff';

/** Why an item failed, in words for the user and in fields for a workflow. */
export interface Failure {
	/** A code of the API, or one of this package: NO_ANSWER, UNREACHABLE, UNEXPECTED_ANSWER … */
	readonly code: string;
	readonly message: string;
	readonly description: string;
	readonly httpStatus: number | null;
	/** Whether retrying this execution can succeed without anybody changing something. */
	readonly retryable: boolean;
	readonly idempotencyKey?: string;
	/**
	 * - `unknown`: the request may have taken effect, and only a retry or a look-up tells
	 * - `done`: an earlier attempt surely took effect, and this one was not sent
	 */
	readonly effect: 'none' | 'unknown' | 'done';
	/** The reference of the payout. */
	readonly reference?: string;
	/** When the key was first sent, ISO 8601. */
	readonly firstSentAt?: string;
	/** Until when a retry is recognized as one, ISO 8601; where the effect of a write is unknown. */
	readonly retrySafeUntil?: string;
	/** Withdrawals that pay the same, found before anything was sent. */
	readonly withdrawalIds?: readonly string[];
	/** It says nothing about other items, which are tried all the same. */
	readonly concernsItemOnly?: true;
}

/** Thrown by the client when an item has failed for good. */
export class ApiFailure extends Error {
	constructor(readonly failure: Failure) {
		super(failure.message);
		this.name = 'ApiFailure';
	}
}

/** What is known about the request besides its last outcome. Times in epoch ms. */
export interface FailedRequest {
	readonly kind: RequestKind;
	/** Whether the attempt before, under the same key, got the same error code. */
	readonly isReplay?: boolean;
	/** Where it went, without path: `https://api.example.com`. */
	readonly server: string;
	/** The scope that the operation needs. */
	readonly scope: NeededScope;
	readonly idempotencyKey?: string;
	/** Whether an attempt of this operation may have taken effect without anybody learning it. */
	readonly isUnclear: boolean;
	readonly firstSentAt?: number | undefined;
	/** Undefined where the first use of the key is not known. */
	readonly retrySafeUntil?: number | undefined;
	readonly reference?: string | undefined;
	/** The user chose the key, so that every execution has the same. */
	readonly hasOwnKey?: boolean;
	/** Where a person finds out whether it took effect. */
	readonly verificationHint?: string | undefined;
	/** What else may help where the server refuses a field or a parameter; a full sentence. */
	readonly ifInvalid?: string | undefined;
	/** The service has let no item of the run through for as long as a run waits. */
	readonly isLimitedForLong?: boolean;
}

/** Explains the last outcome of a request that failed for good. */
export function explainFailure(
	outcome: Exclude<Outcome, { kind: 'success' }>,
	request: FailedRequest,
	now: number,
): Failure {
	const isWrite = request.kind === 'keyed' || request.kind === 'boletoCreation';
	const retry = retryClassOf(outcome, request.kind, request.isReplay);
	const shared = {
		retryable: retry !== 'never',
		...(request.idempotencyKey === undefined ? {} : { idempotencyKey: request.idempotencyKey }),
		...(request.reference === undefined ? {} : { reference: request.reference }),
		...(request.firstSentAt === undefined
			? {}
			: { firstSentAt: new Date(request.firstSentAt).toISOString() }),
	};
	const { reason, ...told } = explain(outcome, request, now);
	if (isWrite && request.isUnclear) {
		// The one refusal that a retry only repeats, because the content differs from the earlier attempt's.
		const isMismatch = told.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH';
		const isCancelled = told.code === TRANSPORT_ERRORS.cancelled.code;
		return {
			...shared,
			...told,
			message: isMismatch
				? told.message
				: `It is not known whether this took effect: ${lowerFirst(whatIfUnclear(outcome) ?? told.message)}`,
			description: [
				shared.retryable || isCancelled
					? ''
					: (remedyIfUnclear(outcome, request) ?? told.description),
				isMismatch ? '' : unclearRemedy(request, isCancelled),
				reason,
			]
				.filter(Boolean)
				.join(' '),
			effect: 'unknown',
			...(request.retrySafeUntil === undefined
				? {}
				: { retrySafeUntil: new Date(request.retrySafeUntil).toISOString() }),
		};
	}
	// Deleting, replacing an image: it may have happened, and asking again does no more.
	const mayHaveActed =
		request.kind === 'repeatable' && effectOf(outcome, request.kind) === 'unknown';
	return {
		...shared,
		...told,
		// After the last key a retry of the execution only meets the stored answers again.
		retryable: shared.retryable && retry !== 'newKey',
		description: [told.description, mayHaveActed ? REPEATABLE : '', reason]
			.filter(Boolean)
			.join(' '),
		effect: mayHaveActed ? 'unknown' : 'none',
	};
}

const REPEATABLE = 'It may have taken effect all the same; repeating it does no harm.';

interface Told {
	code: string;
	message: string;
	/** What to do. */
	description: string;
	/** What the server said, and the code. */
	reason: string;
	httpStatus: number | null;
}

function explain(
	outcome: Exclude<Outcome, { kind: 'success' }>,
	request: FailedRequest,
	now: number,
): Told {
	switch (outcome.kind) {
		case 'refused':
			return explainRefusal(outcome, request, now);
		case 'unclear':
			return explainSilence(outcome, request, now);
		case 'blocked':
			return {
				code: 'BLOCKED_BY_N8N',
				message: 'This n8n does not allow requests to this address',
				description: `${sentence(outcome.reason)} ${notSent(request)} Ask the administrator of this n8n to allow ${request.server}.`,
				reason: '',
				httpStatus: null,
			};
	}
}

function explainRefusal(refusal: Refusal, request: FailedRequest, now: number): Told {
	const entry = lookUpError(refusal.code);
	return {
		code: refusal.code,
		message: entry?.what ?? 'The server refused the request',
		description: sentence(entry ? remedyOf(refusal, entry, request, now) : UNKNOWN_CODE_REMEDY),
		reason: [
			isInvalid(refusal) ? request.ifInvalid : '',
			serverWords(refusal),
			`[${refusal.code}, HTTP ${refusal.status}]`,
		]
			.filter(Boolean)
			.join(' '),
		httpStatus: refusal.status,
	};
}

function isInvalid({ code, status }: Refusal): boolean {
	return code === 'VALIDATION_ERROR' || (status === 400 && lookUpError(code) === undefined);
}

const UNKNOWN_CODE_REMEDY =
	'This error is not documented. Ask support of the service, and name the code';

function remedyOf(
	refusal: Refusal,
	entry: CatalogueEntry,
	request: FailedRequest,
	now: number,
): string {
	if (refusal.code === 'FORBIDDEN' && request.scope !== null) {
		return `Give the key the scope ${request.scope} in the dashboard under Settings > API Keys. If it has that scope, add the IP address of this n8n to its allowlist there.`;
	}
	const retry = retryClassOf(refusal, request.kind, request.isReplay);
	const wait = retry === 'never' ? null : longWait(refusal, now);
	if (wait !== null) return wait;
	if (retry === 'wait' && request.isLimitedForLong) return `${NOTHING_GOT_THROUGH} ${entry.remedy}`;
	if (retry === 'newKey' && request.hasOwnKey) return BLOCKED_OWN_KEY;
	return (retry === 'newKey' ? entry.onBoletoReplay?.remedy : undefined) ?? entry.remedy;
}

const NOTHING_GOT_THROUGH =
	'For five minutes the service let no request of this run through. API Key > Get shows the limit of the key (rateLimitPerMinute); other workflows that use the key count too.';

/** A new execution would start over from that key, and meet the same stored answers. */
const BLOCKED_OWN_KEY =
	'The service keeps this answer under your Idempotency Key for 24 hours. It is safe to send this item, and no other, under another key, for example with -2 at the end.';

/** Says when to come back, where that is too long to wait for. */
function longWait(outcome: Outcome, now: number): string | null {
	const wait = hintedWaitMs(outcome, now);
	if (wait === null || wait <= LONGEST_HINTED_WAIT_MS) return null;
	const isByReset = 'headers' in outcome && outcome.headers?.['retry-after'] === undefined;
	return `The server asks to wait until ${new Date(now + wait).toISOString()}. Retry this execution after that.${isByReset ? ' If that moment cannot be right, choose the unit under Rate Limit Reset in the credential.' : ''}`;
}

function remedyIfUnclear(outcome: Outcome, { kind }: FailedRequest): string | undefined {
	if (outcome.kind !== 'refused') return undefined;
	const own = lookUpError(outcome.code)?.remedyIfUnclear;
	// A remedy for what surely had no effect may be to send it again.
	return own ?? (effectOf(outcome, kind) === 'none' ? '' : undefined);
}

function whatIfUnclear(outcome: Outcome): string | undefined {
	return outcome.kind === 'refused' ? lookUpError(outcome.code)?.whatIfUnclear : undefined;
}

/** What the server itself said, with the fields that it named. */
function serverWords({ message, details }: Refusal): string {
	const fields = Object.entries(details ?? {}).map(
		([field, problem]) => `${field}: ${textOf(problem)}`,
	);
	const words = [message, ...fields].filter(Boolean).join('; ');
	return words === '' ? '' : `The server said: ${sentence(words)}`;
}

/** Codes of this package for answers that are none of the service's own; docs/errors.md lists them. */
export const TRANSPORT_ERRORS: Readonly<
	Record<UnclearCause, { code: string; message: string; description: string }>
> = {
	timeout: {
		code: 'TIMEOUT',
		message: 'The server did not answer in time',
		description: 'Retry this execution, or raise Options > Timeout.',
	},
	unreachable: {
		code: 'UNREACHABLE',
		message: 'The server cannot be reached',
		description: 'Check the Base URL in the credential and the network of this n8n.',
	},
	connectionLost: {
		code: 'CONNECTION_LOST',
		message: 'The connection to the server was lost before its answer arrived',
		description: 'Retry this execution.',
	},
	certificate: {
		code: 'CERTIFICATE_REJECTED',
		message: "The server's certificate is not valid",
		description:
			'Check the Base URL in the credential. If it is right, do not send anything and ask support of the service.',
	},
	cancelled: {
		code: 'CANCELLED',
		// n8n shows an execution as stopped rather than failed by the word "canceled".
		message: 'The execution was canceled before the answer arrived',
		description:
			'n8n keeps nothing of an execution that was stopped, and offers no Retry for it. Send only what did not take effect, in a new one.',
	},
	gateway: {
		code: 'GATEWAY_ERROR',
		message: 'Something in front of the service answered with an error',
		description: 'Retry this execution in a few minutes.',
	},
	malformed: {
		code: 'UNEXPECTED_ANSWER',
		message: 'The server reported success, but its answer cannot be read',
		description: 'Check the Base URL in the credential: it may lead to a web page.',
	},
	redirect: {
		code: 'REDIRECTED',
		message: 'The server answered with a redirect, which is not followed',
		description: 'Enter the final address as Base URL in the credential.',
	},
};

function explainSilence(
	outcome: Extract<Outcome, { kind: 'unclear' }>,
	request: FailedRequest,
	now: number,
): Told {
	const { cause, status, neverSent } = outcome;
	const { code, message, description: usual } = TRANSPORT_ERRORS[cause];
	const isRetried = retryClassOf(outcome, request.kind) !== 'never';
	const description = (isRetried ? longWait(outcome, now) : null) ?? usual;
	return {
		code,
		message,
		description: neverSent ? `${notSent(request)} ${description}` : description,
		reason: `[${code}${status === null ? '' : `, HTTP ${status}`}, ${request.server}]`,
		httpStatus: status,
	};
}

/** Said of one attempt: an earlier one may well have gone out. */
function notSent({ isUnclear }: FailedRequest): string {
	return isUnclear ? 'This attempt was not sent.' : 'Nothing was sent.';
}

function unclearRemedy(request: FailedRequest, isCancelled: boolean): string {
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

function sentence(text: string): string {
	const short = text.length > 500 ? `${text.slice(0, 500)}…` : text;
	return /[.!?…]$/.test(short) ? short : `${short}.`;
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
