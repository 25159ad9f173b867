import { randomUUID } from 'node:crypto';
import { makePayouts, type BulkPayout } from '../bulk/payouts';

/** References that are the numbers of invoices, or that nobody can foresee. */
export type Likeness = 'alike' | 'random';

/** Behind those that the ledger is filled with. */
let lastNumber = 200_000;

/** Payouts with references that no run has had. */
export function makeReferenced(count: number, likeness: Likeness): BulkPayout[] {
	return makePayouts(count).map((payout) => {
		lastNumber += 1;
		const reference = likeness === 'alike' ? `NF-${lastNumber}` : randomUUID();
		return { ...payout, reference };
	});
}
