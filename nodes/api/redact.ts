/**
 * Makes a function that removes an API key from text that came from outside, such as a server that
 * repeats the request in its error message. The public prefix of the key stays.
 */
export function redactor(apiKey: string): (text: string) => string {
	const secret = apiKey.slice(-32);
	if (secret === '') return (text) => text;
	return (text) => text.replaceAll(apiKey, '[API key]').replaceAll(secret, '[secret]');
}
