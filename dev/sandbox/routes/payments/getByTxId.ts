import { z } from 'zod';
import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentPayment } from '../../http/present';

/** GET /v1/payments/txid/{txId} (docs/api.md#get-a-payment-by-transaction-id). */
export const getPaymentByTxId = operation({
	method: 'GET',
	path: '/v1/payments/txid/:txId',
	scopes: ['payments:read'],
	params: z.object({ txId: z.string().min(1) }),
	handle({ world, key, params }) {
		const payment = world.store.paymentWithTxId(key.environment, params.txId);
		if (!payment) throw new ServiceError('NOT_FOUND', { message: 'No such payment' });
		return json(200, { payment: presentPayment(payment, world.dialect) });
	},
});
