import { z } from 'zod';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentRefund } from '../../http/present';
import { checkRefund, openRefund, scheduleRefund } from '../../lifecycle/refunds';
import { paymentIdParams, reais } from '../../schemas/common';
import { findPayment } from './read';

/**
 * POST /v1/payments/{paymentId}/refund: a full refund only; returns it as PENDING
 * (docs/api.md#refund-a-payment).
 */
export const refundPayment = operation('POST /v1/payments/:paymentId/refund', {
	scopes: ['payments:refund', 'payments:write'],
	idempotent: true,
	params: paymentIdParams,
	body: z.object({ amount: reais.optional(), reason: z.string().default('') }),
	handle({ world, key, params, body }) {
		const payment = findPayment(world, key.environment, params.paymentId);
		checkRefund(world, payment, body.amount ?? null);
		const refund = openRefund(world, payment, body.reason);
		const answer = json(201, { refund: presentRefund(refund) });
		scheduleRefund(world, refund);
		return answer;
	},
});
