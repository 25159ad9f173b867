import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { toText } from '../input/text';

/** One HTTP request, ready to go out. `timeout` in milliseconds. */
export type HttpRequest = Readonly<
	Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'headers' | 'body' | 'timeout'>
>;

/**
 * The result of one HTTP request.
 * - `answer`: a complete HTTP response arrived, with any status
 * - `noResponse`: none did; whether the server acted on the request is unknown, except where
 *   `neverSent` says that no connection was made
 * - `blocked`: this n8n refused to send it (its network policy); trying again will not help
 */
export type Attempt =
	| { kind: 'answer'; status: number; headers: Record<string, string>; body: Buffer }
	| { kind: 'noResponse'; reason: LostReason; neverSent: boolean }
	| { kind: 'blocked'; reason: string };

export type LostReason = 'timeout' | 'unreachable' | 'connectionLost' | 'certificate' | 'cancelled';

type Loss = Pick<Extract<Attempt, { kind: 'noResponse' }>, 'reason' | 'neverSent'>;

const TIMEOUT: Loss = { reason: 'timeout', neverSent: false };
const UNREACHABLE: Loss = { reason: 'unreachable', neverSent: true };
const CERTIFICATE: Loss = { reason: 'certificate', neverSent: true };

/** Codes of Node.js and axios, by what they mean for a request that waits for its response. */
export const REASON_OF_CODE: Record<string, Loss> = {
	ECONNABORTED: TIMEOUT,
	ETIMEDOUT: TIMEOUT,
	ECONNREFUSED: UNREACHABLE,
	ENOTFOUND: UNREACHABLE,
	EAI_AGAIN: UNREACHABLE,
	EHOSTUNREACH: UNREACHABLE,
	ENETUNREACH: UNREACHABLE,
	CERT_HAS_EXPIRED: CERTIFICATE,
	DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
	SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
	ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
	ERR_CANCELED: { reason: 'cancelled', neverSent: false },
};

/** Names of the errors with which n8n refuses a destination (SSRF protection, allowed domains). */
const BLOCKED = /ssrf|not allowed|blocked|restricted/i;

const CREDENTIAL_TYPE = 'brlPaymentsApi';

/**
 * Sends one request through n8n's own helper, so that the proxy, the network policy and the
 * cancellation of this n8n stay in force. Never throws, and never passes on the helper's error,
 * which contains the request with its Authorization header.
 *
 * @param credential as n8n gave it to this run. Without it the helper would read it from the database
 * and decrypt it for each request, which costs as much as the request.
 */
export async function sendRequest(
	context: IAllExecuteFunctions,
	request: HttpRequest,
	abortSignal: AbortSignal | undefined,
	credential: ICredentialDataDecryptedObject,
): Promise<Attempt> {
	if (abortSignal?.aborted) return { kind: 'noResponse', reason: 'cancelled', neverSent: true };
	const options: IHttpRequestOptions = {
		...request,
		abortSignal,
		// The response is read as bytes and judged here: an HTML page with status 200 is no success.
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// An API has no business redirecting a payment; the response is reported instead.
		disableFollowRedirect: true,
		sendCredentialsOnCrossOriginRedirect: false,
	};
	try {
		return attemptOfResponse(
			(await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_TYPE,
				options,
				// Of these, the helper reads only the data.
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_TYPE, data: credential } },
			)) as IN8nHttpFullResponse,
		);
	} catch (error) {
		return attemptOfError(error, abortSignal);
	}
}

export function attemptOfResponse(response: IN8nHttpFullResponse): Attempt {
	return {
		kind: 'answer',
		status: response.statusCode,
		headers: lowerCaseNames(response.headers),
		body: toBytes(response.body),
	};
}

/** Reads an error of one of n8n's request helpers that got no response. */
export function attemptOfError(error: unknown, abortSignal?: AbortSignal): Attempt {
	if (abortSignal?.aborted) return { kind: 'noResponse', reason: 'cancelled', neverSent: false };
	for (const { code, message } of causes(error)) {
		const text = toText(message);
		if (typeof code !== 'string') {
			if (BLOCKED.test(text)) return { kind: 'blocked', reason: text };
		} else if (Object.hasOwn(REASON_OF_CODE, code)) {
			return { kind: 'noResponse', ...(REASON_OF_CODE[code] as Loss) };
		}
	}
	return { kind: 'noResponse', reason: 'connectionLost', neverSent: false };
}

/** The error and what it was caused by, outermost last: n8n wraps the network's own error. */
function causes(error: unknown): Array<Error & { code?: unknown }> {
	const found: Error[] = [];
	for (let current = error; current instanceof Error && found.length < 5; current = current.cause) {
		found.unshift(current);
	}
	return found;
}

function lowerCaseNames(headers: IDataObject): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), toText(value)]),
	);
}

function toBytes(body: unknown): Buffer {
	if (Buffer.isBuffer(body)) return body;
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''));
}
