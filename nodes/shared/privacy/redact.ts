import { walkJson } from '../text/walkJson';

/** Removes an API key from what came from outside. */
export interface Redactor {
	text(text: string): string;
	/** The same for all texts and names in a JSON value; files stay as they are. */
	json<T>(value: T): T;
}

/**
 * Makes a redactor for a key. Servers and gateways repeat requests in their responses: as they are,
 * or encoded for an address, a page, JSON or a header. The public prefix of the key stays.
 */
export function redactor(apiKey: string): Redactor {
	const secret = apiKey.slice(-32);
	if (secret === '') return { text: (text) => text, json: (value) => value };
	const wholeKey = new RegExp(escapable(apiKey), 'gi');
	const secretAlone = new RegExp(escapable(secret), 'gi');
	const encoded = new RegExp(encodings(secret).join('|'), 'g');
	const text = (given: string) =>
		given
			.replace(wholeKey, '[API key]')
			.replace(secretAlone, '[secret]')
			.replace(encoded, '[secret]');
	const json = <T>(value: T): T => {
		// Nearly always true, and far cheaper to check than to copy a page of a hundred rows.
		if (matchesNone([wholeKey, secretAlone, encoded], value)) return value;
		return walkJson(value, null, {
			enter: () => null,
			name: text,
			leaf: (leaf) => (typeof leaf === 'string' ? text(leaf) : leaf),
		});
	};
	return { text, json };
}

function matchesNone(forms: readonly RegExp[], value: unknown): boolean {
	const texts = textsIn(value).join('\n');
	return forms.every((form) => texts.search(form) === -1);
}

/** All texts and names in a JSON value; without recursion, as `walkJson`. */
function textsIn(value: unknown): string[] {
	const texts: string[] = [];
	const rest = [value];
	while (rest.length > 0) {
		const current = rest.pop();
		if (typeof current === 'string') texts.push(current);
		else if (Array.isArray(current)) for (const entry of current as unknown[]) rest.push(entry);
		else if (typeof current === 'object' && current !== null && !Buffer.isBuffer(current)) {
			for (const [name, entry] of Object.entries(current)) {
				texts.push(name);
				rest.push(entry);
			}
		}
	}
	return texts;
}

/** Each character as it is or escaped, as in addresses, JSON and HTML, in any mixture. */
function escapable(text: string): string {
	return Array.from(text, (character) => {
		const code = character.codePointAt(0) ?? 0;
		const hex = code.toString(16).padStart(2, '0');
		const itself = character.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
		const escaped = `%${hex}|\\\\u00${hex}|&#0*${code};|&#x0*${hex};`;
		// JSON may have a backslash before the character itself: \" and \/.
		return `\\\\?(?:${itself}|${escaped})`;
	}).join('');
}

/** Hexadecimal, and base64 of both alphabets wherever the text begins in what was encoded. */
function encodings(text: string): string[] {
	const hex = Buffer.from(text).toString('hex');
	const base64 = [0, 1, 2].map((offset) => {
		const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
		// Only the characters that no neighbor has a part in.
		const own = bytes
			.toString('base64')
			.slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
		return own.replaceAll('+', '[+-]').replaceAll('/', '[/_]');
	});
	return [hex, hex.toUpperCase(), ...base64];
}
