import type { BookedWithdrawal } from '../../../dev/sandbox';

export interface Payout {
	amount: string;
	pixKey: string;
	description: string;
	[key: string]: string;
}

/** `count` different payouts that the sandbox accepts. */
export function makePayouts(count: number): Payout[] {
	return Array.from({ length: count }, (_value, index) => ({
		amount: `${100 + index},5${index % 10}`,
		pixKey: `payee-${index + 1}@example.com`,
		description: `Payout ${index + 1}`,
	}));
}

/** PIX key and centavos of what was to be paid, in an order that does not matter. */
export function intended(payouts: readonly Payout[]): string[] {
	return payouts
		.map(({ pixKey, amount }) => `${pixKey} ${Math.round(Number(amount.replace(',', '.')) * 100)}`)
		.sort();
}

/** The same of what the books show: equal lists mean that each payout happened exactly once. */
export function booked(withdrawals: readonly BookedWithdrawal[]): string[] {
	return withdrawals.map(({ pixKey, amountCents }) => `${pixKey} ${amountCents}`).sort();
}
