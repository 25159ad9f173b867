import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { presentCustomer } from '../http/present';
import { createSeeds } from '../seeds';
import type { World } from '../world';
import { controlBody } from './body';

const customerBody = z
	.object({
		environment: z.enum(['SANDBOX', 'PRODUCTION']).default('SANDBOX'),
		name: z.string(),
		email: z.string(),
		document: z.string(),
		phone: z.string(),
		externalId: z.string().nullable(),
		metadata: z.record(z.unknown()),
	})
	.partial()
	.strict();

/** GET and POST /_sandbox/customers. */
export function registerCustomerControl(app: FastifyInstance, world: World): void {
	app.get('/_sandbox/customers', async () => ({
		customers: (['SANDBOX', 'PRODUCTION'] as const).flatMap((environment) =>
			world.store.customers
				.newestFirst(environment)
				.map((customer) => ({ environment, ...presentCustomer(customer) })),
		),
	}));
	app.post('/_sandbox/customers', async (request, reply) => {
		const given = Object.fromEntries(
			Object.entries(controlBody(request, customerBody)).filter(([, value]) => value !== undefined),
		);
		const customer = createSeeds(world).customer(given);
		return reply.code(201).send({ customer: { id: customer.id, ...presentCustomer(customer) } });
	});
}
