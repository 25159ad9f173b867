import { isCnpj, isCpf } from '../brazil/checkDigits';
import { maskDocument, maskLocalPart, maskPhone } from './maskFormats';
import { exceptBrCodes, exceptIdentifiers } from './unmaskedPatterns';

/**
 * Masks every CPF, CNPJ and e-mail address in a text, and phone numbers with country code, which are
 * PIX keys. Ids, boleto lines and PIX codes stay (`unmaskedPatterns.ts`).
 *
 * The cost grows with the length of the text and no faster: every expression here matches a bounded
 * number of characters, and the search for addresses passes each character at most twice.
 */
export function maskText(text: string): string {
	return exceptBrCodes(text, (part) => exceptIdentifiers(maskEmails(part), maskNumbers));
}

/** What may stand between two groups of a document, as people write and pages print it. */
const GAP = '[ \\t\\u00a0./\\-\\u2010-\\u2015\\u2212]{0,3}';
const CPF = new RegExp(`(?<!\\d)\\d{3}${GAP}\\d{3}${GAP}\\d{3}${GAP}\\d{2}(?!\\d)`, 'g');
const CNPJ = new RegExp(
	`(?<!\\d)\\d{2}${GAP}\\d{3}${GAP}\\d{3}${GAP}\\d{4}${GAP}\\d{2}(?!\\d)`,
	'g',
);
/** With letters only the usual punctuation counts: short words with blanks between them are no CNPJ. */
const LETTER_CNPJ =
	/(?<![\dA-Za-z])[\dA-Za-z]{2}\.?[\dA-Za-z]{3}\.?[\dA-Za-z]{3}\/?[\dA-Za-z]{4}-?\d{2}(?![\dA-Za-z])/g;
const PHONE = /(?<![\d+])\+[1-9]\d{9,14}(?!\d)/g;

/** Written like this it can be nothing else, so a mistyped one is masked as well. */
const OFFICIAL = /^(?:\d{3}\.\d{3}\.\d{3}-|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-)\d{2}$/i;
/** 123456789.01 is money, 192.168.100.25 an IP address. */
const AMOUNT = /^\d+\.\d{2}$/;
const IP_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}\d{2}$/;

function maskNumbers(text: string): string {
	if (!/\d/.test(text)) return text;
	let masked = text;
	for (const form of [CPF, CNPJ, LETTER_CNPJ]) {
		masked = replaceWhere(masked, form, isDocument, maskDocument);
	}
	return masked.replace(PHONE, maskPhone);
}

function isDocument(text: string): boolean {
	if (OFFICIAL.test(text)) return true;
	if (AMOUNT.test(text) || IP_ADDRESS.test(text)) return false;
	const bare = text.replace(/[^\dA-Za-z]/g, '').toUpperCase();
	return isCpf(bare) || isCnpj(bare);
}

/** As `replaceAll`, but a match that is refused does not hide one that begins within it. */
function replaceWhere(
	text: string,
	form: RegExp,
	isMeant: (match: string) => boolean,
	mask: (match: string) => string,
): string {
	const search = new RegExp(form);
	let masked = '';
	let done = 0;
	for (let match = search.exec(text); match; match = search.exec(text)) {
		const [found] = match;
		if (!isMeant(found)) {
			search.lastIndex = match.index + 1;
			continue;
		}
		masked += text.slice(done, match.index) + mask(found);
		done = match.index + found.length;
	}
	return masked + text.slice(done);
}

/** The sign itself, and how it is written in URLs and in HTML. */
const AT = /@|%40|&#0*64;|&#x0*40;|&commat;/gi;

function maskEmails(text: string): string {
	let masked = '';
	let done = 0;
	let floor = 0;
	let floorOfLast = 0;
	let last = 0;
	for (const { 0: sign, index } of text.matchAll(AT)) {
		// An encoded sign right before the sign itself can only be part of the name: "ana%40@example.com".
		const least = floor === index && text[last] !== '@' ? floorOfLast : floor;
		const start = startOfLocalPart(text, least, index);
		const end = endOfDomain(text, index + sign.length);
		floorOfLast = floor;
		floor = index + sign.length;
		last = index;
		if (start === index || end === null) continue;
		masked += text.slice(done, start) + maskLocalPart(text.slice(start, index)) + sign;
		done = floor;
	}
	return masked + text.slice(done);
}

const LOCAL_CHARACTER = /[\w.!#$%&'*+/=?^`{|}~\u0080-\uffff-]/;
const DOMAIN_CHARACTER = /[\w.\u0080-\uffff-]/;
const BLANK = /\s/;

function startOfLocalPart(text: string, floor: number, at: number): number {
	// "maria silva"@example.com
	if (text[at - 1] === '"') {
		const quote = text.lastIndexOf('"', at - 2);
		if (quote >= floor && quote < at - 1) return quote;
	}
	let start = at;
	while (start > floor && isOneOf(LOCAL_CHARACTER, text[start - 1])) start -= 1;
	// A URL may contain an e-mail address as a parameter.
	const local = text.slice(start, at);
	const cut = 1 + Math.max(...['/', '=', '?', '&'].map((mark) => local.lastIndexOf(mark)));
	return cut < local.length ? start + cut : start;
}

/** @returns null when there is no domain with a dot in it */
function endOfDomain(text: string, start: number): number | null {
	let end = start;
	let hasDot = false;
	while (end < text.length && isOneOf(DOMAIN_CHARACTER, text[end])) {
		hasDot ||= text[end] === '.' && end > start && isOneOf(/[^.-]/, text[end + 1]);
		end += 1;
	}
	return hasDot ? end : null;
}

function isOneOf(characters: RegExp, character: string | undefined): boolean {
	return character !== undefined && characters.test(character) && !BLANK.test(character);
}
