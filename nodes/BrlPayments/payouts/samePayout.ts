import { centsOfAnswer, type Cents } from '../../shared/validation/money';
import { parsePixKey, type PixKey } from '../../shared/validation/pixKey';
import { toText } from '../../shared/validation/text';
import type { ApiRecord } from '../../shared/transport/schemas';

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

/** Whether a row shows which PIX key it paid. */
export function showsPixKey(row: ApiRecord): boolean {
	const shown = toText(row.pixKey).trim();
	return shown !== '' && !MASK.test(shown);
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
