import { filteredTimestamp, inListOrder, isWithin, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentPayment, shownStatus } from '../../http/present';
import { listQuery, paymentFilters } from '../../schemas/lists';

/** GET /v1/payments (docs/api.md#list-payments). */
export const listPayments = operation({
	method: 'GET',
	path: '/v1/payments',
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
				isWithin(filteredTimestamp(world.dialect, row), filters) &&
				(filters.minAmount === undefined || row.amountCents >= filters.minAmount) &&
				(filters.maxAmount === undefined || row.amountCents <= filters.maxAmount),
		);
		return page('payments', inListOrder(world.dialect, rows), query, (row) =>
			presentPayment(row, world.dialect),
		);
	},
});
