import type { IDataObject } from 'n8n-workflow';
import { COLUMNS, findTable, forgetTable } from './findTable';
import { LedgerUnavailable, type Cells, type LedgerStore, type StoredCells } from './ledger';
import {
	callTable,
	deleteRows,
	getNewestRows,
	getRows,
	getRowsOfItems,
	insertItems,
	PAGE,
	type Condition,
	type Step,
	type TableContext,
} from './tableCalls';

/** n8n compares each row with each condition, and reads nothing else meanwhile: so a few at a time. */
const CONDITIONS = 40;
const QUERIES = 10;
/** SQLite takes at most 998 conditions. IDs have an index. */
const IDS = 400;
/** How many rows with status `paid` are of use. */
const FEW = 5;
/** How many pages of what was written meanwhile are read, before the references are searched for again. */
const MAX_PAGES = 10;

/**
 * How long a row may be written before others see it. Nothing is sent under a row that was begun to be
 * written longer ago than half of this (FRESH_MS): so what shows up later does no harm.
 */
const LATE_COMMIT_MS = 60_000;
/** How far the clocks of n8n and its database may be apart before that is known. */
const CLOCKS_MS = 60_000;

/** What was known of a reference, and since when. */
interface Known {
	/** Epoch ms by the clock of n8n, before it was read. */
	readonly at: number;
	readonly rows: readonly StoredCells[];
}

/** Opens the ledger of the project that the workflow belongs to, for one run. */
export function openLedger(context: TableContext): LedgerStore {
	return new DataTableLedger(context);
}

/** By how much the clock of the database is ahead of that of n8n, as seen last; ms. */
let clockLead = 0;

class DataTableLedger implements LedgerStore {
	/** What this run has read, by reference. */
	private readonly known = new Map<string, Known>();

	constructor(private readonly context: TableContext) {}

	async read(references: readonly string[]): Promise<StoredCells[]> {
		const at = Date.now();
		const rows = await this.readAll('reference', references);
		this.remember(references, at, rows);
		return rows;
	}

	async claim(rows: readonly Cells[]) {
		const references = [...new Set(rows.map(({ reference }) => reference))];
		const at = Date.now();
		const all = await this.insertAndRead(rows, references, at);
		const own = all && findWritten(all, rows);
		if (all && own) {
			this.remember(references, at, all);
			return { own, all };
		}
		const again = await this.read(references);
		const found = findWritten(again, rows);
		clockLead = (found?.[0]?.createdAt ?? at) - at;
		if (found) return { own: found, all: again };
		throw new LedgerUnavailable('failed', 'Rows that were written were not found');
	}

	async record(rows: readonly Cells[], remove: readonly number[]): Promise<void> {
		if (rows.length === 0 && remove.length === 0) return;
		await this.call(
			(id) => [
				...(rows.length === 0 ? [] : [insertItems(id)]),
				...chunk(remove, IDS).map((ids) => deleteRows(id, ids)),
			],
			rows.length === 0 ? undefined : rows.map(toItem),
		);
		const removed = new Set(remove);
		for (const [reference, { at, rows: before }] of this.known) {
			this.known.set(reference, { at, rows: before.filter(({ id }) => !removed.has(id)) });
		}
	}

	async withdraw(ids: readonly number[]): Promise<void> {
		await this.record([], ids);
	}

	async findWithdrawals(withdrawalIds: readonly string[]): Promise<StoredCells[]> {
		return await this.readAll('withdrawalId', withdrawalIds);
	}

	async findPaidWith(apiKey: string): Promise<StoredCells[]> {
		const conditions = [equals('status', 'paid'), equals('apiKey', apiKey)];
		const found = await this.call((id) => [getNewestRows(id, FEW)], [{ conditions }]);
		return found.map(toStored);
	}

	/**
	 * Inserts rows, and reads what was written since the references were read: to search for them once
	 * more would take much longer.
	 *
	 * @returns undefined where that is not everything, and the references have to be read
	 */
	private async insertAndRead(
		rows: readonly Cells[],
		references: readonly string[],
		at: number,
	): Promise<StoredCells[] | undefined> {
		const readAt = Math.min(...references.map((one) => this.known.get(one)?.at ?? -Infinity));
		if (readAt === -Infinity) {
			await this.record(rows, []);
			return undefined;
		}
		// What a person edits gets its time from the clock of n8n, what is inserted from the database.
		const since = readAt + Math.min(clockLead, 0) - LATE_COMMIT_MS - CLOCKS_MS;
		const news = await this.readNews(rows, since);
		const written = news && findWritten(news, rows);
		const writtenAt = written?.[0]?.createdAt;
		if (news === undefined || writtenAt === undefined) return undefined;
		clockLead = writtenAt - at;
		// By the clock of the database, which alone counts: was everything read that is younger?
		if (since > writtenAt - (Date.now() - readAt) - LATE_COMMIT_MS) return undefined;
		const before = references.flatMap((one) => this.known.get(one)?.rows ?? []);
		const merged = new Map([...before, ...news].map((row) => [row.id, row]));
		const wanted = new Set(references);
		return [...merged.values()].filter(({ reference }) => wanted.has(reference));
	}

