import { ServiceError } from '../../errors';
import { boletoPdf } from '../../documents/boleto';
import { binary } from '../../http/answer';
import { operation } from '../../http/operation';
import { paymentIdParams } from '../../schemas/common';
import { findPayment } from './find';

/** GET /v1/payments/{paymentId}/boleto: the PDF of a payment whose method is BOLETO (docs/api.md#download-a-boleto). */
export const getBoleto = operation({
	method: 'GET',
	path: '/v1/payments/:paymentId/boleto',
	scopes: ['payments:read'],
	params: paymentIdParams,
	async handle({ world, key, params }) {
		const payment = findPayment(world, key.environment, params.paymentId);
		if (payment.paymentMethod !== 'BOLETO') {
			throw new ServiceError('NOT_FOUND', { message: 'This payment has no boleto' });
		}
		return binary(200, 'application/pdf', await boletoPdf(payment));
	},
});
