import { matches } from 'lodash';
import { found } from '../errors';
import { json } from '../http/answer';
import { operation } from '../http/operation';
import { presentCustomer, presentExternalCustomer } from '../http/present';
import { customerIdParams, externalIdParams } from '../schemas/common';
import type { Customer } from '../store/rows';
import type { ApiKey } from '../settings/keys';
import type { World } from '../world';

function findCustomer(
	{ store }: World,
	{ environment }: ApiKey,
	wanted: Partial<Customer>,
): Customer {
	return found(store.customers.newest(environment, matches(wanted)), 'customer');
}

/** GET /v1/customers/{customerId}, metadata included (docs/api.md#get-a-customer). */
export const getCustomer = operation('GET /v1/customers/:customerId', {
	scopes: ['customers:read'],
	params: customerIdParams,
	handle({ world, key, params }) {
		const customer = findCustomer(world, key, params);
		return json(200, { customer: presentCustomer(customer) });
	},
});

/** GET /v1/customers/external/{externalId}: the internal id, no metadata (docs/api.md#get-a-customer-by-external-id). */
export const getCustomerByExternalId = operation('GET /v1/customers/external/:externalId', {
	scopes: ['customers:read'],
	params: externalIdParams,
	handle({ world, key, params }) {
		const customer = findCustomer(world, key, params);
		return json(200, { customer: presentExternalCustomer(customer) });
	},
});

/** DELETE /v1/customers/{customerId}: soft delete (docs/api.md#delete-a-customer). */
export const deleteCustomer = operation('DELETE /v1/customers/:customerId', {
	scopes: ['customers:write'],
	params: customerIdParams,
	handle({ world, key, params, now }) {
		const customer = findCustomer(world, key, params);
		Object.assign(customer, { isActive: false, updatedAt: now });
		return json(200, { message: 'The customer was deactivated' });
	},
});
