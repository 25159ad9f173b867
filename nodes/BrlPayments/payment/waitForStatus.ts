import { path } from '../../shared/transport/path';
import { readPayment } from '../../shared/transport/schemas';
import { chosenPaymentId, paymentIdField } from '../fields/records';
import { simplifier, simplifyFields } from '../fields/simplify';
import { PAYMENT_STATUSES, waitTimeoutField } from '../fields/definitions';
import type { ItemOperation } from '../execution/operation';
import { waitForStatus as wait } from '../execution/waitForStatus';
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
				'The wait ends as soon as one of these is reached, and fails at once if the payment is expired, cancelled or refunded instead',
		},
		waitTimeoutField,
		...simplifyFields,
	],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const payment = await wait(
			call,
			'payment',
			async () => await call.get(path`/v1/payments/${paymentId}`, readPayment),
			['EXPIRED', 'CANCELLED', 'REFUNDED'],
		);
		return { json: simplePayment(simplifier(call), payment) };
	},
};
