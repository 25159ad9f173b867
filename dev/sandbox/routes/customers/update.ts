import { z } from 'zod';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentCustomer } from '../../http/present';
import { customerIdParams, freeText } from '../../schemas/common';
import { findCustomer } from './find';

/** Implied by its scope, without a path in the API: there in one dialect only. */
export const updateCustomer = operation({
	method: 'PATCH',
	path: '/v1/customers/:customerId',
	scopes: ['customers:write'],
	isThere: ({ unlistedEndpoints }) => unlistedEndpoints.endpoints === 'present',
	params: customerIdParams,
	body: (dialect) => z.object({ name: freeText(dialect).min(1) }),
	handle({ world, key, params, body, now }) {
		const { customerId } = params;
		const customer = findCustomer(world, key.environment, (row) => row.customerId === customerId);
		Object.assign(customer, { name: body.name, updatedAt: now });
		return json(200, { customer: presentCustomer(customer) });
	},
});
