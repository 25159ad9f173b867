import { randomUUID } from 'node:crypto';

export interface BulkPayout {
	/** In reais. */
	readonly amount: number;
	/** Each payout has its own, so that the books say which ones happened. */
	readonly pixKey: string;
	readonly description: string;
	/** For callers that do not make one. */
	readonly idempotencyKey: string;
	readonly [name: string]: string | number;
}

/** `count` withdrawals that were never sent before. */
export function makePayouts(count: number, batch: string = randomUUID()): BulkPayout[] {
	return Array.from({ length: count }, (_value, index) => ({
		amount: (1_000 + index) / 100,
		pixKey: `payee-${index + 1}@example.com`,
		description: `Invoice ${index + 1} of the supplier`,
		idempotencyKey: `${batch}-${index}`,
	}));
}

/**
 * Compares the books with what was to be paid.
 * @throws when anything is missing, doubled or was never asked for: its time would say nothing then
 */
export function expectEachOnce(payouts: readonly BulkPayout[], payees: readonly string[]): void {
	const paid = new Set(payees);
	const missing = payouts.filter(({ pixKey }) => !paid.has(pixKey));
	if (payees.length === payouts.length && missing.length === 0) return;
	throw new Error(
		`${payouts.length} withdrawals were to happen once each; the books show ${payees.length}, and ${missing.length} payees got nothing`,
	);
}
