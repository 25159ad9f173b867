import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { carriesCardFields } from '../rules/card';

export interface RecordedRequest {
	method: string;
	/** Path and query, raw and undecoded. */
	url: string;
	/** Authorization keeps only the loggable prefix of the key. */
	headers: IncomingHttpHeaders;
	rawBody: Buffer;
	/** Missing when the socket was destroyed instead of a response. */
	status?: number;
	idempotencyKey?: string;
	/** The kind of fault that really struck; missing where one was planned but found nothing to strike. */
	fault?: string;
	/** Epoch ms. */
	receivedAt: number;
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

/** The body as it arrived: the server parses none. */
export function bodyOf({ body }: FastifyRequest): Buffer {
	return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** @returns null if it is malformed */
export function parseBody(raw: Buffer): { value: unknown } | null {
	if (raw.length === 0) return { value: {} };
	try {
		return { value: JSON.parse(raw.toString('utf8')) as unknown };
	} catch {
		return null;
	}
}

/** Keeps `Bearer <key_prefix>_<env>_<kid>_`, which is safe to log, and drops the secret. */
function withoutSecret(authorization: string): string {
	const safe = /^Bearer +[A-Za-z0-9]+_(?:test|live)_[A-Za-z0-9]{10}_/i.exec(authorization);
	return `${safe?.[0] ?? ''}[redacted]`;
}

export function record(request: FastifyRequest, receivedAt: number): RecordedRequest {
	const { method, url } = request;
	const headers = { ...request.headers };
	if (headers.authorization) headers.authorization = withoutSecret(headers.authorization);
	const key = headers['x-idempotency-key'];
	const body = bodyOf(request);
	// Card data is neither stored nor logged (docs/api.md#create-a-payment).
	const hasCardData = carriesCardFields(parseBody(body)?.value);
	return {
		...{ method, url, headers, receivedAt },
		rawBody: hasCardData ? Buffer.from('[card data is not kept]') : body,
		...(typeof key === 'string' && { idempotencyKey: key }),
	};
}
