import type { ApiRecord } from '../../shared/transport/schemas';
import { toText } from '../../shared/input/text';
import type { AccountList, Reading } from './accountList';

/** Whether a row of a list may be one of the orders that are looked for. */
export type Looks = (row: ApiRecord) => boolean;

/** What a list says about an order: it can only show that the order is absent. */
type Finding =
	| { readonly state: 'absent' }
	/** IDs of living withdrawals (or payments) that may be the order's. */
	| { readonly state: 'candidates'; readonly ids: readonly string[] }
	/** It is no proof; `reason` is a sentence. */
	| { readonly state: 'unreadable'; readonly reason: string };

/** Looks for an order in a list. @param looksAlike of living rows */
export function searchRows(
	reading: Reading,
	list: AccountList['name'],
	looksAlike: Looks,
): Finding {
	if ('failure' in reading) {
		const { message, description } = reading.failure;
		const reason = `The list of ${list} cannot be read: ${message}. ${description}`;
		return { state: 'unreadable', reason };
	}
	const ids = reading.rows.filter(looksAlike).map(({ id }) => toText(id));
	if (ids.length > 0) return { state: 'candidates', ids };
	if (reading.isComplete) return { state: 'absent' };
	return {
		state: 'unreadable',
		reason: reading.isTooLong
			? `The list of ${list} is too long: only its newest 20,000 rows are searched.`
			: `The list of ${list} shows fewer rows than it counts: some were made while it was read, or something between n8n and the service changed it.`,
	};
}
