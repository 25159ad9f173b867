import { z } from 'zod';
import { boletoPdf } from '../../documents/boleto';
import { found, ServiceError } from '../../errors';
import { binary, json } from '../../http/answer';
import { isWithin, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { envelopePayment, presentPayment, shownStatus } from '../../http/present';
import { paymentIdParams } from '../../schemas/common';
import { listQuery, paymentFilters } from '../../schemas/lists';
import type { Payment } from '../../store/rows';
import type { Environment } from '../../store/types';
import type { World } from '../../world';

/** The payment of this environment, or NOT_FOUND: a key never sees the other environment. */
export function findPayment(world: World, environment: Environment, id: string): Payment {
	return found(world.store.payments.get(environment, id), 'payment');
}

/** GET /v1/payments/{paymentId} (docs/api.md#get-a-payment). */
export const getPayment = operation('GET /v1/payments/:paymentId', {
	scopes: ['payments:read'],
	params: paymentIdParams,
	handle: ({ world, key, params }) =>
		json(
			200,
			envelopePayment(findPayment(world, key.environment, params.paymentId), world.dialect),
		),
});

/** GET /v1/payments/txid/{txId} (docs/api.md#get-a-payment-by-transaction-id). */
export const getPaymentByTxId = operation('GET /v1/payments/txid/:txId', {
	scopes: ['payments:read'],
	params: z.object({ txId: z.string().min(1) }),
	handle({ world, key, params }) {
		const payment = found(world.store.paymentWithTxId(key.environment, params.txId), 'payment');
		return json(200, { payment: presentPayment(payment, world.dialect) });
	},
});

/** GET /v1/payments (docs/api.md#list-payments). */
export const listPayments = operation('GET /v1/payments', {
	scopes: ['payments:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world.dialect, paymentFilters, query);
		const rows = world.store.payments.newestFirst(
			key.environment,
			(row) =>
				(filters.status === undefined ||
					shownStatus(row.status, world.dialect) === filters.status) &&
				(filters.method === undefined || row.paymentMethod === filters.method) &&
				isWithin(world.dialect, row, filters) &&
				(filters.minAmount === undefined || row.amountCents >= filters.minAmount) &&
				(filters.maxAmount === undefined || row.amountCents <= filters.maxAmount),
		);
		return page(world.dialect, 'payments', rows, query, (row) =>
			presentPayment(row, world.dialect),
		);
	},
});

/** GET /v1/payments/{paymentId}/boleto: the PDF of a payment whose method is BOLETO (docs/api.md#download-a-boleto). */
export const getBoleto = operation('GET /v1/payments/:paymentId/boleto', {
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
