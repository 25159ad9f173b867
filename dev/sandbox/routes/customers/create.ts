import { z } from 'zod';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentCustomer } from '../../http/present';
import { createSeeds } from '../../seeds';
import { freeText, metadata } from '../../schemas/common';

/** Implied by its scope, without a path in the API: there in one dialect only. */
export const createCustomer = operation({
	method: 'POST',
	path: '/v1/customers',
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
