/** Removes an API key from what came from outside: servers and gateways repeat requests in their responses. */
export interface Redactor {
	text(text: string): string;
	/** Of a response, before anything is parsed. */
	bytes(bytes: Buffer): Buffer;
}

/**
 * Makes a redactor for a key, as it is, in an address and in the JSON of PHP. The public prefix of the
 * key stays.
 */
export function redactor(apiKey: string): Redactor {
	const secret = apiKey.slice(-32);
	if (secret === '') return { text: (text) => text, bytes: (bytes) => bytes };
	const forms = [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')];
	const text = (given: string) =>
		forms.reduce(
			(rest, form) => rest.replaceAll(form, '[secret]'),
			given.replaceAll(apiKey, '[API key]'),
		);
	return {
		text,
		// Latin1 keeps every byte of a PDF.
		bytes: (bytes) =>
			forms.some((form) => bytes.includes(form))
				? Buffer.from(text(bytes.toString('latin1')), 'latin1')
				: bytes,
	};
}
