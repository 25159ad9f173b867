import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { presentPayment, presentWithdrawal } from '../http/present';
import { forcePaymentStatus } from '../lifecycle/force';
import { setWithdrawalStatus } from '../lifecycle/withdrawals';
import { PAYMENT_STATUSES, WITHDRAWAL_STATUSES } from '../store/types';
import type { World } from '../world';
import { controlBody } from './body';

const paymentBody = z.object({ status: z.enum(PAYMENT_STATUSES) });
const withdrawalBody = z.object({
	status: z.enum(WITHDRAWAL_STATUSES),
	errorMessage: z.string().optional(),
});

function refused(from: string, to: string): ServiceError {
	return new ServiceError('INVALID_STATUS', { message: `${from} cannot become ${to}` });
}

/** POST /_sandbox/payments/{id}/status, POST /_sandbox/withdrawals/{id}/status. */
export function registerStateControl(app: FastifyInstance, world: World): void {
	app.post<{ Params: { id: string } }>('/_sandbox/payments/:id/status', async (request) => {
		const { status } = controlBody(request, paymentBody);
		const payment = world.store.payments.find(request.params.id);
		if (!payment) throw new ServiceError('NOT_FOUND', { message: 'No such payment' });
		if (!forcePaymentStatus(world, payment, status)) throw refused(payment.status, status);
		return { payment: presentPayment(payment, world.dialect) };
	});
	app.post<{ Params: { id: string } }>('/_sandbox/withdrawals/:id/status', async (request) => {
		const { status, errorMessage } = controlBody(request, withdrawalBody);
		const withdrawal = world.store.withdrawals.find(request.params.id);
		if (!withdrawal) throw new ServiceError('NOT_FOUND', { message: 'No such withdrawal' });
		if (!setWithdrawalStatus(world, withdrawal, status, errorMessage ?? null)) {
			throw refused(withdrawal.status, status);
		}
		return { withdrawal: presentWithdrawal(withdrawal, world.dialect) };
	});
}
