/**
 * The digits of a CPF or CNPJ that a spreadsheet has turned into a number. The leading zeros that it
 * dropped are put back; the check digits then show whether that was right.
 */
export function withLeadingZeros(document: number): string {
	const digits = String(document);
	return digits.padStart(digits.length <= 11 ? 11 : 14, '0');
}
