import type { Attempt, LostReason } from './sendRequest';
import { maskText } from '../privacy/text';
import { maskMessages } from '../privacy/value';
import type { Redactor } from '../privacy/redact';

/**
 * The outcome of one attempt.
 * - `success`: a complete response of the expected form
 * - `refused`: the service responded with its own error (both envelopes, docs/api.md#error-envelopes)
 * - `unclear`: this attempt alone does not show whether the server acted on it
 * - `blocked`: this n8n blocked the request
 */
export type Outcome =
	| { kind: 'success'; status: number; headers: Record<string, string>; body: unknown }
	| Refusal
	| Unclear
	| { kind: 'blocked'; reason: string };

export type FailedOutcome = Exclude<Outcome, { kind: 'success' }>;

export interface Refusal {
	kind: 'refused';
	code: string;
	status: number;
	message: string;
	details: Record<string, unknown> | undefined;
	headers: Record<string, string>;
}

export interface Unclear {
	kind: 'unclear';
	cause: UnclearCause;
	status: number | null;
	neverSent: boolean;
	/** Of the response of a gateway, which may say when to retry. */
	headers?: Record<string, string>;
}

/** `gateway`: an error page or an empty error; `malformed`: a success that can't be read; `redirect`: 3xx. */
export type UnclearCause = LostReason | 'gateway' | 'malformed' | 'redirect';

/** Reads the body of a successful response; returns undefined when it is not what was requested. */
export type BodyReader = (body: Buffer, headers: Record<string, string>) => unknown;

/** Reads any JSON; undefined for what is not JSON. */
export function readJson(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8')) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * 203 comes from a proxy that has changed the response, and 206 is a part of it, which was not
 * requested.
 */
const ALTERED: ReadonlySet<number> = new Set([203, 206]);

/**
 * Reads an attempt. The outcome may be shown and stored: nothing in it contains the API key, and what a
 * server says about an error, which often repeats the request, contains no personal data either.
 * Personal data in a successful response is what the user asked for; masking it is an option of the nodes.
 *
 * Done before anything is cut to length: half a key would not be recognized.
 */
export function interpret(attempt: Attempt, readBody: BodyReader, redactor: Redactor): Outcome {
	switch (attempt.kind) {
		case 'blocked':
			return { ...attempt, reason: maskText(redactor.text(attempt.reason)) };
		case 'noResponse': {
			const { reason: cause, neverSent } = attempt;
			return { kind: 'unclear', cause, status: null, neverSent };
		}
		case 'answer': {
			const { status, headers } = attempt;
			const body = redactor.bytes(attempt.body);
			const unclear = { kind: 'unclear', status, neverSent: false } as const;
			if (status >= 200 && status < 300) {
				const content = ALTERED.has(status) ? undefined : readBody(body, headers);
				return content === undefined
					? { ...unclear, cause: 'malformed' }
					: { kind: 'success', status, headers, body: content };
			}
			if (status >= 300 && status < 400) return { ...unclear, cause: 'redirect' };
			return readRefusal(status, headers, body) ?? { ...unclear, cause: 'gateway', headers };
		}
	}
}

/**
 * Reads `{error: {code, message, details}}`, else `{statusCode, error, message, code}`.
 * @returns null when the body is neither, as from a gateway in front of the service
 */
function readRefusal(
	status: number,
	headers: Record<string, string>,
	body: Buffer,
): Refusal | null {
	const json = asObject(readJson(body));
	const nested = asObject(json?.error);
	const { code, message, details } = nested ?? json ?? {};
	if (typeof code !== 'string' || code === '') return null;
	// A gateway may send its own code: the flat envelope repeats the status.
	if (!nested && json?.statusCode !== status) return null;
	return {
		kind: 'refused',
		code: maskText(code),
		status,
		message: typeof message === 'string' ? maskText(message) : '',
		details: maskMessages(asObject(details)),
		headers,
	};
}

function asObject(value: unknown): Record<string, unknown> | undefined {
	return typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Record<string, unknown>)
		: undefined;
}
