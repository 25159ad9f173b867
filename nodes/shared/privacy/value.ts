import { looksLikeBrCode } from '../brazil/brCode';
import { withLeadingZeros } from '../brazil/checkDigits';
import { maskDocument, maskEmail, maskPhone, maskText } from './text';

type Mask = (text: string) => string;

/**
 * How a field is masked, by the end of its name, with the name of the object around it before a dot,
 * both without case and punctuation; a plural counts as well.
 */
const FIELDS: ReadonlyArray<readonly [end: RegExp, mask: Mask]> = [
	[/(?:document|documentnumber|documento|cpf|cnpj|taxid)s?$/, maskDocument],
	[/(?:mail|mailaddress)s?$/, maskEmail],
	[/(?:phone|telefone|celular|whatsapp|(?:phone|mobile|whatsapp)number)s?$/, maskPhone],
	[/(?:pixkey|chavepix)s?$/, maskPixKey],
	// Elsewhere a key may be anything, and so may a "chave".
	[/chaves?$/, maskNumber(maskPixKey)],
	[
		/(?:recipient|destination|destinatario|favorecido|recebedor|payee|payer|pagador|pix)\.key$/,
		maskNumber(maskPixKey),
	],
	// IDs in whatever form the service gives them: one of 11 or 14 digits is no document.
	[/(?:txid|endtoendid|deliveryid|idempotencykey|providermedid)$/, maskUnlessId],
];

/** Of a field whose name says that it contains personal data, or an ID; undefined for all others. */
function findMask(name: string, parent = ''): Mask | undefined {
	const bare = `${bareName(parent)}.${bareName(name)}`;
	return FIELDS.find(([end]) => end.test(bare))?.[1];
}

const bareName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

/**
 * Masks personal data in any JSON value: CPF, CNPJ, e-mail addresses and phone keys in every text, and all
 * of a field whose name says that it contains one. IDs, amounts and all else stay, and so does the structure.
 *
 * A number stays a number, unless it is a document or phone by the name of its field.
 */
export function maskPersonalData<T>(value: T): T {
	return maskIn(value, undefined, findMask) as T;
}

/**
 * The same for what a server says about fields, `{pixKey: 'Too long'}`: a sentence stays readable,
 * and of a value that it quotes no long number is left, mistyped or not.
 */
export function maskMessages<T>(value: T): T {
	return maskIn(value, undefined, (name, parent) => {
		const mask = findMask(name, parent);
		return mask && ((text) => (SENTENCE.test(text) ? maskSentence(text) : mask(text)));
	}) as T;
}

const SENTENCE = /\p{L}\s+\p{L}|^\p{L}+\.?$/u;
const maskSentence: Mask = (text) => maskText(text).replace(/\d[\d./-]{6,30}\d/g, maskDocument);

/** It runs after money has moved, when a response that is nested without end must not end in an error. */
const MAX_DEPTH = 200;

function maskIn(
	value: unknown,
	mask: Mask | undefined,
	findMaskOf: typeof findMask,
	parent = '',
	depth = 0,
): unknown {
	if (depth > MAX_DEPTH) return '[nested too deeply]';
	const inside = (entry: unknown, own: Mask | undefined, name: string) =>
		maskIn(entry, own, findMaskOf, name, depth + 1);
	if (typeof value === 'string') {
		// Masked in part, a PIX code could not be paid.
		return mask === undefined || looksLikeBrCode(value.trim()) ? maskText(value) : mask(value);
	}
	if (typeof value === 'number') {
		return mask && isLongNumber(value) ? maskAsText(value, mask) : value;
	}
	if (Array.isArray(value)) return value.map((entry) => inside(entry, mask, parent));
	if (Object.prototype.toString.call(value) !== '[object Object]') return value;
	// Within `document: {type, number}` only what has the length of one is taken for one.
	const ofObject = mask && maskNumber(mask);
	const entries = Object.entries(value as object).map(([name, entry]) => [
		name,
		inside(entry, findMaskOf(name, parent) ?? ofObject, name),
	]);
	return Object.fromEntries(entries);
}

/** CPF and CNPJ with leading zeros lost, and phones: 8 to 14 digits. */
function isLongNumber(value: number): boolean {
	return Number.isInteger(value) && value >= 1e7 && value < 1e14;
}

function maskAsText(value: number, mask: Mask): string | number {
	const text = withLeadingZeros(String(value));
	const masked = mask(text);
	return masked === text ? value : masked;
}

/** A mask for what has as many digits as a document or a phone number; any other text is masked as text. */
function maskNumber(mask: Mask): Mask {
	return (text) => {
		const places = text.match(/[\d*]/g)?.length ?? 0;
		const isNumber = /^[\d*+()./ -]*$/.test(text) && places >= 10 && places <= 14;
		return isNumber || text.includes('@') ? mask(text) : maskText(text);
	};
}

function maskUnlessId(text: string): string {
	return /^[\w-]*$/.test(text) ? text : maskText(text);
}

const RANDOM_KEY = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A random key says nothing about its owner and stays; every other kind of key is masked. */
export function maskPixKey(text: string): string {
	if (text.includes('@')) return maskEmail(text);
	if (RANDOM_KEY.test(text.trim())) return text;
	// With country code, or with the area code in parentheses.
	return /^\s*[+(]/.test(text) ? maskPhone(text) : maskDocument(text);
}
