import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { customerIdParams } from '../../schemas/common';
import { findCustomer } from './find';

/** DELETE /v1/customers/{customerId}: soft delete (docs/api.md#delete-a-customer). */
export const deleteCustomer = operation({
	method: 'DELETE',
	path: '/v1/customers/:customerId',
	scopes: ['customers:write'],
	params: customerIdParams,
	handle({ world, key, params, now }) {
		const { customerId } = params;
		const customer = findCustomer(world, key.environment, (row) => row.customerId === customerId);
		customer.isActive = false;
		customer.updatedAt = now;
		return json(200, { message: 'The customer was deactivated' });
	},
});
