import { ApiFailure } from '../../shared/failures/failure';
import { centsOfAnswer, formatReais, type Cents } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import { idOfAnswer } from '../../shared/validation/uuid';
import { getDate, type ApiRecord } from '../../shared/transport/schemas';

/** Statuses in which a payment cannot be paid (docs/api.md#payment-states), and that no new one has. */
const OVER: ReadonlySet<string> = new Set([
	'CANCELLED',
	'EXPIRED',
	'REFUNDED',
	'PARTIAL_REFUND',
	'CHARGEBACK',
	'MED_FROZEN',
]);
/** Longer than a run may take to learn the outcome of its own payment. */
const OLD_MS = 10 * 60_000;

/**
 * For a repeated External ID the service may return the payment that was made under it
 * (docs/api.md#create-a-payment). One that differs from the request must not pass as new.
 *
 * @param cents the requested amount; undefined if the price is a product's
 * @throws ApiFailure that names the payment; nothing was created then
 */
export function refuseOtherPayment(payment: ApiRecord, cents: Cents | undefined): void {
	const shown = centsOfAnswer(payment.amount);
	const isOtherAmount = cents !== undefined && !isAmountOf(payment, (one) => one === cents);
	const status = toText(payment.status);
	if (!isOtherAmount && !OVER.has(status)) return;
	const what = [shown === null ? '' : formatReais(shown), OVER.has(status) ? status : '']
		.filter(Boolean)
		.join(', ');
	throw new ApiFailure({
		code: 'EXISTING_PAYMENT',
		message: `The External ID was used before, and the service returned that payment (${what}) instead of a new one`,
		description: `Nothing was created. The ID of that payment: ${idOfAnswer(payment) ?? ''}. To charge again, use another External ID.`,
		effect: 'none',
		concernsItemOnly: true,
	});
}

/** The amount may include the fee, if the payer pays it. A row that does not show it counts as well. */
export function isAmountOf(record: ApiRecord, isWanted: (cents: Cents) => boolean): boolean {
	const cents = centsOfAnswer(record.amount);
	const fee = centsOfAnswer(record.payerFeeAmount) ?? 0;
	return cents === null || isWanted(cents) || isWanted(cents - fee);
}

/** Whether a payment was made before it was requested, both by the clock of the service. */
export function isOldPayment(payment: ApiRecord, headers: Record<string, string>): boolean {
	const answeredAt = getDate(headers);
	const madeAt = Date.parse(toText(payment.createdAt));
	return answeredAt !== undefined && answeredAt - madeAt > OLD_MS;
}
