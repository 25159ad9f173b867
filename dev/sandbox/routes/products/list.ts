import { inListOrder, page, readFilters } from '../../http/list';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { listQuery, productFilters } from '../../schemas/lists';

/** GET /v1/products; `search` finds a part of the name (docs/api.md#list-products). */
export const listProducts = operation({
	method: 'GET',
	path: '/v1/products',
	scopes: ['products:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world.dialect, productFilters, query);
		const isExact = world.dialect.productSearch.compares === 'exactCase';
		const fold = (text: string) => (isExact ? text : text.toLowerCase());
		const wanted = filters.search === undefined ? undefined : fold(filters.search);
		const rows = world.store.products.newestFirst(
			key.environment,
			(row) =>
				(wanted === undefined || fold(row.name).includes(wanted)) &&
				(filters.isActive === undefined || row.isActive === filters.isActive),
		);
		return page('products', inListOrder(world.dialect, rows), query, presentProduct);
	},
});
