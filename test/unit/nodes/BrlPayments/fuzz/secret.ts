/** Characters that mean something in addresses and in JSON are among them. */
const SECRET = 'example+/=-_.~+/Zz09aBcDeFgHiJkL';
export const KEY = `brlpay_test_examplekid_${SECRET}`;

/** How a server or a gateway may write the key into its response. */
export const ECHOES: readonly string[] = [
	KEY,
	SECRET,
	`Bearer ${KEY}`,
	`x${SECRET}x`,
	encodeURIComponent(SECRET),
	`${'A long text goes before the key. '.repeat(15)}key ${KEY}`,
	...Array.from({ length: 40 }, (_, index) => `${'.'.repeat(440 + index)}${SECRET}`),
];

/** This much of the secret in a row is too much. */
const PART = SECRET.slice(0, 20);

/** Whether a text contains the secret, as it is or in an address. */
export function tells(text: string): boolean {
	return text.includes(PART) || text.includes(encodeURIComponent(PART));
}

/** What a response may end with that breaks off within the key, the longest first. */
const BROKEN = [encodeURIComponent(SECRET), SECRET]
	.flatMap((form) => Array.from({ length: form.length - 1 }, (_, end) => form.slice(0, end + 1)))
	.sort((one, other) => other.length - one.length);

/** The beginning of a response. If it breaks off within the key, nothing can recognize that part: it is left out. */
export function breakOff(response: string, length: number): string {
	const text = response.slice(0, length);
	const part = BROKEN.find((one) => text.endsWith(one)) ?? '';
	return text.slice(0, text.length - part.length);
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
