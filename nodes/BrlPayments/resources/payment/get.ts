import { path } from '../../../api/path';
import { readPayment } from '../../../api/schemas';
import { chosenPaymentId, paymentIdField } from '../../fields/records';
import { simplifyField } from '../../fields/simplify';
import type { ItemOperation } from '../../operation';
import { shownPayment } from './fields';

/** GET /v1/payments/{paymentId} (docs/api.md#get-a-payment). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get payment',
		description: 'Get a payment by its ID',
	},
	scope: 'payments:read',
	fields: [paymentIdField, simplifyField],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const payment = await call.get(path`/v1/payments/${paymentId}`, readPayment);
		return { json: shownPayment(call, payment) };
	},
};
