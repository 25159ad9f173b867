import { isCnpj, isCpf } from '../brazil/checkDigits';
import { brCodesIn } from '../brazil/brCode';

/**
 * Masks every CPF, CNPJ and e-mail address in a text, and phone numbers with country code, which are
 * PIX keys. Ids, boleto lines and PIX codes stay.
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

/**
 * How personal data is shown: enough for a person to recognize it, too little to use it. Each form
 * masked again stays as it is, so it does not matter how often a text is masked on its way.
 */

/** What counts as a place of a document: stars too, since a payer's bank may have masked a part. */
const NO_PLACE = /[^\p{L}\p{N}*]/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/gu;

/**
 * A CPF as Brazilian public bodies show it, `***.456.789-**`, and a CNPJ as `**.***.678/0001-**`:
 * more of it could be completed by trying, as the last two digits follow from the others. Of
 * anything that is neither by its length, only length and punctuation stay.
 */
export function maskDocument(text: string): string {
	const places = Array.from(text.replace(NO_PLACE, ''));
	const show = (from: number, to: number) => places.slice(from, to).join('');
	if (places.length === 11) return `***.${show(3, 6)}.${show(6, 9)}-**`;
	if (places.length === 14) return `**.***.${show(5, 8)}/${show(8, 12)}-**`;
	return text.replace(LETTER_OR_DIGIT, '*');
}

/** `m***@example.com`; of a text without `@`, the first character. */
export function maskEmail(address: string): string {
	const at = address.lastIndexOf('@');
	const local = at === -1 ? address : address.slice(0, at);
	return maskLocalPart(local) + address.slice(local.length);
}

/** The part before the `@`. A single character is not shown, for it is all there is. */
function maskLocalPart(local: string): string {
	const first = String.fromCodePoint(local.codePointAt(0) ?? 0);
	return local.length <= first.length || first === '*' ? '***' : `${first}***`;
}

/** `+55*******4321`: the country code, if there is one, and the last four digits. */
export function maskPhone(text: string): string {
	const total = text.match(/[\d*]/g)?.length ?? 0;
	const least = text.trimStart().startsWith('+') ? 2 : 0;
	const most = total < 8 ? total : total - 4;
	let place = 0;
	return text.replace(/[\d*]/g, (digit) => {
		place += 1;
		return place > least && place <= most ? '*' : digit;
	});
}

/** Texts that look as if they contained a document or an address, and have to stay whole. */

/**
 * What an id must not touch: a word, or a masked document, which counts as the document did.
 * Otherwise a text that is masked again would contain other ids than before.
 */
const BEFORE = '(?<![\\dA-Za-z]|-\\*\\*)';
const BEHIND = '(?![\\dA-Za-z]|\\*{2,3}\\.[\\d*])';

/** UUIDs; ids of payments, refunds and withdrawals; the PIX network's; customers'; automatic keys and names. */
const IDS = [
	`${BEFORE}[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}${BEHIND}`,
	`${BEFORE}(?:PAY|REF)[\\dA-Fa-f]{32}${BEHIND}`,
	`${BEFORE}WIT\\d{13}[\\dA-Z]{5}${BEHIND}`,
	`${BEFORE}[ED]\\d{20}[\\dA-Za-z]{11}${BEHIND}`,
	`${BEFORE}cus_[\\w-]+`,
	`${BEFORE}n8n-[\\w-]{43}(?![\\w-])`,
	`${BEFORE}auto-[\\w-]{16}(?![\\w-])`,
];

/** Boleto lines in groups, of banks (47 digits) and of utilities (48); ungrouped ones need no care. */
const BLANKS = '[ \\u00a0]{1,3}';
const BOLETO_LINES = [
	`(?<!\\d)\\d{5}\\.?\\d{5}(?:${BLANKS}\\d{5}\\.?\\d{6}){2}${BLANKS}\\d${BLANKS}\\d{14}(?!\\d)`,
	`(?<!\\d)\\d{11}-?\\d(?:${BLANKS}\\d{11}-?\\d){3}(?!\\d)`,
];

const IDENTIFIER = new RegExp(`(${[...IDS, ...BOLETO_LINES].join('|')})`);

/** Masks a text except for the ids and boleto lines in it. */
function exceptIdentifiers(text: string, mask: (part: string) => string): string {
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
function exceptBrCodes(text: string, mask: (part: string) => string): string {
	let masked = '';
	let done = 0;
	for (const [start, end] of brCodesIn(text)) {
		masked += mask(text.slice(done, start)) + text.slice(start, end);
		done = end;
	}
	return masked + mask(text.slice(done));
}
