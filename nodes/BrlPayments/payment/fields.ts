import type { IDataObject } from 'n8n-workflow';
import { findPaymentCodes } from './codes';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { simplifier, type Simplifier } from '../editor/simplify';
import type { ItemCall } from '../item';

/** The fields of a payment that most workflows use: ten, and `externalId` if the service shows it. */
const SIMPLE_PAYMENT_FIELDS = [
	'status',
	'amount',
	'payerName',
	'description',
	'externalId',
	'paymentMethod',
	'paidAt',
	'netAmount',
	'id',
	'txId',
	'createdAt',
];

/** In the order in which people use a charge: what the customer pays with comes first. */
export const CHARGE_COLUMNS = [
	'checkoutUrl',
	'pixCode',
	'boletoLine',
	'externalId',
	'amount',
	'status',
	'alreadyCreated',
	'expiresAt',
	'id',
];

/** A payment as the user wants it. @param codes what a customer can pay it with */
export function simplePayment(
	simplified: Simplifier,
	payment: IDataObject,
	codes: IDataObject = {},
): IDataObject {
	const { name: payerName } = (payment.payer ?? {}) as { name?: string | null };
	const simple = [...SIMPLE_PAYMENT_FIELDS, ...Object.keys(codes)];
	const named = omitUndefined({ payerName });
	return simplified({ ...payment, ...codes }, simple, named);
}

/** A payment as the user wants it, with the codes that a customer can pay it with. */
export function shownPayment(call: ItemCall, payment: IDataObject): IDataObject {
	const codes = findPaymentCodes(payment, (message) => call.hint(message));
	return simplePayment(simplifier(call), payment, codes as IDataObject);
}
