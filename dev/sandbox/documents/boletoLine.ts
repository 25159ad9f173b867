import type { Payment } from '../store/types';

/** Check digit of one field of the line: alternating weights 2 and 1 from the right, modulo 10. */
function modulo10(digits: string): number {
	let sum = 0;
	[...digits].reverse().forEach((digit, index) => {
		const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
		sum += product > 9 ? product - 9 : product;
	});
	return (10 - (sum % 10)) % 10;
}

/** General check digit of the bar code: weights 2 to 9 from the right, modulo 11. */
function modulo11(digits: string): number {
	let sum = 0;
	[...digits].reverse().forEach((digit, index) => {
		sum += Number(digit) * (2 + (index % 8));
	});
	const digit = 11 - (sum % 11);
	return digit > 9 ? 1 : digit;
}

/**
 * The 47 digits ("linha digitável") of a bar code: `head` is bank and currency (4 digits), `free` the
 * bank's own field (25), `value` the due factor and centavos (14). Adds the four check digits.
 */
export function digitableLine(head: string, free: string, value: string): string {
	const fields = [head + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
	return [
		...fields.map((digits) => `${digits}${modulo10(digits)}`),
		String(modulo11(head + value + free)),
		value,
	].join('');
}

/**
 * The line of a payment, made from the payment alone so that it never changes. The bank is 000, which
 * does not exist: nobody can pay it by mistake.
 */
export function boletoLine(payment: Pick<Payment, 'id' | 'amountCents'>): string {
	const free = BigInt(`0x${payment.id.replace(/-/g, '')}`)
		.toString()
		.padStart(25, '0')
		.slice(-25);
	// A due factor of zero means that the bar code states no due date.
	const value = `0000${String(payment.amountCents).padStart(10, '0').slice(-10)}`;
	return digitableLine('0009', free, value);
}
