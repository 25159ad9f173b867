import { page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentPayment } from '../../http/present';
import { listQuery, paymentFilters } from '../../schemas/lists';

/** GET /v1/payments: newest first (Payments). */
export const listPayments = operation({
	method: 'GET',
	path: '/v1/payments',
	scopes: ['payments:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world, paymentFilters, query);
		const rows = world.store.payments.newestFirst(
			key.environment,
			(row) =>
				(filters.status === undefined || row.status === filters.status) &&
				(filters.method === undefined || row.paymentMethod === filters.method) &&
				(filters.startDate === undefined || row.createdAt >= filters.startDate) &&
				(filters.endDate === undefined || row.createdAt <= filters.endDate) &&
				(filters.minAmount === undefined || row.amountCents >= filters.minAmount) &&
				(filters.maxAmount === undefined || row.amountCents <= filters.maxAmount),
		);
		return page('payments', rows, query, presentPayment);
	},
});
