import { isCnpj, isCpf } from '../brazil/checkDigits';
import { brCodesIn } from '../brazil/brCode';

/**
 * Part of a longer word, ID or number; `\d \d ` comes before the last group of a boleto line, which
 * could not be paid if that were masked.
 */
const BEFORE = '(?<![\\w-]|\\d\\.|\\d\\s\\d\\s)';
const BEHIND = '(?![\\w-])';
const DOCUMENTS = [
	'\\d{3}(?:\\.\\d{3}\\.\\d{3}-|\\d{6})\\d{2}',
	'[\\dA-Z]{2}(?:\\.[\\dA-Z]{3}\\.[\\dA-Z]{3}/[\\dA-Z]{4}-|[\\dA-Z]{10})\\d{2}',
];
const DOCUMENT = new RegExp(`${BEFORE}(?:${DOCUMENTS.join('|')})${BEHIND}`, 'gi');
/** The sign may be encoded, as in the query of an address. */
const EMAIL = /[\w.!#$%'*+^`{|}~\u0080-\uffff-]{1,64}(@|%40)(?=[\w\u0080-\uffff-]{1,63}\.)/g;
const PHONE = /(?<![\d+])\+[1-9]\d{9,14}(?!\d)/g;

/**
 * Masks every CPF, CNPJ and e-mail address in a text, and phone numbers with country code, which are
 * PIX keys. IDs, boleto lines and PIX codes ("copia e cola") stay: a code without the key of its
 * recipient could not be paid. Masked again, a text stays as it is.
 */
export function maskText(text: string): string {
	let masked = '';
	let done = 0;
	for (const [start, end] of brCodesIn(text)) {
		masked += maskPart(text.slice(done, start)) + text.slice(start, end);
		done = end;
	}
	return masked + maskPart(text.slice(done));
}

function maskPart(text: string): string {
	return text
		.replace(EMAIL, (address, at: string) => maskLocalPart(address.slice(0, -at.length)) + at)
		.replace(DOCUMENT, (found) => (isDocument(found) ? maskDocument(found) : found))
		.replace(PHONE, maskPhone);
}

/** Written with its punctuation it can be nothing else, so a mistyped one is masked as well. */
function isDocument(found: string): boolean {
	const bare = found.toUpperCase();
	return found.includes('-') || isCpf(bare) || isCnpj(bare);
}

/**
 * A CPF as Brazilian public bodies show it, `***.456.789-**`, and a CNPJ as `**.***.678/0001-**`:
 * more of it could be completed by trying, as the last two digits follow from the others. Of
 * anything that is neither by its length, only length and punctuation stay.
 */
export function maskDocument(text: string): string {
	// Stars count: the bank of a payer may have masked a part.
	const places = Array.from(text.replace(/[^\p{L}\p{N}*]/gu, ''));
	const show = (from: number, to: number) => places.slice(from, to).join('');
	if (places.length === 11) return `***.${show(3, 6)}.${show(6, 9)}-**`;
	if (places.length === 14) return `**.***.${show(5, 8)}/${show(8, 12)}-**`;
	return text.replace(/[\p{L}\p{N}]/gu, '*');
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
