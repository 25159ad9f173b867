import type { IDataObject } from 'n8n-workflow';
import { maskPixKey } from '../../shared/privacy/value';
import { fingerprint } from '../../shared/text/fingerprint';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, toReais, type Cents } from '../../shared/input/money';
import { parsePixKey } from '../../shared/input/pixKey';
import { toText } from '../../shared/input/text';
import { isWithdrawalTxId } from '../../shared/input/uuid';
import type { OrderRequest, PaidContent } from '../orderRequest';
import type { IsAlike } from './absence';
import { WITHDRAWALS } from './accountList';
import type { OrderKind } from './kind';
import { payoutTexts } from './texts';

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

/** Whether a row shows which PIX key it paid. */
export function showsPixKey({ pixKey }: ApiRecord): boolean {
	const shown = toText(pixKey).trim();
	return shown !== '' && !MASK.test(shown);
}

/**
 * The values that the PIX key of a row may stand for, in the form of `PixKey`. The service may show it with
 * the punctuation it was sent with, as a number, or without its type.
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

/** Whether a withdrawal pays the same net amount to the same PIX key, or hides one of them. */
export function isSamePayout(row: ApiRecord, { cents, pixKey }: PaidContent): boolean {
	const isSameAmount = [null, cents].includes(centsOfAnswer(row.netAmount));
	return isSameAmount && (!showsPixKey(row) || pixKeysShown(row).includes(pixKey.value));
}

/** Whether an item is what this node has put out of such a payout, made or looked up. */
export function isResultOf(item: IDataObject, payout: PaidContent): boolean {
	const isWithdrawal = 'alreadyPaid' in item || isWithdrawalTxId(item.txId);
	return isWithdrawal && 'netAmount' in item && isSamePayout(item, payout);
}

/** By which contents are recognized that another n8n has named. */
const tagOf = (salt: string): string => fingerprint(salt).slice(0, 4);
const amountOf = (content: string): string => content.split('-')[0] ?? '';

/**
 * Names amount and PIX key for the ledger, which must not hold the key.
 * @param salt of this n8n: nobody without it can try all keys
 */
export function contentOf(cents: Cents, pixKey: string, salt: string): string {
	return `${cents}-${fingerprint([salt, pixKey])}-${tagOf(salt)}`;
}

/** The contents that a withdrawal may have. */
export function contentsShown(row: ApiRecord, salt: string): string[] {
	const cents = centsOfAnswer(row.netAmount);
	return cents === null ? [] : pixKeysShown(row).map((key) => contentOf(cents, key, salt));
}

/** Finds living withdrawals that may have one of these contents. What they hide may be anything. */
export function looksLikeOneOf(contents: ReadonlySet<string>, salt: string): IsAlike {
	const tag = tagOf(salt);
	const amounts = new Set([...contents].map(amountOf));
	// Of what another n8n has named, this one can compare the amount alone.
	const foreign = new Set([...contents].filter((one) => !one.endsWith(`-${tag}`)).map(amountOf));
	return (row) => {
		if (isFailed(row)) return false;
		const cents = centsOfAnswer(row.netAmount);
		if (cents === null || foreign.has('') || foreign.has(String(cents))) return true;
		if (!amounts.has(String(cents))) return false;
		return !showsPixKey(row) || contentsShown(row, salt).some((one) => contents.has(one));
	};
}

/** The amounts of a withdrawal in reais, under the names that Check Batch has for them before it is made. */
export const amountsOf = ({ netAmount, feeAmount, grossAmount }: IDataObject): IDataObject =>
	omitUndefined({ amount: netAmount, fee: feeAmount, total: grossAmount });

/** Payouts, with a reference and without. */
export const PAYOUT: OrderKind = {
	kind: 'payout',
	list: WITHDRAWALS,
	contentOf(request, salt) {
		const { cents, pixKey } = askedPayout(request);
		return contentOf(cents, pixKey.value, salt);
	},
	cellsOf(request) {
		const { cents, pixKey } = askedPayout(request);
		return { amount: toReais(cents), pixKey: maskPixKey(pixKey.value) };
	},
	isOver: isFailed,
	isSameContent: (recorded, asked) => recorded === asked,
	isSame: (record, request, isRecordedSame) =>
		isSamePayout(record, askedPayout(request)) && (showsPixKey(record) || isRecordedSame),
	looksLike: (contents, _request, salt) => looksLikeOneOf(contents, salt),
	shows: () => ({}),
	toOutput: (record, { reference }, isNew) => ({
		...amountsOf(record),
		...record,
		...(reference === undefined ? {} : { reference: reference.value }),
		alreadyPaid: !isNew,
	}),
	texts: payoutTexts,
};

export function askedPayout({ payout }: Pick<OrderRequest, 'payout'>): PaidContent {
	if (payout === undefined) throw new TypeError('This is no payout');
	return payout;
}
