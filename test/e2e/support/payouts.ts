import { createHash } from 'node:crypto';

import type { Withdrawal } from '../../../dev/sandbox';
import type { N8nTestEnv } from './n8nTestEnv';

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

export interface Invoice extends Payout {
	invoice: string;
}

/** Payouts with these references, which n8n's table remembers beyond a test. */
export const makeInvoices = (references: readonly string[]): Invoice[] =>
	makePayouts(references.length).map((payout, index) => ({
		...payout,
		invoice: references[index]!,
	}));

/** What databases, or n8n's expressions, may take for something else. */
export const AWKWARD_REFERENCES = [
	...['plain', '=1+1', '={{ $json.x }}', "it's", '50%', 'ação 😀', '5"', 'a\\[1]_'],
];

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

/**
 * Responses about payouts to this PIX key, or about all, are lost after they were booked.
 * @returns how to find them again
 */
export const loseAnswers = ({ sandbox }: N8nTestEnv, pixKey = '', times = Infinity) =>
	sandbox.faults.add({
		...{ kind: 'dropAfter', method: 'POST', path: '/v1/withdrawals', times },
		when: ({ rawBody }) => rawBody.includes(pixKey),
	});
