import { InputError } from './inputError';

/**
 * Blanks as programs write them: what separates words, in whatever width, a line break or TAB
 * included. CR LF is one line break.
 */
const BLANK = /\r\n|[\s\u0085\u2800]/gu;

/**
 * What nobody sees: zero-width characters, direction marks, soft hyphens, variation selectors, BOM,
 * controls. Marks that stand before Arabic, Syriac and Kaithi numbers are format characters, too, but
 * visible; what separates words is a blank.
 */
const INVISIBLE =
	/(?![\t-\r\u0085\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** What text editors, Word and contacts write in place of a hyphen, and the minus sign. */
const DASH = /[\u2010-\u2015\u2212]/g;

/** A text without what nobody sees; invisible characters come along when a text is copied. */
export function dropInvisible(text: string): string {
	return text.replace(INVISIBLE, '');
}

/** A text without what nobody sees, with plain blanks, and none at its ends. */
export function cleanText(text: string): string {
	return dropInvisible(text).replace(BLANK, ' ').trim();
}

/**
 * A name as it counts: two texts that look the same to a person are the same name, whichever
 * program they come from. For references, external IDs and own idempotency keys, wherever they are
 * compared, stored or sent.
 *
 * Drops all that is invisible, at the ends and inside; makes blanks (TAB, line break, NBSP, two of them …) one
 * plain one, each dash a hyphen, each quote of Word a straight one, and ° (people take it for º) an º; drops
 * blanks at the ends; composes accents (NFC). Other visible differences stay, such as case and leading zeros. An
 * emoji that is joined of several counts as its parts. Pure; cleaning twice changes nothing.
 *
 * @returns '' for a text of which nothing can be seen
 */
export function cleanName(text: string): string {
	// First without what is invisible: a joiner between a letter and its accent would keep them apart.
	return cleanText(text)
		.replace(/ +/g, ' ')
		.replace(DASH, '-')
		.replace(/\u00b0/g, '\u00ba')
		.replace(/[\u2018\u2019]/g, "'")
		.replace(/[\u201c\u201d]/g, '"')
		.normalize('NFC');
}

/** @param text of a document, a phone number or an amount, in which every dash means a hyphen */
export function withHyphens(text: string): string {
	return text.replace(DASH, '-');
}

/**
 * What stands where a character was lost: U+FFFD where a file in ANSI was read as UTF-8, and a control
 * that nobody types (U+0080 to U+009F) where one in Windows-1252 was read as Latin1;
 * and what UTF-8 looks like that was read as Latin1, such as \u00c2\u00ba for \u00ba. \u00c3 and a blank end a
 * word in capitals, such as MANH\u00c3; elsewhere they were \u00e0.
 */
const LOST =
	/[\ufffd\u0080-\u009f]|[\u00c2\u00c3][\u00a1-\u00bf]|\u00c2\u00a0|(?<!\p{Lu})\u00c3\u00a0/u;

/** Whether characters were lost because a file was read with the wrong encoding. */
export function hasLostCharacters(text: string): boolean {
	return LOST.test(text);
}

export const ENCODING_REMEDY =
	"Save the list as CSV UTF-8. Or set 'Options > Encoding' in the Extract From File node that reads it: UTF8 for a list in CSV UTF-8, Latin1 for one in ANSI that has none of … – €.";

/**
 * @param text as it came, not cleaned
 * @param label how the message names it
 * @throws InputError if characters were lost: once read correctly, the same list would be another
 */
export function refuseLostCharacters(text: string, label: string): void {
	if (!hasLostCharacters(text)) return;
	throw new InputError(
		`${label} has lost a character: the list was read with the wrong encoding`,
		ENCODING_REMEDY,
	);
}

/**
 * What remains of a long number: `3.5e+43` where JavaScript made text of it, `3,5E+43` where a
 * spreadsheet did.
 */
const EXPONENT = /(?<![\w.,])\d([.,]\d+)?e\+\d{2,3}(?!\w)/i;

/** Whether a long number in the text was rounded by a spreadsheet or by JavaScript. */
export function hasLostDigits(text: string): boolean {
	return EXPONENT.test(text);
}
