import type { ApiRecord } from '../../shared/transport/schemas';
import { toText } from '../../shared/validation/text';
import type { AccountList, Reading } from './accountHistory';

/** Whether a row of the list may be one of the payouts that are looked for. */
export type Looks = (row: ApiRecord) => boolean;

/** What a list says about an order. A row that looks alike proves nothing. */
export type Finding =
	| { readonly state: 'absent' }
	/** IDs of living withdrawals that may be the order's own. */
	| { readonly state: 'candidates'; readonly ids: readonly string[] }
	/** It is no proof; `reason` is a sentence. */
	| { readonly state: 'unreadable'; readonly reason: string; readonly retryable: boolean };

/**
 * Looks for an order in a list: the list can only show that it is absent.
 * @param looksAlike of living rows
 * @param isOthers whether a row certainly is another order's
 */
export function searchRows(
	reading: Reading,
	list: AccountList['name'],
	looksAlike: Looks,
	isOthers: (id: string) => boolean,
): Finding {
	if ('failure' in reading) {
		const { message, description, retryable } = reading.failure;
		const reason = `The list of ${list} cannot be read: ${message}. ${description}`;
		return { state: 'unreadable', reason, retryable };
	}
	const ids = reading.rows
		.filter(looksAlike)
		.map(({ id }) => toText(id))
		.filter((id) => !isOthers(id));
	if (ids.length > 0) return { state: 'candidates', ids };
	if (reading.isComplete) return { state: 'absent' };
	return {
		state: 'unreadable',
		reason: reading.isTooLong
			? `The list of ${list} is too long: only its newest 20,000 rows are searched.`
			: `The list of ${list} shows fewer rows than it counts: some were made while it was read, or something between n8n and the service changed it.`,
		retryable: !reading.isTooLong,
	};
}

/**
 * Whether two names of contents, see `ReferencedKind.toContent`, stand for different payouts. If they were made with
 * different salts, only the amounts can be compared.
 */
export function isOtherContent(one: string, other: string): boolean {
	if (one === '' || other === '') return false;
	const isSameSalt = one.split('-')[2] === other.split('-')[2];
	return isSameSalt ? one !== other : amountOf(one) !== amountOf(other);
}

/** What a content, see `ReferencedKind.toContent`, begins with. */
export const amountOf = (content: string): string => content.split('-')[0] ?? '';
