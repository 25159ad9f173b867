import { fingerprint } from '../../shared/orders/key';
import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, type Cents } from '../../shared/validation/money';
import type { PixKey } from '../../shared/validation/pixKey';
import type { AccountList, Reading } from './history';
import { isLiving, isSamePayout, pixKeysShown, showsPixKey } from './samePayout';

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
		.map(({ id }) => String(id))
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

/** Looks for a payout in the list of withdrawals, see `searchRows`. @param looksAlike dead ones left out */
export function searchList(
	reading: Reading,
	looksAlike: Looks,
	isOthers: (id: string) => boolean,
): Finding {
	const isCandidate: Looks = (row) => isLiving(row) && looksAlike(row);
	return searchRows(reading, 'withdrawals', isCandidate, isOthers);
}

/** Rows that pay this amount to this PIX key, or may. */
export function looksLike(cents: Cents, pixKey: PixKey): Looks {
	return (row) => isSamePayout(row, { cents, pixKey });
}

/**
 * Names amount and PIX key for the ledger, which must not hold the key.
 * @param salt of this n8n: nobody without it can try all keys
 */
export function toContent(cents: Cents, pixKey: string, salt: string): string {
	return `${cents}-${fingerprint([salt, pixKey])}-${tagOf(salt)}`;
}

/** By which contents are recognized that were named with another salt. */
const tagOf = (salt: string): string => fingerprint(salt).slice(0, 4);

/** The same as `looksLike` if only names of contents are known, see `toContent`. */
export function looksLikeOneOf(contents: ReadonlySet<string>, salt: string): Looks {
	const tag = tagOf(salt);
	const readable = [...contents].filter((content) => content.endsWith(`-${tag}`));
	const amounts = new Set(readable.map(amountOf));
	// What this n8n cannot compare may be any payout of the amount.
	const unreadable = [...contents].filter((content) => !content.endsWith(`-${tag}`));
	const anyKey = new Set(unreadable.map(amountOf));
	return (row) => {
		const cents = centsOfAnswer(row.netAmount);
		if (cents === null || anyKey.has('') || anyKey.has(String(cents))) return true;
		if (!amounts.has(String(cents))) return false;
		if (!showsPixKey(row)) return true;
		return pixKeysShown(row).some((key) => contents.has(toContent(cents, key, salt)));
	};
}

/**
 * Whether two names of contents, see `toContent`, stand for different payouts. If they were made with
 * different salts, only the amounts can be compared.
 */
export function isOtherContent(one: string, other: string): boolean {
	if (one === '' || other === '') return false;
	const isSameSalt = one.split('-')[2] === other.split('-')[2];
	return isSameSalt ? one !== other : amountOf(one) !== amountOf(other);
}

const amountOf = (content: string): string => content.split('-')[0] ?? '';
