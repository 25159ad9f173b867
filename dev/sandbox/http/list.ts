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

/** The timestamp of a row that date filters mean, epoch ms; null where it has none. */
export function filteredTimestamp(
	{ listFilters }: Dialect,
	row: { createdAt: number; paidAt?: number | null; processedAt?: number | null },
): number | null {
	if (listFilters.dates === 'createdAt') return row.createdAt;
	return row.paidAt ?? row.processedAt ?? null;
}

/** Whether a row is in a time range, both ends included; one without a timestamp is in none. */
export function isWithin(
	timestamp: number | null,
	{ startDate, endDate }: { startDate?: number | undefined; endDate?: number | undefined },
): boolean {
	if (startDate === undefined && endDate === undefined) return true;
	return (
		timestamp !== null &&
		timestamp >= (startDate ?? -Infinity) &&
		timestamp <= (endDate ?? Infinity)
	);
}

/** Rows in the order of lists. @param newestFirst as they are kept */
export function inListOrder<T extends { id: string }>(
	{ listOrder }: Dialect,
	newestFirst: readonly T[],
): T[] {
	switch (listOrder.order) {
		case 'newestFirst':
			return [...newestFirst];
		case 'oldestFirst':
			return [...newestFirst].reverse();
		case 'byId':
			return [...newestFirst].sort((one, other) => (one.id < other.id ? -1 : 1));
	}
}

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
