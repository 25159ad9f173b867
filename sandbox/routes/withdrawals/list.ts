import { page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentWithdrawal } from '../../http/present';
import { listQuery, withdrawalFilters } from '../../schemas/lists';

/** GET /v1/withdrawals: newest first (Withdrawals). */
export const listWithdrawals = operation({
	method: 'GET',
	path: '/v1/withdrawals',
	scopes: ['withdrawals:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world, withdrawalFilters, query);
		const rows = world.store.withdrawals.newestFirst(
			key.environment,
			(row) =>
				(filters.status === undefined || row.status === filters.status) &&
				(filters.startDate === undefined || row.createdAt >= filters.startDate) &&
				(filters.endDate === undefined || row.createdAt <= filters.endDate),
		);
		return page('withdrawals', rows, query, presentWithdrawal);
	},
});
