import type { IDataObject } from 'n8n-workflow';
import { getStoreName } from '../../shared/n8n/durableStore';
import { COLUMNS, findExistingTable, findTable, forgetTable } from './findTable';
import { LedgerUnavailable, type Cells, type LedgerStore, type StoredCells } from './ledger';
import {
	callTable,
	deleteRows,
	getRows,
	insertItems,
	NEWEST_FIRST,
	PAGE,
	type Condition,
	type Step,
	type TableContext,
} from './tableCalls';

/**
 * Only IDs have an index: n8n compares each row with each condition, twice, and on SQLite writes nothing
 * meanwhile. With these many, that takes 0.4 s beside 200,000 rows. To read all rows in place of it, page
 * by page, took longer.
 */
const CONDITIONS = 40;
/** Beside fewer rows more are asked for in a call, as long as that takes about so long. */
const CALL_MS = 400;
/** SQLite takes at most 998 conditions, and n8n gives 1,000 rows at a time. */
const BATCH = 400;
/** References often differ in their last characters only: then few conditions find many of them. */
const PREFIXES = 20;
/** Characters. Shorter ones are those of random references, and find nearly all rows. */
const SHORTEST_PREFIX = 4;
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

/** A payout takes two: for the attempt, which is removed, and for its outcome. */
const IDS_OF_PAYOUT = 2;
/** Beside fewer rows nobody needs to know how many there are. */
const MANY_IDS = 100_000 * IDS_OF_PAYOUT;

type Column = 'reference' | 'withdrawalId';

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

/**
 * Opens the ledger for one that only reads it, and creates none.
 * @returns undefined where the project has never had one
 * @throws LedgerUnavailable
 */
export async function openExistingLedger(
	context: TableContext,
): Promise<Pick<LedgerStore, 'read' | 'findWithdrawals'> | undefined> {
	const id = await findExistingTable(context);
	return id === undefined ? undefined : openLedger(context);
}

/** How many conditions a call has, by the name of the store: of workflow and node. */
const conditionsOf = new Map<string, number>();

/** By how much the clock of the database is ahead of that of n8n, as seen last; ms. */
let clockLead = 0;

class DataTableLedger implements LedgerStore {
	/** What this run has read, by reference. */
	private readonly known = new Map<string, Known>();
	/** Whether more references begin alike than n8n gives at a time. */
	private hasManyAlike = false;
	private newestId = 0;
	private oldestId: number | undefined;

	constructor(private readonly context: TableContext) {}

	async read(references: readonly string[]): Promise<StoredCells[]> {
		const at = Date.now();
		const rows = await this.readReferences(references);
		this.remember(references, at, rows);
		return rows;
	}

	async claim(rows: readonly Cells[]) {
		const references = [...new Set(rows.map(({ reference }) => reference))];
		const at = Date.now();
		let all = await this.insertAndRead(rows, references, at);
		let own = findWritten(all ?? [], rows);
		if (all && own.length === rows.length) this.remember(references, at, all);
		else {
			all = await this.read(references);
			own = findWritten(all, rows);
			if (own[0]) clockLead = own[0].createdAt - at;
		}
		this.newestId = own.at(-1)?.id ?? this.newestId;
		return { own, all };
	}

	async record(rows: readonly Cells[], remove: readonly number[]): Promise<void> {
		if (rows.length === 0 && remove.length === 0) return;
		const isSizeWanted = this.newestId >= MANY_IDS && this.oldestId === undefined;
		const output = await this.call(
			(id) => [
				...(rows.length === 0 ? [] : [insertItems(id)]),
				...chunk(remove, BATCH).map((ids) => deleteRows(id, ids)),
				...(isSizeWanted ? [getRows(id, 'allConditions', [after(0)], 1)] : []),
			],
			rows.length === 0 ? undefined : rows.map(toItem),
		);
		if (isSizeWanted) this.oldestId = Number(output[0]?.id);
		const removed = new Set(remove);
		for (const [reference, { at, rows: before }] of this.known) {
			this.known.set(reference, { at, rows: before.filter(({ id }) => !removed.has(id)) });
		}
	}

	size(): number {
		return this.oldestId === undefined ? 0 : (this.newestId - this.oldestId) / IDS_OF_PAYOUT;
	}

	async withdraw(ids: readonly number[]): Promise<void> {
		await this.record([], ids);
	}

	async findWithdrawals(withdrawalIds: readonly string[]): Promise<StoredCells[]> {
		return await this.readEach('withdrawalId', [...new Set(withdrawalIds)]);
	}

	async findPaidWith(apiKey: string): Promise<StoredCells[]> {
		const conditions = [equals('status', 'paid'), equals('apiKey', apiKey)];
		const found = await this.call((id) => [
			{ ...getRows(id, 'allConditions', conditions, FEW), ...NEWEST_FIRST },
		]);
		return found.map(toStored);
	}

	/**
	 * Inserts rows and reads those of their references, in one call where a few conditions find them.
	 *
	 * @returns undefined where that is not everything, and the references have to be read
	 */
	private async insertAndRead(
		rows: readonly Cells[],
		references: readonly string[],
		at: number,
	): Promise<StoredCells[] | undefined> {
		const conditions = this.findFewConditions(references);
		if (conditions === undefined) return await this.insertAndReadNews(rows, references, at);
		const found = await this.insertAndGet(rows, conditions);
		return found.length < PAGE ? ofReferences(found, references) : undefined;
	}

