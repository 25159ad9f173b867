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
 * @returns the other order that it was named for before, if there is one
 */
export function noteNamed(withdrawalId: string, order: string, now: number): string[] {
	for (const [id, { at }] of namedWithdrawals) {
		if (now - at < REMEMBERED_MS) break;
		namedWithdrawals.delete(id);
	}
	const named = namedWithdrawals.get(withdrawalId);
	if (named === undefined) namedWithdrawals.set(withdrawalId, { order, at: now });
	return named === undefined || named.order === order ? [] : [named.order];
}
