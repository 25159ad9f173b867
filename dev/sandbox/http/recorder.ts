import type { IncomingHttpHeaders } from 'node:http';

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

/** Keeps `Bearer <key_prefix>_<env>_<kid>`, which is safe to log, and drops the secret. */
function redactAuthorization(value: string): string {
	const prefix = /^(Bearer +[A-Za-z0-9]+_(?:test|live)_[A-Za-z0-9]{10})_/i.exec(value)?.[1];
	return prefix === undefined ? '[redacted]' : `${prefix}_[redacted]`;
}

export function record(
	request: { method: string; url: string; headers: IncomingHttpHeaders },
	rawBody: Buffer,
	receivedAt: number,
): RecordedRequest {
	const headers = { ...request.headers };
	if (headers.authorization !== undefined) {
		headers.authorization = redactAuthorization(headers.authorization);
	}
	const key = headers['x-idempotency-key'];
	return {
		method: request.method,
		url: request.url,
		headers,
		rawBody,
		...(typeof key === 'string' ? { idempotencyKey: key } : {}),
		receivedAt,
	};
}
