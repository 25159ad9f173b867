import type { ApiRecord } from '../../shared/transport/schemas';
import { toReais } from '../../shared/validation/money';
import { idOfAnswer } from '../../shared/validation/uuid';
import { toText } from '../../shared/validation/text';
import type { ChargedContent } from '../execution/draft';
import { pickPayable } from '../execution/orderRun';
import { PAYMENTS } from '../ledger/accountHistory';
import type { ReferencedKind, Wanted } from '../ledger/referencedKind';
import { chargeTexts, mayStillBePaid } from './chargeTexts';
import { isAmountOf } from './existingPayment';

/** Charges with an External ID. */
export const CHARGE: ReferencedKind = {
	kind: 'charge',
	list: PAYMENTS,
	toContent: (wanted) => toContent(askedCharge(wanted)),
	toCells({ charge }) {
		return { amount: charge?.cents === undefined ? null : toReais(charge.cents), pixKey: null };
	},
	isOver,
	isSame(record, wanted, isRecordedSame) {
		const { cents } = askedCharge(wanted);
		if (cents === undefined) return isRecordedSame;
		return isAmountOf(record, (shown) => shown === cents);
	},
	looksLikeOneOf(contents, wanted) {
		const { externalId } = askedCharge(wanted);
		return (row) => {
			if (isOver(row)) return false;
			const shown = toText(row.externalId).trim();
			if (shown !== '') return shown.normalize('NFC') === externalId;
			// The price of a product is not known here.
			if ([...contents].some((content) => !AMOUNT.test(content))) return true;
			return isAmountOf(row, (cents) => contents.has(String(cents)));
		};
	},
	toKept: pickPayable,
	toOutput(order, record, alreadyCreated, kept) {
		// A boleto that has expired is neither one to send to the customer nor one to replace.
		if (record.status === EXPIRED && alreadyCreated) {
			throw mayStillBePaid(order, idOfAnswer(record) ?? '', record.paymentMethod === 'BOLETO');
		}
		return { ...kept, ...record, alreadyCreated };
	},
	texts: chargeTexts,
};

const EXPIRED = 'EXPIRED';
const AMOUNT = /^\d+$/;

/** Short and without personal data: what a row of the ledger says it asked for. */
function toContent({ cents, productId }: ChargedContent): string {
	return cents === undefined ? `product ${productId?.replaceAll('-', '')}` : String(cents);
}

function askedCharge({ charge }: Wanted): ChargedContent {
	if (charge === undefined) throw new TypeError('This is no charge with an External ID');
	return charge;
}

/**
 * Whether nobody can pay it any more, so that the External ID may be charged again. A boleto that has
 * expired may be paid late (docs/api.md#payment-states), and where the method is not shown it may be one.
 */
export function isOver({ status, paymentMethod }: ApiRecord): boolean {
	const isBoleto = !['PIX', 'CARD'].includes(toText(paymentMethod));
	return status === 'CANCELLED' || (status === EXPIRED && !isBoleto);
}
