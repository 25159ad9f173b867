import { createHash } from 'node:crypto';

import type { Withdrawal } from '../../../dev/sandbox';

export interface Payout {
	amount: string;
	pixKey: string;
	description: string;
	[key: string]: string;
}

/**
 * `count` different payouts that the sandbox accepts, to other people in each test: the node remembers
 * for two minutes what it has paid, also where the sandbox was reset.
 */
export function makePayouts(count: number): Payout[] {
	const { currentTestName = '' } = expect.getState();
	const test = createHash('sha256').update(currentTestName).digest('hex').slice(0, 8);

	return Array.from({ length: count }, (_value, index) => ({
		amount: `${100 + index},5${index % 10}`,
		pixKey: `payee-${index + 1}@${test}.example.com`,
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
export function booked(withdrawals: readonly Withdrawal[]): string[] {
	return withdrawals.map(({ pixKey, amountCents }) => `${pixKey} ${amountCents}`).sort();
}
