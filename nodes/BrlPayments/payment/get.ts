import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import { simplifyFields } from '../editor/simplify';
import type { ItemOperation } from '../operation';
import { shownPayment } from './fields';

/** GET /v1/payments/{paymentId} (docs/api.md#get-a-payment). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get payment',
		description: 'Retrieve a payment by its ID',
	},
	scope: 'payments:read',
	fields: [paymentIdField, ...simplifyFields],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const payment = await call.get(path`/v1/payments/${paymentId}`, readRecord('payment'));
		return { json: shownPayment(call, payment) };
	},
};
