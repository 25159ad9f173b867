import { path } from '../../shared/transport/path';
import { readObject } from '../../shared/transport/schemas';
import type { ItemOperation } from '../operation';
import { chosenCustomerId, customerIdField } from '../editor/pickers';

/** DELETE /v1/customers/{customerId} (docs/api.md#delete-a-customer). */
export const deleteCustomer: ItemOperation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete customer',
		description: 'Deactivate a customer. Its data is kept.',
	},
	scope: 'customers:write',
	isWrite: true,
	fields: [customerIdField],
	async execute(call) {
		const customerId = chosenCustomerId(call);
		await call.repeatable('DELETE', path`/v1/customers/${customerId}`, readObject);
		return { json: { deleted: true } };
	},
};
