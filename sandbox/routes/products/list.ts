import { inListOrder, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { listQuery, productFilters } from '../../schemas/lists';

/** GET /v1/products; `search` finds a part of the name, whatever its case (Products). */
export const listProducts = operation({
	method: 'GET',
	path: '/v1/products',
	scopes: ['products:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world.dialect, productFilters, query);
		const wanted = filters.search?.toLowerCase();
		const rows = world.store.products.newestFirst(
			key.environment,
			(row) =>
				(wanted === undefined || row.name.toLowerCase().includes(wanted)) &&
				(filters.isActive === undefined || row.isActive === filters.isActive),
		);
		return page('products', inListOrder(world.dialect, rows), query, presentProduct);
	},
});
