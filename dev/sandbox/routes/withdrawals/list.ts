import { filteredTimestamp, inListOrder, isWithin, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentWithdrawal } from '../../http/present';
import { listQuery, withdrawalFilters } from '../../schemas/lists';

/** GET /v1/withdrawals (docs/api.md#list-withdrawals). */
export const listWithdrawals = operation({
	method: 'GET',
	path: '/v1/withdrawals',
	scopes: ['withdrawals:read'],
	query: listQuery,
	handle({ world, key, query, now }) {
		const lagMs = world.account.withdrawalListLagMs;
		const filters = readFilters(world.dialect, withdrawalFilters, query);
		const rows = world.store.withdrawals.newestFirst(
			key.environment,
			(row) =>
				(lagMs === 0 || now - row.createdAt >= lagMs) &&
				(filters.status === undefined || row.status === filters.status) &&
				isWithin(filteredTimestamp(world.dialect, row), filters),
		);
		return page('withdrawals', inListOrder(world.dialect, rows), query, (row) =>
			presentWithdrawal(row, world.dialect),
		);
	},
});
