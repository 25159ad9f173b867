/** Words that Title Case leaves in lower case. */
const SMALL_WORDS = new Set(
	'a an and as at but by for from if in into nor of on or per the to with'.split(' '),
);

/** `Get by External ID`, not `Get By external ID`. A word in code style, such as `v1`, passes. */
export function isTitleCase(text: string): boolean {
	const words = text.split(/[\s(/]+/).filter((word) => /^\p{L}+$/u.test(word));
	return words.every((word, index) => {
		const isCapitalised = /^\p{Lu}/u.test(word);
		return SMALL_WORDS.has(word) ? index > 0 : isCapitalised;
	});
}

/** Begins like a sentence. Whether names in it are written with capitals is not looked at. */
export function isSentence(text: string): boolean {
	return /^[^\p{Ll}]/u.test(text);
}

/** `Get payment by ID`, not `Get Payment`: only abbreviations keep their capitals. */
export function isSentenceCase(text: string): boolean {
	return isSentence(text) && !/\s\p{Lu}\p{Ll}/u.test(text);
}

/** n8n asks for English only. Portuguese, of all languages, is what would slip in here. */
export function hasForeignLetters(text: string): boolean {
	return /(?![A-Za-z])\p{L}/u.test(text);
}
