import { fingerprint } from '../../shared/orders/key';
import { centsOfAnswer, type Cents } from '../../shared/validation/money';
import type { PixKey } from '../../shared/validation/pixKey';
import { amountOf, searchRows, type Finding, type Looks } from '../ledger/absence';
import type { Reading } from '../ledger/accountList';
import { isLiving, isSamePayout, pixKeysShown, showsPixKey } from './samePayout';

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
