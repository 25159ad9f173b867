import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { simplifier, simplifyFields } from '../editor/simplify';
import type { ItemOperation } from '../operation';
import { chosenCustomerId, customerIdField } from '../editor/pickers';

const SIMPLE_FIELDS = [
	'customerId',
	'name',
	'email',
	'document',
	'phone',
	'externalId',
	'isActive',
	'createdAt',
];

/** GET /v1/customers/{customerId} (docs/api.md#get-a-customer). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get customer',
		description: 'Retrieve a customer by its ID',
	},
	scope: 'customers:read',
	fields: [customerIdField, ...simplifyFields],
	async execute(call) {
		const customer = await call.get(
			path`/v1/customers/${chosenCustomerId(call)}`,
			readRecord('customer'),
		);
		return { json: simplifier(call)(customer, SIMPLE_FIELDS) };
	},
};
