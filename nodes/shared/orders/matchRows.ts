import type { OrderRecord } from './order';

type Known = Pick<OrderRecord, 'content' | 'state'>;

/** Which order of an earlier attempt each row of a list stands for. */
export interface MatchedRows<T> {
	/** By the index of the row; rows that stand for none are absent. */
	readonly orders: ReadonlyMap<number, T>;
	/** Contents of which the list has fewer rows than before, and some of those were done and others not. */
	readonly ambiguous: ReadonlySet<string>;
}

/**
 * Follows rows that have changed places, been added or removed since an earlier attempt. A row stands for
 * the order that asked for the same: that of its own place, or else of any. A row that was changed stands
 * for what is left at its own place, or else at any.
 *
 * @param contents what the rows ask for; undefined if that cannot be read
 * @param before the orders of the earlier attempt, by place
 */
export function matchRows<T extends Known>(
	contents: ReadonlyArray<string | undefined>,
	before: ReadonlyMap<number, T>,
): MatchedRows<T> {
	const left = new Map(before);
	const orders = new Map<number, T>();
	const take = (row: number, place: number | undefined): void => {
		const order = place === undefined ? undefined : left.get(place);
		if (order === undefined || place === undefined || orders.has(row)) return;
		orders.set(row, order);
		left.delete(place);
	};
	const asksForSame = (row: number, order: T | undefined) => order?.content === contents[row];
	const rows = [...contents.keys()];
	for (const row of rows) if (asksForSame(row, left.get(row))) take(row, row);
	const moved = rows.filter((row) => !orders.has(row));
	for (const row of moved) {
		take(row, [...left].find(([, order]) => asksForSame(row, order))?.[0]);
	}
	const changed = moved.filter((row) => before.has(row) && !orders.has(row));
	for (const row of changed) take(row, row);
	for (const row of changed) take(row, [...left.keys()][0]);
	return { orders, ambiguous: findAmbiguous(contents, [...new Set(before.values())]) };
}

function findAmbiguous(
	contents: ReadonlyArray<string | undefined>,
	before: readonly Known[],
): ReadonlySet<string> {
	const rows = countBy(contents);
	const orders = countBy(before.map(({ content }) => content));
	const done = before.filter(({ state }) => state === 'done').map(({ content }) => content);
	const isAmbiguous = ([content, paid]: [string, number]) => {
		const [now = 0, then = 0] = [rows.get(content), orders.get(content)];
		return now < then && paid < then;
	};
	return new Set([...countBy(done)].filter(isAmbiguous).map(([content]) => content));
}

function countBy<T>(values: readonly T[]): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}
