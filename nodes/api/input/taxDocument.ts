import { maskDocument } from '../personalData/forms';
import { isCnpj, isCpf } from './checkDigits';
import { InputError } from './inputError';
import { textOf } from './text';

export type TaxDocumentType = 'CPF' | 'CNPJ';

export interface TaxDocument {
	/** Without punctuation; letters of an alphanumeric CNPJ in upper case. */
	readonly value: string;
	readonly type: TaxDocumentType;
}

const PUNCTUATION = /[\s./-]/g;

/**
 * Reads a CPF or CNPJ with or without punctuation, the alphanumeric CNPJ included.
 * @returns null when the text is neither, or its check digits are wrong.
 */
export function readTaxDocument(text: string): TaxDocument | null {
	const value = text.replace(PUNCTUATION, '').toUpperCase();
	if (isCpf(value)) return { value, type: 'CPF' };
	if (isCnpj(value)) return { value, type: 'CNPJ' };
	return null;
}

/**
 * @throws InputError for what the server would refuse with INVALID_RECIPIENT_DOCUMENT. It quotes the
 * document masked: n8n stores and logs errors.
 */
export function parseTaxDocument(value: unknown, label: string): TaxDocument {
	const text = documentText(value);
	const document = readTaxDocument(text);
	if (document === null) {
		throw new InputError(
			`${label} "${maskDocument(text)}" is not a valid CPF or CNPJ`,
			'Check the digits: a CPF has 11 and a CNPJ 14 places, and the last two are check digits. Punctuation is optional.',
		);
	}
	return document;
}

/**
 * Spreadsheets turn a document into a number and drop its leading zeros. They are put back; the
 * check digits then tell whether that was right.
 */
export function documentText(value: unknown): string {
	if (typeof value !== 'number') return textOf(value).trim();
	const digits = String(value);
	return digits.padStart(digits.length <= 11 ? 11 : 14, '0');
}
