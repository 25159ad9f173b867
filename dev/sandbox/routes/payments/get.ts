import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { envelopePayment } from '../../http/present';
import { paymentIdParams } from '../../schemas/common';
import { findPayment } from './find';

/** GET /v1/payments/{paymentId} (docs/api.md#get-a-payment). */
export const getPayment = operation({
	method: 'GET',
	path: '/v1/payments/:paymentId',
	scopes: ['payments:read'],
	params: paymentIdParams,
	handle: ({ world, key, params }) =>
		json(
			200,
			envelopePayment(findPayment(world, key.environment, params.paymentId), world.dialect),
		),
});
