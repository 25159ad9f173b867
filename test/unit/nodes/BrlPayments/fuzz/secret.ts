/** Characters that mean something in addresses, JSON, HTML and expressions are among them. */
export const SECRET = 'example+/="%&<>$(.*)Zz09aBcDeFgH';
export const KEY = `brlpay_test_examplekid_${SECRET}`;

const each = (form: (code: number) => string) =>
	Array.from(SECRET, (character) => form(character.charCodeAt(0))).join('');
const hex = (code: number) => code.toString(16).padStart(2, '0');
const base64 = (before: string) => Buffer.from(`${before}${KEY} tail`).toString('base64');

/** How a server or a gateway may write the key into its response. */
export const ECHOES: readonly string[] = [
	KEY,
	SECRET,
	`Bearer ${KEY}`,
	`x${SECRET}x`,
	SECRET.toUpperCase(),
	encodeURIComponent(SECRET),
	JSON.stringify(SECRET).slice(1, -1),
	each((code) => `%${hex(code).toUpperCase()}`),
	each((code) => `\\u00${hex(code)}`),
	each((code) => `&#${code};`),
	Buffer.from(SECRET).toString('hex'),
	base64(''),
	base64('a'),
	base64('ab'),
	Buffer.from(`?${KEY}`).toString('base64url'),
	`${'A long text goes before the key. '.repeat(15)}key ${KEY}`,
	...Array.from({ length: 40 }, (_, index) => `${'.'.repeat(440 + index)}${SECRET}`),
];

const needles = [
	...[0, 1, 2].map((offset) => {
		const bytes = Buffer.from(' '.repeat(offset) + SECRET);
		return bytes.toString('base64').slice(4, 40);
	}),
	Buffer.from(SECRET).toString('hex'),
];
/** This much of the secret in a row is too much. */
const PART = SECRET.slice(0, 20).toLowerCase();

/** Whether a text contains the secret, as it is or in any of the encodings above. */
export function tells(text: string): boolean {
	const decoded = text
		.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/\\u00([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/&#(\d{1,4});/g, (_, code: string) => String.fromCharCode(Number(code)))
		.replace(/\\(["\\/])/g, '$1');
	if ([text, decoded].some((form) => form.toLowerCase().includes(PART))) return true;
	const standard = text.replaceAll('-', '+').replaceAll('_', '/');
	return needles.some((needle) => text.includes(needle) || standard.includes(needle));
}

/** Every text and name in a value, however deep, errors with their hidden fields included. */
export function getTexts(value: unknown): string[] {
	const texts: string[] = [];
	const seen = new Set<unknown>();
	const rest: unknown[] = [value];
	while (rest.length > 0) {
		const current = rest.pop();
		if (typeof current === 'string') texts.push(current);
		if (typeof current !== 'object' || current === null || seen.has(current)) continue;
		seen.add(current);
		if (Buffer.isBuffer(current)) continue;
		for (const name of Object.getOwnPropertyNames(current)) {
			texts.push(name);
			rest.push((current as Record<string, unknown>)[name]);
		}
	}
	return texts;
}
