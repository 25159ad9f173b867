import type { PaidContent } from '../../shared/orders/order';
import { centsOfAnswer, type Cents } from '../../shared/validation/money';
import { parsePixKey, type PixKey } from '../../shared/validation/pixKey';
import { toText } from '../../shared/validation/text';
import type { ApiRecord } from '../../shared/transport/schemas';
import { fingerprint } from '../../shared/orders/key';
import { amountOf, searchRows, type Finding, type Looks } from '../ledger/absence';
import type { Reading } from '../ledger/accountHistory';

/** States in which the recipient receives nothing (docs/api.md#withdrawal-states). */
const UNPAID = new Set(['FAILED', 'CANCELLED']);
const STATUSES = new Set(['PENDING', 'PROCESSING', 'COMPLETED', ...UNPAID]);
/** What services show in place of hidden characters. */
const MASK = /[*•…]/;
/** A random key without its dashes. */
const BARE_UUID = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
const NUMBER = /^[\d\s().+/-]+$/;

/** Whether the recipient receives nothing. */
export function isFailed({ status }: ApiRecord): boolean {
	return UNPAID.has(toText(status).toUpperCase());
}

/** Whether a status is one that the API names (docs/api.md#withdrawal-states). */
export function hasStatus({ status }: ApiRecord): boolean {
	return STATUSES.has(toText(status).toUpperCase());
}

/** Whether the recipient has received it, or is about to. */
export function isLiving(row: ApiRecord): boolean {
	return !isFailed(row);
}

/**
 * Whether a withdrawal pays the same net amount to the same PIX key. A row that does not show one
 * of them counts as well: one false alarm is better than paying twice.
 */
export function isSamePayout(row: ApiRecord, { cents, pixKey }: PaidContent): boolean {
	const isSameAmount = [null, cents].includes(centsOfAnswer(row.netAmount));
	return isSameAmount && (!showsPixKey(row) || pixKeysShown(row).includes(pixKey.value));
}

/** Whether a row shows which PIX key it paid. */
export function showsPixKey({ pixKey }: ApiRecord): boolean {
	const shown = toText(pixKey).trim();
	return shown !== '' && !MASK.test(shown);
}

/**
 * The values that the PIX key of a row may stand for, in the form of {@link PixKey}. The service may show
 * it with the punctuation it was sent with, as a number, or without its type.
 */
export function pixKeysShown({ pixKey }: ApiRecord): string[] {
	const shown = toText(pixKey).trim();
	try {
		const isText = typeof pixKey === 'string';
		return [parsePixKey(isText ? shown.replace(BARE_UUID, '$1-$2-$3-$4-$5') : pixKey).value];
	} catch {
		// It is ambiguous, or in no form that a person may enter.
	}
	if (!NUMBER.test(shown)) return [shown.toLowerCase()];
	// A document that was read as a number lacks its leading zeros.
	const digits = shown.replace(/\D/g, '').replace(/^0+/, '');
	return [digits.padStart(11, '0'), digits.padStart(14, '0'), `+${digits}`, `+55${digits}`];
}

/** Whether a row does not show clearly how much it paid, or to which PIX key: it may be a duplicate. */
export function hidesContent(row: ApiRecord): boolean {
	const isClearKey = showsPixKey(row) && pixKeysShown(row).length === 1;
	return !isClearKey || centsOfAnswer(row.netAmount) === null;
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