	/** Inserts rows, and reads all that was written since then. @returns undefined where that is too much */
	private async readNews(
		rows: readonly Cells[],
		since: number,
	): Promise<StoredCells[] | undefined> {
		const isNew: Condition = {
			keyName: 'updatedAt',
			condition: 'gte',
			keyValue: new Date(since).toISOString(),
		};
		const steps = (id: string) => [insertItems(id), getRows(id, 'allConditions', [isNew])];
		const news = (await this.call(steps, rows.map(toItem))).map(toStored);
		for (let pages = 1; news.length === pages * PAGE; pages += 1) {
			if (pages === MAX_PAGES) return undefined;
			const rest = [isNew, after(news.at(-1)?.id ?? 0)];
			news.push(...(await this.call((id) => [getRows(id, 'allConditions', rest)])).map(toStored));
		}
		return news;
	}

	/** Reads all rows with one of these values in a column. */
	private async readAll(
		column: 'reference' | 'withdrawalId',
		values: readonly string[],
	): Promise<StoredCells[]> {
		const queries = chunk([...new Set(values)], CONDITIONS);
		const rows: StoredCells[] = [];
		for (const some of chunk(queries, QUERIES)) {
			rows.push(...(await this.readOnce(column, some)));
		}
		return rows;
	}

	private async readOnce(
		column: 'reference' | 'withdrawalId',
		queries: ReadonlyArray<readonly string[]>,
	): Promise<StoredCells[]> {
		const inputs = queries.map((values) => ({
			conditions: values.map((value) => equals(column, value)),
		}));
		const read = await this.call((id) => [getRowsOfItems(id, 'anyCondition')], inputs);
		const rows = read.map(toStored);
		const complete: StoredCells[] = [];
		for (const values of queries) {
			const wanted = new Set<string | null>(values);
			const found = rows.filter((row) => wanted.has(row[column]));
			if (found.length < PAGE) complete.push(...found);
			else for (const value of values) complete.push(...(await this.readPages(column, value)));
		}
		return complete;
	}

	private async readPages(
		column: 'reference' | 'withdrawalId',
		value: string,
	): Promise<StoredCells[]> {
		const rows: StoredCells[] = [];
		for (let last = 0, isComplete = false; !isComplete; last = rows.at(-1)?.id ?? 0) {
			const conditions = [equals(column, value), after(last)];
			const steps = (id: string) => [getRowsOfItems(id, 'allConditions')];
			const page = await this.call(steps, [{ conditions }]);
			rows.push(...page.map(toStored));
			isComplete = page.length < PAGE;
		}
		return rows;
	}

	private remember(references: readonly string[], at: number, rows: readonly StoredCells[]): void {
		const byReference = new Map(references.map((one) => [one, [] as StoredCells[]]));
		for (const row of rows) byReference.get(row.reference)?.push(row);
		for (const [reference, own] of byReference) this.known.set(reference, { at, rows: own });
	}

	/** @returns the rows that the last step put out */
	private async call(
		toSteps: (tableId: string) => readonly Step[],
		inputs?: readonly IDataObject[],
	): Promise<IDataObject[]> {
		const steps = toSteps(await findTable(this.context));
		const output = callTable(this.context, steps, inputs).catch(
			(error: LedgerUnavailable): never => {
				if (error.problem !== 'failed') forgetTable(this.context);
				throw error;
			},
		);
		return (await output).filter(({ id }) => id !== undefined);
	}
}

/** @returns rows as they were written, in the same order; undefined unless all of them are there */
function findWritten(
	stored: readonly StoredCells[],
	written: readonly Cells[],
): StoredCells[] | undefined {
	const newest = [...stored].sort((one, other) => other.id - one.id);
	const byContent = new Map<string, StoredCells[]>();
	for (const row of newest) {
		const name = nameContent(row);
		byContent.set(name, [...(byContent.get(name) ?? []), row]);
	}
	const found = written.flatMap((row) => byContent.get(nameContent(row))?.shift() ?? []);
	return found.length === written.length ? found : undefined;
}

function nameContent(cells: Cells): string {
	return JSON.stringify(COLUMNS.map(([name]) => cells[name]));
}

function toItem(cells: Cells): IDataObject {
	return Object.fromEntries(COLUMNS.map(([name]) => [name, cells[name]]));
}

function toStored(row: IDataObject): StoredCells {
	const missing = COLUMNS.find(([name]) => row[name] === undefined);
	if (missing) throw new LedgerUnavailable('columns', `Column ${missing[0]} is missing`);
	const cells = row as unknown as StoredCells;
	const text = (cell: unknown) => (typeof cell === 'string' ? cell : '');
	return {
		...cells,
		// People may leave any cell empty.
		reference: text(row.reference),
		status: text(row.status),
		environment: text(row.environment),
		createdAt: toTime(row.createdAt),
		updatedAt: toTime(row.updatedAt),
	};
}

function toTime(moment: unknown): number {
	return new Date(moment as string).getTime();
}

function equals(column: keyof Cells, value: string): Condition {
	return { keyName: column, condition: 'eq', keyValue: value };
}

function after(id: number): Condition {
	return { keyName: 'id', condition: 'gt', keyValue: id };
}

function chunk<T>(list: readonly T[], size: number): T[][] {
	const count = Math.ceil(list.length / size);
	return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
