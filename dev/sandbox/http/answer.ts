/** A response in the form in which it is sent, so that a replay repeats the same bytes. */
export interface WireAnswer {
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

export function json(
	status: number,
	value: unknown,
	headers: Record<string, string> = {},
): WireAnswer {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
		body: Buffer.from(JSON.stringify(value)),
	};
}

export function text(status: number, mediaType: string, content: string): WireAnswer {
	return {
		status,
		headers: { 'content-type': `${mediaType}; charset=utf-8` },
		body: Buffer.from(content),
	};
}

export function binary(status: number, mediaType: string, body: Buffer): WireAnswer {
	return { status, headers: { 'content-type': mediaType }, body };
}
