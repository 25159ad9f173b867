import {
	textField,
	dateFilters,
	filtersField,
	listFields,
	PAYMENT_METHODS,
	PAYMENT_STATUSES,
} from '../editor/fields';
import { simplifier, simplifyFields } from '../editor/simplify';
import { listRecords } from '../listing';
import type { ItemOperation } from '../operation';
import { simplePayment } from './fields';

const dates = dateFilters('payments');

/** GET /v1/payments (docs/api.md#list-payments). */
export const getAll: ItemOperation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many payments',
		description: 'Retrieve a list of payments, all or those that match filters',
	},
	scope: 'payments:read',
	fields: [
		...listFields,
		filtersField([
			dates.end,
			textField('Max Amount', 'maxAmount', {
				placeholder: 'e.g. 500,00',
				description: 'Only payments of at most this amount in reais',
			}),
			{
				displayName: 'Method',
				name: 'method',
				type: 'options',
				default: 'PIX',
				options: PAYMENT_METHODS,
				description: 'Only payments made with this method',
			},
			textField('Min Amount', 'minAmount', {
				placeholder: 'e.g. 10,00',
				description: 'Only payments of at least this amount in reais',
			}),
			dates.start,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'PAID',
				options: PAYMENT_STATUSES,
				description: 'Only payments that currently have this status',
			},
		]),
		...simplifyFields,
	],
	async execute(call) {
		const payments = await listRecords(call, '/v1/payments', 'payments');
		const simplified = simplifier(call);
		return payments.map((payment) => ({
			json: simplePayment(simplified, payment),
		}));
	},
};
