import { z } from 'zod';
import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentPayment } from '../../http/present';
import { checkRefund, findPendingRefund, forcePaymentStatus } from '../../lifecycle/refunds';
import { paymentIdParams } from '../../schemas/common';
import { findPayment } from './read';

const target = z.enum(['PAID', 'CONFIRMED', 'CANCELLED', 'EXPIRED', 'REFUNDED', 'CHARGEBACK']);

/** POST /v1/payments/{paymentId}/simulate: forces an outcome on a sandbox payment (docs/api.md#simulate-an-outcome). */
export const simulatePayment = operation('POST /v1/payments/:paymentId/simulate', {
	scopes: ['payments:write'],
	params: paymentIdParams,
	body: z.object({ status: target }),
	handle({ world, key, params, body }) {
		if (key.environment !== 'SANDBOX') {
			throw new ServiceError('FORBIDDEN', { message: 'Only a sandbox payment can be simulated' });
		}
		const payment = findPayment(world, key.environment, params.paymentId);
		// Under the same rules as a refund by API; a refund that is under way is completed at once.
		const isRefund = body.status === 'REFUNDED';
		if (isRefund && !findPendingRefund(world, payment)) checkRefund(world, payment, null);
		if (!forcePaymentStatus(world, payment, body.status)) {
			throw new ServiceError('INVALID_STATUS', {
				message: `A payment that is ${payment.status} cannot become ${body.status}`,
			});
		}
		return json(200, { payment: presentPayment(payment, world.dialect) });
	},
});
