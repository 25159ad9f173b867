import { ApiFailure } from '../../../../../shared/failures/failure';
import { centsOfAnswer, formatReais, type Cents } from '../../../../../shared/validation/money';
import { parsePixKey, type PixKey } from '../../../../../shared/validation/pixKey';
import { toText } from '../../../../../shared/validation/text';
import type { Guard, GuardReason } from '../../../../../shared/orders/duplicateCheck';
import type { Order } from '../../../../../shared/orders/order';
import type { ApiRecord } from '../../../../../shared/transport/schemas';
import type { Payout } from '../payout';
import { omitUndefined } from '../../../../../shared/text/omitUndefined';

/** States in which the recipient receives nothing (docs/api.md#withdrawal-states). */
const UNPAID = new Set(['FAILED', 'CANCELLED']);
const STATUSES = new Set(['PENDING', 'PROCESSING', 'COMPLETED', ...UNPAID]);
/** What services show in place of hidden characters. */
const MASK = /[*•…]/;

/** What a payout pays, and to whom. */
export interface PaidContent {
	readonly cents: Cents;
	readonly pixKey: PixKey;
}

/** Whether the recipient receives nothing. */
export function isFailed({ status }: ApiRecord): boolean {
	return UNPAID.has(toText(status).toUpperCase());
}

/** Whether a status is one that the API names (docs/api.md#withdrawal-states). */
export function hasStatus({ status }: ApiRecord): boolean {
	return STATUSES.has(toText(status).toUpperCase());
}

/** Whether the recipient has received it, or is about to. */
export function isPaid(row: ApiRecord): boolean {
	return !isFailed(row);
}

/**
 * Whether a withdrawal pays the same net amount to the same PIX key. A row that does not show one
 * of them counts as well: one false alarm is better than paying twice.
 */
export function isSamePayout(row: ApiRecord, { cents, pixKey }: PaidContent): boolean {
	return [null, cents].includes(centsOfAnswer(row.netAmount)) && isSameKey(row, pixKey);
}

/** Whether a row shows what it paid, and to whom. */
export function showsPayout(row: ApiRecord): boolean {
	return !isUnclear(row);
}

function isSameKey(row: ApiRecord, wanted: PixKey): boolean {
	const shown = toText(row.pixKey).trim();
	if (shown === '' || MASK.test(shown)) return true;
	// Compared as in the PIX directory: the service may show a key with the punctuation it was sent
	// with.
	const key = readKey(row);
	if (key !== null) return key.value === wanted.value;
	if (!NUMBER.test(shown)) return shown.toLowerCase() === wanted.value;
	const isPhone = saysPhone(row.pixKeyType);
	const isOtherType = isPhone !== undefined && isPhone !== (wanted.type === 'PHONE');
	return !isOtherType && isSameNumber(shown, wanted.value);
}

/** A random key without its dashes. */
const BARE_UUID = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;

/** @returns null for a key that is ambiguous, or in no form that a person may enter */
function readKey({ pixKey }: ApiRecord): PixKey | null {
	const isText = typeof pixKey === 'string';
	try {
		return parsePixKey(isText ? pixKey.trim().replace(BARE_UUID, '$1-$2-$3-$4-$5') : pixKey);
	} catch {
		return null;
	}
}

/** The values that the PIX key of a row may stand for, in the form of {@link PixKey}. */
export function pixKeysShown(row: ApiRecord): string[] {
	const key = readKey(row);
	if (key !== null) return [key.value];
	const shown = toText(row.pixKey).trim();
	if (!NUMBER.test(shown)) return [shown.toLowerCase()];
	// A document that was read as a number lacks its leading zeros.
	const digits = significantDigits(shown);
	return [digits.padStart(11, '0'), digits.padStart(14, '0'), `+${digits}`, `+55${digits}`];
}

const NUMBER = /^[\d\s().+/-]+$/;

/** By the digits, with or without leading zeros and the country code of a phone. */
function isSameNumber(shown: string, wanted: string): boolean {
	if (!/^\+?\d+$/.test(wanted)) return false;
	const [digits, wantedDigits] = [significantDigits(shown), significantDigits(wanted)];
	return digits === wantedDigits || (wanted.startsWith('+') && `55${digits}` === wantedDigits);
}

function significantDigits(text: string): string {
	return text.replace(/\D/g, '').replace(/^0+/, '');
}

/**
 * Whether the type of a key says that it is a phone number, or else a document. The API does not
 * show the values of `pixKeyType`.
 * @returns undefined where the type says neither
 */
function saysPhone(pixKeyType: unknown): boolean | undefined {
	const name = toText(pixKeyType);
	const isPhone = /phone|telefone|celular/i.test(name);
	const isDocument = /cpf|cnpj|document/i.test(name);
	return isPhone === isDocument ? undefined : isPhone;
}

/**
 * Whether a row does not show clearly how much it paid, or to which PIX key. Such a row may be a
 * duplicate, but it proves no payment.
 */
export function isUnclear(row: ApiRecord): boolean {
	const shown = toText(row.pixKey).trim();
	const isClearKey =
		readKey(row) !== null ||
		(shown !== '' && (!NUMBER.test(shown) || saysPhone(row.pixKeyType) !== undefined));
	return MASK.test(shown) || !isClearKey || centsOfAnswer(row.netAmount) === null;
}

/** Stops an item because the same was paid already. */
export function duplicateFound(
	duplicates: readonly ApiRecord[],
	{ amount }: Pick<Payout, 'amount'>,
	{ reason, days }: Pick<Guard, 'reason' | 'days'>,
	{ reference, isUnclear: wasLost }: Pick<Order, 'reference' | 'isUnclear'>,
): ApiFailure {
	const ids = duplicates.map(({ id }) => toText(id));
	const period = days === 1 ? '24 hours' : `${days} days`;
	const unclear = duplicates.filter(isUnclear).map(({ id }) => toText(id));
	const found = ids.length === 1 ? 'There is a withdrawal' : `There are ${ids.length} withdrawals`;
	const payout = `${formatReais(amount)} to this PIX key`;
	const what =
		unclear.length === 0
			? `${found} of ${payout} from the last ${period}`
			: `${found} from the last ${period} that may have paid ${payout}`;
	const why =
		unclear.length === 0
			? ''
			: `The service does not show clearly how much ${unclear.join(' and ')} paid, or to whom. `;
	return new ApiFailure({
		code: 'POSSIBLE_DUPLICATE',
		message: `${what}, so it was not paid again`,
		description: `${ids.length === 1 ? 'Its ID' : 'Their IDs'}: ${ids.join(', ')}. ${why}${WHAT_NOW[reason]}`,
		httpStatus: null,
		retryable: false,
		// The first attempt of this item may be what was found: then its effect is unknown, not `none`.
		effect: reason === 'retriedWithoutTrace' || wasLost ? 'unknown' : 'none',
		withdrawalIds: ids,
		...omitUndefined({ reference: reference?.shown }),
		concernsItemOnly: true,
	});
}

const ANOTHER_PAYOUT =
	'If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Next time, give each payout a reference.';
const WHAT_NOW: Record<GuardReason, string> = {
	always: ANOTHER_PAYOUT,
	manual: ANOTHER_PAYOUT,
	subExecution:
		'This workflow was called by another one. When that one is retried, nothing distinguishes a repetition from a new payment. If this is a new one, fill in Reference, for example with the invoice number.',
	agentTool:
		'Tell the requester. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it. To pay it once more, pay it in a workflow without an agent.',
	retriedWithoutTrace:
		'This is a retried execution, and its first attempt may have paid. If it did not, turn on Options > Allow Retry After 24 Hours and retry again.',
};
