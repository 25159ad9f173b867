import { path } from '../../shared/transport/path';
import { readRecord, type ApiRecord } from '../../shared/transport/schemas';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import { simplifier, simplifyFields } from '../editor/simplify';
import { PAYMENT_STATUSES, waitTimeoutField } from '../editor/fields';
import type { ItemOperation } from '../operation';
import { waitForStatus as wait } from '../waiting';
import { isOver } from '../orders/charges';
import { simplePayment } from './fields';

/** Polls GET /v1/payments/{paymentId} (docs/api.md#webhooks: sandbox payments send none). */
export const waitForStatus: ItemOperation = {
	option: {
		name: 'Wait for Status',
		value: 'waitForStatus',
		action: 'Wait for status of payment',
		description: 'Wait until a payment has one of the chosen statuses',
	},
	scope: 'payments:read',
	forAgents: 'It may take minutes to respond. To check once, get the payment instead.',
	fields: [
		paymentIdField,
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'multiOptions',
			required: true,
			default: ['PAID', 'CONFIRMED'],
			options: PAYMENT_STATUSES,
			description:
				'The wait ends as soon as one of these is reached. It fails at once if the payment is cancelled, refunded or expired instead, except that an expired boleto may still be paid.',
		},
		waitTimeoutField,
		...simplifyFields,
	],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const payment = await wait(
			call,
			'payment',
			async () => await call.get(path`/v1/payments/${paymentId}`, readRecord('payment')),
			hasEnded,
		);
		return { json: simplePayment(simplifier(call), payment) };
	},
};

/**
 * Whether a payment most likely never gets one of the statuses (docs/api.md#payment-states). A refunded
 * one may still be charged back; a charged-back one returns to its earlier status if the dispute is won.
 */
export function hasEnded(payment: ApiRecord, wanted: readonly string[]): boolean {
	if (payment.status === 'REFUNDED') return !wanted.includes('CHARGEBACK');
	return isOver(payment);
}
