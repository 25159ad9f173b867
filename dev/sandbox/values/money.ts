/**
 * Reais as they came in JSON -> integer centavos, or null when the number is no multiple of 0.01.
 * Read from the shortest decimal text of the number: 1.005 * 100 and 8.2 * 100 are both wrong in
 * binary, their texts are not.
 */
export function reaisToCents(reais: number): number | null {
	const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(reais));
	if (!match) return null;
	const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
	if (!Number.isSafeInteger(cents)) return null;
	return match[1] && cents !== 0 ? -cents : cents;
}

/**
 * Reais as they came in a query, digits with or without decimals -> centavos, with what lies between
 * two of them: `Number('8.2') * 100` is less than 820, and a filter would lose the row.
 */
export function textToCents(text: string): number {
	const [whole = '', decimals = ''] = text.split('.');
	return Number(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}.${decimals.slice(2)}`);
}

/** Integer centavos -> the JSON number in reais that goes on the wire. */
export function centsToReais(cents: number): number {
	return Number((cents / 100).toFixed(2));
}

const BRL = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });

/** Integer centavos -> `R$ 1.234,56`, for pages and documents. */
export function formatBrl(cents: number): string {
	return BRL.format(cents / 100).replaceAll('\u00a0', ' ');
}