	/**
	 * Inserts rows, and reads what was written since the references were read: to search for many of them
	 * once more takes long.
	 */
	private async insertAndReadNews(
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
		const keyValue = new Date(since).toISOString();
		const isNew: Condition = { keyName: 'updatedAt', condition: 'gte', keyValue };
		const news = await this.getPages(isNew, await this.insertAndGet(rows, [isNew]), MAX_PAGES);
		const writtenAt = findWritten(news, rows)[0]?.createdAt;
		if (news.length === MAX_PAGES * PAGE || writtenAt === undefined) return undefined;
		clockLead = writtenAt - at;
		// By the clock of the database: was everything read that is younger?
		if (since > writtenAt - (Date.now() - readAt) - LATE_COMMIT_MS) return undefined;
		const before = references.flatMap((one) => this.known.get(one)?.rows ?? []);
		const merged = new Map([...before, ...news].map((row) => [row.id, row]));
		return ofReferences([...merged.values()], references);
	}

	private async insertAndGet(
		rows: readonly Cells[],
		conditions: readonly Condition[],
	): Promise<StoredCells[]> {
		const toSteps = (id: string) => [insertItems(id), getRows(id, 'anyCondition', conditions)];
		return (await this.call(toSteps, rows.map(toItem))).map(toStored);
	}

	/** Few conditions that all rows of these references fulfil, and not too many others. */
	private findFewConditions(references: readonly string[]): Condition[] | undefined {
		if (references.length <= CONDITIONS) {
			return references.map((reference) => equals('reference', reference));
		}
		if (this.hasManyAlike || references.length > BATCH) return undefined;
		const prefixes = findPrefixes(references, PREFIXES);
		if (prefixes.some(({ length }) => length < SHORTEST_PREFIX)) return undefined;
		return prefixes.map((prefix): Condition => ({
			keyName: 'reference',
			condition: 'like',
			keyValue: `${prefix}%`,
		}));
	}

	private async readReferences(references: readonly string[]): Promise<StoredCells[]> {
		const rows: StoredCells[] = [];
		for (const batch of chunk([...new Set(references)].sort(), BATCH)) {
			const conditions = this.findFewConditions(batch);
			const found = conditions && (await this.get('anyCondition', conditions));
			if (found !== undefined && found.length < PAGE) {
				rows.push(...ofReferences(found, batch));
			} else {
				this.hasManyAlike ||= found !== undefined;
				rows.push(...(await this.readEach('reference', batch)));
			}
		}
		return rows;
	}

	/** Reads all rows with one of these values in a column. */
	private async readEach(column: Column, values: readonly string[]): Promise<StoredCells[]> {
		const rows: StoredCells[] = [];
		const name = getStoreName(this.context);
		let size = conditionsOf.get(name) ?? CONDITIONS;
		for (let start = 0; start < values.length;) {
			const conditions = values.slice(start, start + size).map((value) => equals(column, value));
			const begunAt = Date.now();
			const found = await this.get('anyCondition', conditions);
			const took = Date.now() - begunAt;
			start += size;
			if (took > CALL_MS) size = Math.max(CONDITIONS, Math.floor(size / 2));
			else if (took < CALL_MS / 2) size = Math.min(BATCH, size * 4);
			if (found.length < PAGE) rows.push(...found);
			else for (const one of conditions) rows.push(...(await this.getPages(one)));
		}
		conditionsOf.set(name, size);
		return rows;
	}

	/** Page by page, each after the last ID: n8n fails when the rows change between its own pages. */
	private async getPages(
		condition: Condition,
		begin?: readonly StoredCells[],
		mostPages = Infinity,
	): Promise<StoredCells[]> {
		let page = begin ?? (await this.get('allConditions', [condition]));
		const rows = [...page];
		while (page.length === PAGE && rows.length < mostPages * PAGE) {
			page = await this.get('allConditions', [condition, after(rows.at(-1)?.id ?? 0)]);
			rows.push(...page);
		}
		return rows;
	}

	private async get(
		match: 'anyCondition' | 'allConditions',
		conditions: readonly Condition[],
	): Promise<StoredCells[]> {
		return (await this.call((id) => [getRows(id, match, conditions)])).map(toStored);
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

function ofReferences(rows: readonly StoredCells[], references: readonly string[]): StoredCells[] {
	const wanted = new Set(references);
	return rows.filter(({ reference }) => wanted.has(reference));
}

/** @returns rows as they were written, in the same order, without those that are not there */
function findWritten(stored: readonly StoredCells[], written: readonly Cells[]): StoredCells[] {
	const newest = [...stored].sort((one, other) => other.id - one.id);
	const byContent = new Map<string, StoredCells[]>();
	for (const row of newest) {
		const name = nameContent(row);
		byContent.set(name, [...(byContent.get(name) ?? []), row]);
	}
	return written.flatMap((row) => byContent.get(nameContent(row))?.shift() ?? []);
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
	// n8n keeps a column to its type: somebody has made it again with another one.
	const other = COLUMNS.find(([name, type]) => type === 'number' && typeof row[name] === 'string');
	if (other)
		throw new LedgerUnavailable('columns', `Column ${other[0]} has the type string, not number`);
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

/** @returns the longest equally long beginnings of texts, so that there are not more than these many */
export function findPrefixes(texts: readonly string[], most: number): string[] {
	// By code points: n8n cannot look for half of one.
	const all = texts.map((text) => Array.from(text));
	const longest = Math.max(...all.map(({ length }) => length));
	let prefixes = new Set(['']);
	for (let length = 1; length <= longest; length += 1) {
		const longer = new Set(all.map((text) => text.slice(0, length).join('')));
		if (longer.size > most) break;
		prefixes = longer;
	}
	return [...prefixes];
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
