import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentCustomer } from '../../http/present';
import { customerIdParams } from '../../schemas/common';
import { findCustomer } from './find';

/** GET /v1/customers/{customerId}, metadata included (docs/api.md#get-a-customer). */
export const getCustomer = operation({
	method: 'GET',
	path: '/v1/customers/:customerId',
	scopes: ['customers:read'],
	params: customerIdParams,
	handle({ world, key, params }) {
		const { customerId } = params;
		const customer = findCustomer(world, key.environment, (row) => row.customerId === customerId);
		return json(200, { customer: presentCustomer(customer) });
	},
});
