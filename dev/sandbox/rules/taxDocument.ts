export type TaxDocumentType = 'CPF' | 'CNPJ';

/** Weighted sum modulo 11, the check digit that CPF and CNPJ share. */
function checkDigit(values: number[], weights: number[]): number {
	const sum = values.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0);
	const rest = sum % 11;
	return rest < 2 ? 0 : 11 - rest;
}

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

function hasCheckDigits(text: string, baseLength: number, weights: number[]): boolean {
	// ASCII minus 48: digits keep their value, letters of the alphanumeric CNPJ become 17 to 42.
	const values = [...text].map((character) => character.charCodeAt(0) - 48);
	const first = checkDigit(values.slice(0, baseLength), weights.slice(1));
	const second = checkDigit([...values.slice(0, baseLength), first], weights);
	return values[baseLength] === first && values[baseLength + 1] === second;
}

/** True for 11 digits with valid check digits; a CPF of eleven equal digits is never issued. */
export function isCpf(text: string): boolean {
	return (
		/^\d{11}$/.test(text) && !/^(\d)\1{10}$/.test(text) && hasCheckDigits(text, 9, CPF_WEIGHTS)
	);
}

/** True for a numeric or alphanumeric CNPJ (12 of 0-9A-Z, then two check digits). */
export function isCnpj(text: string): boolean {
	return (
		/^[0-9A-Z]{12}\d{2}$/.test(text) &&
		!/^(\d)\1{13}$/.test(text) &&
		hasCheckDigits(text, 12, CNPJ_WEIGHTS)
	);
}

/**
 * A CPF or CNPJ with or without its punctuation -> its type and bare value, or null.
 * Letters of an alphanumeric CNPJ are upper-cased.
 */
export function parseTaxDocument(text: string): { type: TaxDocumentType; value: string } | null {
	const value = text.replace(/[.\-/\s]/g, '').toUpperCase();
	if (isCpf(value)) return { type: 'CPF', value };
	if (isCnpj(value)) return { type: 'CNPJ', value };
	return null;
}
