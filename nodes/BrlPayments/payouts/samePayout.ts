import type { PaidContent } from '../../shared/orders/order';
import { centsOfAnswer } from '../../shared/validation/money';
import { parsePixKey } from '../../shared/validation/pixKey';
import { toText } from '../../shared/validation/text';
import type { ApiRecord } from '../../shared/transport/schemas';

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
