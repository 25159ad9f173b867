import type { Environment } from './types';

interface Row {
	id: string;
	environment: Environment;
	createdAt: number;
}

/**
 * Rows of both environments, kept in order of creation. An environment never sees a row of the
 * other one: every read names its environment, except `find`, which is for the control pages.
 */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	private readonly ordered: Record<Environment, T[]> = { SANDBOX: [], PRODUCTION: [] };

	insert(row: T): T {
		this.byId.set(row.id, row);
		const rows = this.ordered[row.environment];
		// New rows are nearly always the latest; only seeded ones are searched for a place.
		let at = rows.length;
		while (at > 0 && (rows[at - 1] as T).createdAt > row.createdAt) at--;
		if (at === rows.length) rows.push(row);
		else rows.splice(at, 0, row);
		return row;
	}

	get(environment: Environment, id: string): T | undefined {
		const row = this.byId.get(id.toLowerCase());
		return row?.environment === environment ? row : undefined;
	}

	find(id: string): T | undefined {
		return this.byId.get(id.toLowerCase());
	}

	/** Newest row of the environment for which `test` holds. */
	newest(environment: Environment, test: (row: T) => boolean): T | undefined {
		return this.ordered[environment].findLast(test);
	}

	/** Newest first; rows of the same millisecond in reverse order of insertion. */
	newestFirst(environment: Environment, test: (row: T) => boolean = () => true): T[] {
		return this.ordered[environment].filter(test).reverse();
	}

	clear(): void {
		this.byId.clear();
		this.ordered.SANDBOX.length = 0;
		this.ordered.PRODUCTION.length = 0;
	}
}
