import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, toReais, type Cents } from '../../shared/input/money';
import { toText } from '../../shared/input/text';
import type { ChargedContent, OrderRequest } from '../orderRequest';
import { PAYMENTS } from './accountList';
import type { OrderKind } from './kind';
import { chargeTexts, mayStillBePaid } from './texts';

const EXPIRED = 'EXPIRED';
const AMOUNT = /^\d+$/;
/** What a customer pays with: later responses may not show it. */
const PAYABLE = ['checkoutUrl', 'pixCode', 'boletoLine'];

/** Charges with an External ID. */
export const CHARGE: OrderKind = {
	kind: 'charge',
	list: PAYMENTS,
	contentOf(request) {
		const { cents, productId } = askedCharge(request);
		return cents === undefined ? `product ${productId?.replaceAll('-', '')}` : String(cents);
	},
	cellsOf(request) {
		const { cents } = askedCharge(request);
		return { amount: cents === undefined ? null : toReais(cents), pixKey: null };
	},
	isOver,
	isSame(record, request, isRecordedSame) {
		const { cents } = askedCharge(request);
		return cents === undefined ? isRecordedSame : isAmountOf(record, (shown) => shown === cents);
	},
	looksLike(contents, request) {
		const { externalId } = askedCharge(request);
		return (row) => {
			if (isOver(row)) return false;
			const shown = toText(row.externalId).trim();
			if (shown !== '') return shown.normalize('NFC') === externalId;
			// The price of a product is not known here.
			if ([...contents].some((content) => !AMOUNT.test(content))) return true;
			return isAmountOf(row, (cents) => contents.has(String(cents)));
		};
	},
	shows(record) {
		const named = PAYABLE.map((name) => [name, record[name]] as const);
		return Object.fromEntries(
			named.filter((one): one is [string, string] => typeof one[1] === 'string'),
		);
	},
	toOutput: (record, { reference }, isNew, kept) => ({
		...kept,
		...record,
		// The service need not show it, and the nodes after this one look the order up by it.
		externalId: reference?.value,
		alreadyCreated: !isNew,
	}),
	// A boleto that has expired is neither one to send to the customer nor one to replace.
	objection: (record, { reference }) =>
		record.status === EXPIRED ? mayStillBePaid(reference?.shown ?? '', record) : undefined,
	texts: chargeTexts,
};

function askedCharge({ charge }: OrderRequest): ChargedContent {
	if (charge === undefined) throw new TypeError('This is no charge with an External ID');
	return charge;
}

/** The amount may include the fee, if the payer pays it. A row that does not show it counts as well. */
export function isAmountOf(record: ApiRecord, isWanted: (cents: Cents) => boolean): boolean {
	const cents = centsOfAnswer(record.amount);
	const fee = centsOfAnswer(record.payerFeeAmount) ?? 0;
	return cents === null || isWanted(cents) || isWanted(cents - fee);
}

/**
 * Whether nobody can pay it any more, so that the External ID may be charged again. A boleto that has
 * expired may be paid late (docs/api.md#payment-states), and where the method is not shown it may be one.
 */
export function isOver({ status, paymentMethod }: ApiRecord): boolean {
	const isBoleto = !['PIX', 'CARD'].includes(toText(paymentMethod));
	return status === 'CANCELLED' || (status === EXPIRED && !isBoleto);
}
