import type { World } from '../world';
import { json, type WireAnswer } from './answer';
import { check, type Schema } from './operation';

/** The filters of a list request; all of them absent while the account ignores filter names. */
export function readFilters<T>(world: World, schema: Schema<T>, query: object): T {
	return check(schema, world.account.filterNames === 'ignore' ? {} : query, 'query');
}

/** One page of `rows` in the list envelope: the plural name and `pagination`. */
export function page<T>(
	name: string,
	rows: readonly T[],
	{ page: number, limit }: { page: number; limit: number },
	present: (row: T) => object,
): WireAnswer {
	const start = (number - 1) * limit;
	return json(200, {
		[name]: rows.slice(start, start + limit).map(present),
		pagination: {
			page: number,
			limit,
			total: rows.length,
			totalPages: Math.ceil(rows.length / limit),
		},
	});
}
