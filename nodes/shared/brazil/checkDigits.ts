const CPF = /^\d{11}$/;
/**
 * Since July 2026 the first twelve places of a CNPJ may contain letters; the two check digits stay
 * digits.
 */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const SAME_CHARACTER = /^(.)\1+$/;

/** @param value without punctuation */
export function isCpf(value: string): boolean {
	return (
		CPF.test(value) &&
		!SAME_CHARACTER.test(value) &&
		hasValidCheckDigits(value, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
	);
}

/** @param value without punctuation, letters in upper case */
export function isCnpj(value: string): boolean {
	return (
		CNPJ.test(value) &&
		!SAME_CHARACTER.test(value) &&
		hasValidCheckDigits(value, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2])
	);
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

/** Bare digits with the leading zeros that a spreadsheet dropped, as many as a CPF or CNPJ has. */
export function withLeadingZeros(digits: string): string {
	return digits.padStart(digits.length <= 11 ? 11 : 14, '0');
}
