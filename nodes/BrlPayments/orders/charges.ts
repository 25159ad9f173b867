import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, toReais, type Cents } from '../../shared/input/money';
import { cleanName } from '../../shared/input/cleanText';
import { toText } from '../../shared/input/text';
import { fingerprint } from '../../shared/text/fingerprint';
import type { ChargedContent, OrderRequest } from '../orderRequest';
import { PAYMENTS } from './accountList';
import type { OrderKind } from './kind';
import { chargeTexts, mayStillBePaid } from './texts';

const EXPIRED = 'EXPIRED';
const AMOUNT = /^\d+$/;
/** Between what is charged and whom. */
const OF = ' of ';
/** What a customer pays with: later responses may not show it. */
const PAYABLE = ['checkoutUrl', 'pixCode', 'boletoLine'];

/** Charges with an External ID. */
export const CHARGE: OrderKind = {
	kind: 'charge',
	list: PAYMENTS,
	contentOf(request, salt) {
		const { cents, productId, document } = askedCharge(request);
		const what = cents === undefined ? `product ${productId?.replaceAll('-', '')}` : String(cents);
		// An External ID that is used for several customers would send them the charge of the first one.
		return document === undefined ? what : `${what}${OF}${fingerprint([document, salt])}`;
	},
	cellsOf(request) {
		const { cents } = askedCharge(request);
		return { amount: cents === undefined ? null : toReais(cents), pixKey: null };
	},
	isOver,
	isSameContent(recorded, asked) {
		const [[what, whose], [wanted, customer]] = [recorded.split(OF), asked.split(OF)];
		// What a person has entered shows no content, and what has no document is anybody's.
		const isSameCustomer = [whose, customer].includes(undefined) || whose === customer;
		return recorded === '' || (what === wanted && isSameCustomer);
	},
	isSame(record, request, isRecordedSame) {
		const { cents } = askedCharge(request);
		const isSameAmount = cents === undefined || isAmountOf(record, (shown) => shown === cents);
		return isSameAmount && isRecordedSame;
	},
	looksLike(contents, request) {
		const { externalId } = askedCharge(request);
		const wanted = new Set([...contents].map((content) => content.split(OF)[0]));
		// The price of a product is not known here.
		const isAnyAmount = [...wanted].some((what = '') => !AMOUNT.test(what));
		return (row) => {
			if (isOver(row)) return false;
			const shown = cleanName(toText(row.externalId));
			if (shown !== '') return shown === externalId;
			return isAnyAmount || isAmountOf(row, (cents) => wanted.has(String(cents)));
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
