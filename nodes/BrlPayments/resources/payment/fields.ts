import type { IDataObject } from 'n8n-workflow';
import { findPaymentCodes } from '../../../shared/brazil/paymentCodes';
import { simplified } from '../../description/fields/simplify';
import type { ItemCall } from '../../execution/itemCall';

/** The ten fields of a payment that most workflows use. */
export const SIMPLE_PAYMENT_FIELDS = [
	'id',
	'txId',
	'status',
	'amount',
	'netAmount',
	'paymentMethod',
	'methodData',
	'createdAt',
	'paidAt',
	'payer',
];

/** A payment as the user wants it, with the codes that a customer can pay it with. */
export function shownPayment(call: ItemCall, payment: IDataObject): IDataObject {
	const codes = findPaymentCodes(payment);
	const simple = [...SIMPLE_PAYMENT_FIELDS, ...Object.keys(codes)];
	return simplified(call, { ...payment, ...codes }, simple);
}
