import type { ApiRecord } from '../../shared/transport/schemas';
import { toText } from '../../shared/input/text';
import type { Reading } from './accountList';
import { findTaken, type Ledger } from './ledger';
import type { Name } from './names';

/** Whether a living row of a list may be one of the orders that are looked for. */
export type IsAlike = (row: ApiRecord) => boolean;

/**
 * What a list shows of an order; it can only show that the order is absent.
 * @returns IDs of the withdrawals (or payments) that may be the order's, except those that a run has recorded
 * for another one; undefined if the list is no proof
 * @throws LedgerUnavailable
 */
export async function findCandidates(
	{ rows, gap }: Reading,
	looksAlike: IsAlike,
	ledger: Pick<Ledger, 'findWithdrawals'>,
	name: Name,
): Promise<string[] | undefined> {
	const ids = rows.filter(looksAlike).map(({ id }) => toText(id));
	if (ids.length === 0) return gap === undefined ? [] : undefined;
	const taken = findTaken(await ledger.findWithdrawals(ids), name);
	return ids.filter((id) => !taken.has(id));
}
