import { z } from 'zod';
import { ServiceError } from '../../errors';
import { receiptHtml, receiptText } from '../../documents/receipt';
import { text } from '../../http/answer';
import { operation } from '../../http/operation';
import { paymentIdParams } from '../../schemas/common';
import { translateDocumentQuery } from './query';
import { findPayment } from '../payments/find';

/** GET /v1/documents/payments/{paymentId}/receipt: the document itself (docs/api.md#get-a-receipt). */
export const getReceipt = operation({
	method: 'GET',
	path: '/v1/documents/payments/:paymentId/receipt',
	scopes: ['documents:read'],
	params: paymentIdParams,
	translateQuery: translateDocumentQuery,
	query: z.object({ format: z.enum(['html', 'text']).default('html') }),
	handle({ world, key, params, query }) {
		const payment = findPayment(world, key.environment, params.paymentId);
		if (payment.status !== 'PAID' && payment.status !== 'REFUNDED') {
			throw new ServiceError('RECEIPT_NOT_AVAILABLE');
		}
		return query.format === 'html'
			? text(200, 'text/html', receiptHtml(payment))
			: text(200, 'text/plain', receiptText(payment));
	},
});
