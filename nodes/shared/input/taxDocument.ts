import { isCnpj, isCpf, withLeadingZeros } from '../brazil/checkDigits';
import { cleanText, hasLostDigits, refuseLostCharacters, withHyphens } from './cleanText';
import { InputError } from './inputError';
import { toText } from './text';

type TaxDocumentType = 'CPF' | 'CNPJ';

export interface TaxDocument {
	/** Without punctuation; letters of an alphanumeric CNPJ in upper case. */
	readonly value: string;
	readonly type: TaxDocumentType;
}

/** What people write between the groups of a document. */
const MARK = '[\\s./-]{1,3}';
/**
 * Bare, or grouped as documents are: 000.000.000-00 and 00.000.000/0000-00, where the first groups
 * may be written together. Never grouped otherwise: "11 98765-4021" is a phone number, although its
 * digits are a CPF, and money would go to the person with that one.
 */
const GROUPINGS: ReadonlyArray<readonly string[]> = [
	['\\d{11}'],
	['\\d{3}', '\\d{3}', '\\d{3}', '\\d{2}'],
	['\\d{9}', '\\d{2}'],
	['[\\dA-Z]{14}'],
	['[\\dA-Z]{2}', '[\\dA-Z]{3}', '[\\dA-Z]{3}', '[\\dA-Z]{4}', '\\d{2}'],
	['[\\dA-Z]{8}', '[\\dA-Z]{4}', '\\d{2}'],
	['[\\dA-Z]{12}', '\\d{2}'],
];
const DOCUMENT = new RegExp(`^(?:${GROUPINGS.map((groups) => groups.join(MARK)).join('|')})$`);

/**
 * Reads a CPF or CNPJ, bare or with marks or blanks where documents have them, the alphanumeric CNPJ
 * included.
 * @returns null when the text is neither, or its check digits are wrong.
 */
export function readTaxDocument(text: string): TaxDocument | null {
	const value = readPlaces(text) ?? '';
	if (isCpf(value)) return { value, type: 'CPF' };
	return isCnpj(value) ? { value, type: 'CNPJ' } : null;
}

/** @returns undefined for what is not written as a document */
function readPlaces(text: string): string | undefined {
	const written = text.trim().toUpperCase();
	return DOCUMENT.test(written) ? written.replace(/[\s./-]/g, '') : undefined;
}

/** What a text is by its form, if only its check digits can be wrong. */
export function kindOfWrongDocument(text: string): TaxDocumentType | undefined {
	const value = readPlaces(text);
	if (value === undefined) return undefined;
	return value.length === 11 ? 'CPF' : 'CNPJ';
}

/**
 * @throws InputError for what the server would refuse with INVALID_RECIPIENT_DOCUMENT. It does not
 * quote the document: n8n stores and logs errors.
 */
export function parseTaxDocument(value: unknown, label: string): TaxDocument {
	const text = documentText(readEntry(value, label), typeof value === 'number');
	const document = readTaxDocument(text);
	if (document === null) {
		const kind = kindOfWrongDocument(text);
		throw new InputError(
			`${label} ${kind === undefined ? 'is not a valid CPF or CNPJ' : `is a ${kind} with wrong check digits`}`,
			'Check the digits: a CPF has 11 and a CNPJ 14 characters, and the last two are check digits. Write it like 000.000.000-00 or 00.000.000/0000-00, or without punctuation.',
		);
	}
	return document;
}

/**
 * A document or PIX key as its cell shows it: without what is invisible, and without what programs put
 * around digits to protect them (`="00734120664"`, `'00734120664`).
 * @throws InputError for what has lost characters or digits on the way
 */
export function readEntry(value: unknown, label: string): string {
	const raw = toText(value);
	refuseLostCharacters(raw, label);
	const text = cleanText(raw)
		.replace(/^="(.*)"$/, '$1')
		// An e-mail address may itself begin with one.
		.replace(/^'(?=[^@]*$)/, '')
		.trim();
	// The hyphens of an e-mail address are no other dashes.
	const entry = text.includes('@') ? text : withHyphens(text);
	if (!hasLostDigits(entry)) return entry;
	throw new InputError(
		`${label} is a long number that has lost digits on the way`,
		'Format the column as text where the list comes from, so that every digit arrives, and run this again.',
	);
}

/** What a column of numbers with decimals makes of a document. */
const WITH_DECIMALS = /^(\d+)[.,]0{1,2}$/;
/** Text with fewer digits is rather something else; more leading zeros than these hardly occur. */
const LEAST_DIGITS = 8;

/** The digits of an entry that consists of nothing else, as they were entered; undefined otherwise. */
export function bareDigits(entry: string): string | undefined {
	const digits = WITH_DECIMALS.exec(entry)?.[1] ?? entry;
	return /^\d+$/.test(digits) ? digits : undefined;
}

/**
 * An entry as a document is written: without decimals, and with the leading zeros that a spreadsheet
 * has dropped. The check digits then show whether that was right.
 */
export function documentText(entry: string, isNumber: boolean): string {
	// Some programs fill up every document to the fourteen digits of a CNPJ.
	const filled = /^000(\d{11})$/.exec(entry)?.[1] ?? '';
	if (isCpf(filled) && !isCnpj(entry)) return filled;
	const digits = readPlaces(entry) === undefined ? bareDigits(entry) : undefined;
	if (digits === undefined) return entry;
	const padded = withLeadingZeros(digits);
	if (isNumber) return padded;
	// Whoever has dropped zeros has dropped all of them.
	const isShortened = digits.length >= LEAST_DIGITS && !digits.startsWith('0');
	const isMeant = digits === padded || (isShortened && readTaxDocument(padded) !== null);
	return isMeant ? padded : entry;
}
