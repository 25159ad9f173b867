import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { presentCustomer, presentPayment, presentWithdrawal } from '../http/present';
import { forcePaymentStatus } from '../lifecycle/force';
import { setWithdrawalStatus } from '../lifecycle/withdrawals';
import { createSeeds } from '../seeds';
import { PAYMENT_STATUSES, WITHDRAWAL_STATUSES } from '../store/types';
import type { World } from '../world';
import { controlBody } from './body';

const paymentBody = z.object({ status: z.enum(PAYMENT_STATUSES) });
const withdrawalBody = z.object({
	status: z.enum(WITHDRAWAL_STATUSES),
	errorMessage: z.string().optional(),
});
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

function refused(from: string, to: string): ServiceError {
	return new ServiceError('INVALID_STATUS', { message: `${from} cannot become ${to}` });
}

/** POST /_sandbox/payments/{id}/status, POST /_sandbox/withdrawals/{id}/status, customers. */
export function registerStateControl(app: FastifyInstance, world: World): void {
	app.post<{ Params: { id: string } }>('/_sandbox/payments/:id/status', async (request) => {
		const { status } = controlBody(request, paymentBody);
		const payment = world.store.payments.find(request.params.id);
		if (!payment) throw new ServiceError('NOT_FOUND', { message: 'No such payment' });
		if (!forcePaymentStatus(world, payment, status)) throw refused(payment.status, status);
		return { payment: presentPayment(payment) };
	});
	app.post<{ Params: { id: string } }>('/_sandbox/withdrawals/:id/status', async (request) => {
		const { status, errorMessage } = controlBody(request, withdrawalBody);
		const withdrawal = world.store.withdrawals.find(request.params.id);
		if (!withdrawal) throw new ServiceError('NOT_FOUND', { message: 'No such withdrawal' });
		if (!setWithdrawalStatus(world, withdrawal, status, errorMessage ?? null)) {
			throw refused(withdrawal.status, status);
		}
		return { withdrawal: presentWithdrawal(withdrawal) };
	});
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
