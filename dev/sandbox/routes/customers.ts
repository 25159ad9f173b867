import { z } from 'zod';
import { found, ServiceError } from '../errors';
import { json } from '../http/answer';
import { operation } from '../http/operation';
import { presentCustomer, presentExternalCustomer } from '../http/present';
import { customerIdParams, externalIdParams, freeText, metadata } from '../schemas/common';
import { createSeeds } from '../store/newRows';
import type { Customer, Environment } from '../store/types';
import type { World } from '../world';

function findCustomer(
	world: World,
	environment: Environment,
	test: (customer: Customer) => boolean,
): Customer {
	return found(world.store.customers.newest(environment, test), 'customer');
}

const findById = (world: World, environment: Environment, id: string) =>
	findCustomer(world, environment, ({ customerId }) => customerId === id);

/** Implied by its scope, without a path in the API: there in one dialect only. */
export const createCustomer = operation('POST /v1/customers', {
	scopes: ['customers:write'],
	idempotent: true,
	isThere: ({ unlistedEndpoints }) => unlistedEndpoints.endpoints === 'present',
	body: (dialect) =>
		z.object({
			name: freeText(dialect).min(1),
			email: z.string().email().default('customer@example.com'),
			document: z.string().default(''),
			phone: z.string().default(''),
			externalId: freeText(dialect).min(1).nullable().default(null),
			metadata: metadata(dialect).default({}),
		}),
	handle({ world, key, body }) {
		const customer = createSeeds(world).customer({ ...body, environment: key.environment });
		return json(201, { customer: presentCustomer(customer) });
	},
});

/** GET /v1/customers/{customerId}, metadata included (docs/api.md#get-a-customer). */
export const getCustomer = operation('GET /v1/customers/:customerId', {
	scopes: ['customers:read'],
	params: customerIdParams,
	handle({ world, key, params }) {
		const customer = findById(world, key.environment, params.customerId);
		return json(200, { customer: presentCustomer(customer) });
	},
});

/** GET /v1/customers/external/{externalId}: the internal id, no metadata (docs/api.md#get-a-customer-by-external-id). */
export const getCustomerByExternalId = operation('GET /v1/customers/external/:externalId', {
	scopes: ['customers:read'],
	params: externalIdParams,
	handle({ world, key, params }) {
		if (world.dialect.customerAuthorization.takes === 'oauthToken') {
			throw new ServiceError('INVALID_API_KEY', { message: 'Send an OAuth token' });
		}
		const { externalId } = params;
		const customer = findCustomer(world, key.environment, (row) => row.externalId === externalId);
		return json(200, { customer: presentExternalCustomer(customer) });
	},
});

/** Implied by its scope, without a path in the API: there in one dialect only. */
export const updateCustomer = operation('PATCH /v1/customers/:customerId', {
	scopes: ['customers:write'],
	isThere: ({ unlistedEndpoints }) => unlistedEndpoints.endpoints === 'present',
	params: customerIdParams,
	body: (dialect) => z.object({ name: freeText(dialect).min(1) }),
	handle({ world, key, params, body, now }) {
		const customer = findById(world, key.environment, params.customerId);
		Object.assign(customer, { name: body.name, updatedAt: now });
		return json(200, { customer: presentCustomer(customer) });
	},
});

/** DELETE /v1/customers/{customerId}: soft delete (docs/api.md#delete-a-customer). */
export const deleteCustomer = operation('DELETE /v1/customers/:customerId', {
	scopes: ['customers:write'],
	params: customerIdParams,
	handle({ world, key, params, now }) {
		const customer = findById(world, key.environment, params.customerId);
		Object.assign(customer, { isActive: false, updatedAt: now });
		return json(200, { message: 'The customer was deactivated' });
	},
});
