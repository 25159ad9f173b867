/**
 * What was named longer ago is in the ledger by now, and shows its age. Nobody who has corrected the table
 * has to wait longer.
 */
const REMEMBERED_MS = 60_000;

/**
 * For which order the service has named each withdrawal, in this process, newest last. Something on the
 * way that mixes up answers names one for two orders, and only one of them was paid by it.
 */
export const namedWithdrawals = new Map<string, { readonly order: string; readonly at: number }>();

/**
 * Notes that an answer has named a withdrawal for an order.
 * @param order names it among all that this process sends
 * @param now epoch ms
 */
export function noteNamed(withdrawalId: string, order: string, now: number): void {
	for (const [id, { at }] of namedWithdrawals) {
		if (now - at < REMEMBERED_MS) break;
		namedWithdrawals.delete(id);
	}
	if (namedWithdrawals.has(withdrawalId)) return;
	namedWithdrawals.set(withdrawalId, { order, at: now });
}

/** @returns the other order that a withdrawal was named for, if there is one; @param now epoch ms */
export function findNamedFor(withdrawalId: string, order: string, now: number): string[] {
	const named = namedWithdrawals.get(withdrawalId);
	const isKnown = named !== undefined && now - named.at < REMEMBERED_MS;
	return isKnown && named.order !== order ? [named.order] : [];
}
