import { brCodesIn } from '../brazil/brCode';

/** Texts that look as if they contained a document or an address, and have to stay whole. */

/**
 * What an id must not touch: a word, or a masked document, which counts as the document did.
 * Otherwise a text that is masked again would contain other ids than before.
 */
const BEFORE = '(?<![\\dA-Za-z]|-\\*\\*)';
const BEHIND = '(?![\\dA-Za-z]|\\*{2,3}\\.[\\d*])';

/** UUIDs; ids of payments, refunds and withdrawals; the PIX network's; customers'; automatic keys. */
const IDS = [
	`${BEFORE}[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}${BEHIND}`,
	`${BEFORE}(?:PAY|REF)[\\dA-Fa-f]{32}${BEHIND}`,
	`${BEFORE}WIT\\d{13}[\\dA-Z]{5}${BEHIND}`,
	`${BEFORE}[ED]\\d{20}[\\dA-Za-z]{11}${BEHIND}`,
	`${BEFORE}cus_[\\w-]+`,
	`${BEFORE}n8n-[\\w-]{43}(?![\\w-])`,
];

/** Boleto lines in groups, of banks (47 digits) and of utilities (48); ungrouped ones need no care. */
const BLANKS = '[ \\u00a0]{1,3}';
const BOLETO_LINES = [
	`(?<!\\d)\\d{5}\\.?\\d{5}(?:${BLANKS}\\d{5}\\.?\\d{6}){2}${BLANKS}\\d${BLANKS}\\d{14}(?!\\d)`,
	`(?<!\\d)\\d{11}-?\\d(?:${BLANKS}\\d{11}-?\\d){3}(?!\\d)`,
];

const IDENTIFIER = new RegExp(`(${[...IDS, ...BOLETO_LINES].join('|')})`);

/** Masks a text except for the ids and boleto lines in it. */
export function exceptIdentifiers(text: string, mask: (part: string) => string): string {
	// Split by a group, every second part is what the group matched.
	return text
		.split(IDENTIFIER)
		.map((part, index) => (index % 2 === 1 ? part : mask(part)))
		.join('');
}

/**
 * Masks a text except for the PIX codes ("copia e cola") in it. The key in such a code is that of
 * the payee, not the payer's, and a code without it could not be paid.
 */
export function exceptBrCodes(text: string, mask: (part: string) => string): string {
	let masked = '';
	let done = 0;
	for (const [start, end] of brCodesIn(text)) {
		masked += mask(text.slice(done, start)) + text.slice(start, end);
		done = end;
	}
	return masked + mask(text.slice(done));
}
