import { sortBy } from 'lodash';
import type { Dialect } from '../settings/dialects';
import { json, type WireAnswer } from './answer';
import { check, type Schema } from './operation';

/** What the filters are called in the dialect `otherNames`. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	status: 'state',
	method: 'paymentMethod',
	currency: 'currencyCode',
	startDate: 'from',
	endDate: 'to',
	minAmount: 'amountFrom',
	maxAmount: 'amountTo',
	search: 'q',
	isActive: 'active',
};

/** A schema whose fields are known by their names. */
type FieldSchema<T> = Schema<T> & { shape: Readonly<Record<string, unknown>> };

/** The filters of a list request, by their names in the dialect. */
export function readFilters<T>(
	{ listFilters: { names } }: Dialect,
	schema: FieldSchema<T>,
	query: object,
): T {
	const assumed = names === 'ignoredNames' ? [] : Object.keys(schema.shape);
	const spoken = (name: string) => (names === 'otherNames' ? (OTHER_NAMES[name] ?? name) : name);
	const given = query as Record<string, unknown>;
	const filters = assumed.map((name) => [name, given[spoken(name)]] as const);
	return check(schema, Object.fromEntries(filters), 'query');
}

/** Whether a row is in a time range, both ends included; one without a timestamp is in none. */
export function isWithin(
	{ listFilters }: Dialect,
	row: { createdAt: number; paidAt?: number | null; processedAt?: number | null },
	{ startDate, endDate }: { startDate?: number | undefined; endDate?: number | undefined },
): boolean {
	if (startDate === undefined && endDate === undefined) return true;
	const isByCreation = listFilters.dates === 'createdAt';
	const timestamp = isByCreation ? row.createdAt : (row.paidAt ?? row.processedAt ?? null);
	return (
		timestamp !== null &&
		timestamp >= (startDate ?? -Infinity) &&
		timestamp <= (endDate ?? Infinity)
	);
}

/** One page of the rows, in the order of lists. @param newestFirst as they are kept */
export function page<T extends { id: string }>(
	{ listOrder: { order } }: Dialect,
	name: string,
	newestFirst: readonly T[],
	{ page: number, limit }: { page: number; limit: number },
	present: (row: T) => object,
): WireAnswer {
	const rows = order === 'byId' ? sortBy(newestFirst, 'id') : [...newestFirst];
	if (order === 'oldestFirst') rows.reverse();
	const total = rows.length;
	const start = (number - 1) * limit;
	return json(200, {
		[name]: rows.slice(start, start + limit).map(present),
		pagination: { page: number, limit, total, totalPages: Math.ceil(total / limit) },
	});
}
