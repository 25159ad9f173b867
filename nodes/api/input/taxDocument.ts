import { InputError } from './inputError';
import { textOf } from './text';

export type TaxDocumentType = 'CPF' | 'CNPJ';

export interface TaxDocument {
	/** Without punctuation; letters of an alphanumeric CNPJ in upper case. */
	readonly value: string;
	readonly type: TaxDocumentType;
}

const PUNCTUATION = /[\s./-]/g;
const CPF = /^\d{11}$/;
/** Since July 2026 the first twelve places of a CNPJ may hold letters; the two check digits stay digits. */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const SAME_CHARACTER = /^(.)\1+$/;

/**
 * Reads a CPF or CNPJ with or without punctuation, the alphanumeric CNPJ included.
 * @returns null when the text is neither, or its check digits are wrong.
 */
export function readTaxDocument(text: string): TaxDocument | null {
	const value = text.replace(PUNCTUATION, '').toUpperCase();
	if (SAME_CHARACTER.test(value)) return null;
	if (CPF.test(value) && hasValidCheckDigits(value, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) {
		return { value, type: 'CPF' };
	}
	if (CNPJ.test(value) && hasValidCheckDigits(value, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])) {
		return { value, type: 'CNPJ' };
	}
	return null;
}

/** @throws InputError for what the server would refuse with INVALID_RECIPIENT_DOCUMENT. */
export function parseTaxDocument(value: unknown, label: string): TaxDocument {
	const text = documentText(value);
	const document = readTaxDocument(text);
	if (document === null) {
		throw new InputError(
			`${label} "${text}" is not a valid CPF or CNPJ`,
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

/**
 * Modulo-11 check digits as CPF and CNPJ share them. `weights` are those of the second digit; the
 * first digit uses them without the first one. A character counts as its ASCII code minus 48, which
 * leaves digits as they are and gives A = 17.
 */
function hasValidCheckDigits(value: string, weights: readonly number[]): boolean {
	const places = [...value].map((character) => character.charCodeAt(0) - 48);
	return [weights.slice(1), weights].every((own) => {
		const sum = own.reduce((total, weight, index) => total + weight * (places[index] ?? 0), 0);
		const rest = sum % 11;
		return (rest < 2 ? 0 : 11 - rest) === places[own.length];
	});
}
