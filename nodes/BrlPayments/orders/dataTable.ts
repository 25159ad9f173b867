import { chunk } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	getRows,
	PAGE,
	type Condition,
	type Match,
	type TableContext,
	type TableStep,
} from '../../shared/n8n/dataTable';
import { getStoreName } from '../../shared/n8n/durableStore';
import { DAY_MS, toIso } from '../../shared/text/time';
import { findExistingTable, findTable, forgetTable } from './findTable';
import {
	byReference,
	isAutomatic,
	type Cells,
	type Ledger,
	type LedgerUnavailable,
	type StoredCells,
} from './ledger';
import { NAME_LIFE_MS } from './names';
import { FRESH_MS } from './protocol';
import { callTable, deleteRows, insertItems } from './tableCalls';
import { toStoredCells, toTableCells } from './tableRow';

/**
 * Only IDs have an index: n8n compares each row with each condition, twice, and on SQLite writes nothing
 * meanwhile. With these many, that takes 0.4 s beside 200,000 rows.
 */
const CONDITIONS = 40;
/** Beside fewer rows more are asked for in a call, as long as that takes about so long. */
const CALL_MS = 400;
/** More would leave n8n's database, and a machine with two processors, to nobody else. */
const CALLS_AT_ONCE = 2;
/** SQLite takes at most 998 conditions, and n8n gives 1,000 rows at a time. */
const BATCH = 400;
/** References often differ in their last characters only: then few conditions find many of them. */
const PREFIXES = 20;
/** Characters. Shorter ones are those of random references, and find nearly all rows. */
const SHORTEST_PREFIX = 4;

/** n8n counts rows after it has read them, and reads no further if others have written in between. */
const OVERTAKEN = /result count changed/;
const MAX_READS = 5;

/**
 * How long a row may be written before others see it. Nothing is sent under a row that was begun to be
 * written longer ago than half of this (FRESH_MS): so what shows up later does no harm.
 */
const LATE_COMMIT_MS = 2 * FRESH_MS;
/** How far the clock of the database may be behind that of n8n before everything is read again. */
const CLOCKS_MS = 60_000;

/** Opens the ledger of the project that the workflow belongs to, for one run of a node. */
export function openLedger(context: TableContext, now: () => number): Ledger {
	return new DataTableLedger(context, now, async (name) => await findTable(context, name));
}

/**
 * The same for those who only read: creates no table.
 * @returns undefined if the project has never had one
 * @throws LedgerUnavailable
 */
export async function openExistingLedger(
	context: TableContext,
	now: () => number,
): Promise<Ledger | undefined> {
	const id = await findExistingTable(context);
	return id === undefined ? undefined : openLedger(context, now);
}

/** How many conditions a call has, by the name of the store: of workflow and node. */
const conditionsOf = new Map<string, number>();
/** When settled automatic names were last removed, by the name of the store. Epoch ms. */
const tidiedAt = new Map<string, number>();

class DataTableLedger implements Ledger {
	/** Rows by ID, and the references and roots whose rows they are. */
	private readonly known = new Map<number, StoredCells>();
	/** The same by reference; undefined after a change. */
	private index: Map<string, StoredCells[]> | undefined;
	private readonly references = new Set<string>();
	private readonly roots = new Set<string>();
	/** Since when they are known, epoch ms by the clock of this n8n: whatever was changed later may not be. */
	private knownAt = Infinity;
	/** By how much the clock of the database is ahead. Milliseconds. */
	private lead = 0;
	private newestId = 0;
	/** Asked for once: n8n copies the whole node each time. */
	private readonly storeName: string;

	constructor(
		private readonly context: TableContext,
		private readonly local: () => number,
		private readonly find: (storeName: string) => Promise<string>,
	) {
		this.storeName = getStoreName(context);
	}

	now(): number {
		return this.local() + this.lead;
	}

	toLocal(time: number): number {
		return time - this.lead;
	}

	async watch(references: readonly string[]): Promise<void> {
		const at = this.local();
		// PostgreSQL refuses a null character, and with it the whole list.
		const wanted = [...new Set(references)].filter((one) => !one.includes('\0')).sort();
		const rows: StoredCells[] = [];
		for (const batch of chunk(wanted, BATCH)) rows.push(...(await this.readReferences(batch)));
		const isWanted = new Set(wanted);
		for (const { id, reference } of this.known.values()) {
			if (isWanted.has(reference)) this.known.delete(id);
		}
		this.index = undefined;
		for (const reference of wanted) this.references.add(reference);
		this.keep(rows);
		this.knownAt = Math.min(this.knownAt, at);
	}

	async watchRoot(root: string, besides?: string): Promise<StoredCells[]> {
		const at = this.local();
		const others = besides === undefined ? [] : [differs('execution', besides)];
		const rows = await this.getAll([equals('root', root), ...others]);
		this.roots.add(root);
		this.keep(rows);
		this.knownAt = Math.min(this.knownAt, at);
		return rows;
	}

	async change(
		rows: readonly Cells[],
		remove: readonly number[],
		root?: string,
	): Promise<readonly StoredCells[]> {
		const begunAt = this.local();
		for (const { reference } of rows) this.references.add(reference);
		// A run that has read nothing watches what it writes.
		const knownAt = Math.min(this.knownAt, begunAt) - LATE_COMMIT_MS;
		const conditions = [
			// What a person edits gets its time from the clock of n8n, what is inserted from the database.
			{ keyName: 'updatedAt', condition: 'gte', keyValue: toIso(knownAt - CLOCKS_MS) } as const,
			...(root === undefined ? [] : [equals('root', root)]),
		];
		const news = await this.getAll(conditions, rows, remove);
		const runs = new Set(rows.map(({ run }) => run));
		const own = news.filter(({ id, run }) => id > this.newestId && runs.has(run));
		for (const id of remove) this.known.delete(id);
		this.index = undefined;
		const removed = new Set(remove);
		this.keep(news.filter(({ id }) => !removed.has(id)));
		this.knownAt = begunAt;
		if (rows.length === 0) return news;
		const writtenAt = Math.min(...own.map(({ createdAt }) => createdAt));
		// The rows of others are found by the time of the database: its clock must not be further behind.
		const isBehind = own.length < rows.length || writtenAt < begunAt - CLOCKS_MS;
		if (isBehind) await this.watch([...this.references]);
		// Never too early: what was written may look older than it is, not younger.
		const newest = [...this.known.values()].filter(({ run }) => runs.has(run)).at(-1);
		if (newest) this.lead = newest.createdAt - begunAt;
		return isBehind ? await this.readSince(knownAt) : news;
	}

	async record(rows: readonly Cells[], remove: readonly number[]): Promise<void> {
		if (rows.length === 0 && remove.length === 0) return;
		await this.call(rows, remove, () => []);
		for (const id of remove) this.known.delete(id);
		this.index = undefined;
	}

	rowsOf(reference: string): StoredCells[] {
		// A long list asks for each of its references.
		this.index ??= byReference(this.known.values());
		return this.index.get(reference) ?? [];
	}

	rowsOfRoot(root: string): StoredCells[] {
		return [...this.known.values()].filter((row) => row.root === root);
	}

	async findWithdrawals(ids: readonly string[]): Promise<StoredCells[]> {
		const wanted = [...new Set(ids)];
		const rows = await this.readEach('withdrawalId', wanted);
		return [...rows, ...(await this.readEach('paymentId', wanted))];
	}

	async readSince(since: number, kind?: 'automatic'): Promise<StoredCells[]> {
		const time = toIso(since + this.lead);
		this.knownAt = Math.min(this.knownAt, this.local());
		return await this.getAll([
			{ keyName: 'updatedAt', condition: 'gte', keyValue: time },
			...(kind === undefined ? [] : [equals('kind', kind)]),
		]);
	}

	async tidy(): Promise<void> {
		const at = this.local();
		if (at - (tidiedAt.get(this.storeName) ?? -Infinity) < DAY_MS) return;
		const before = toIso(this.now() - NAME_LIFE_MS);
		const old = await this.get('allConditions', [
			equals('kind', 'automatic'),
			{ keyName: 'updatedAt', condition: 'lte', keyValue: before },
			// What is open stays, and must not fill the page for ever.
			differs('status', 'sending'),
		]);
		// A name goes with all its rows or stays: without its `paid`, its `sending` would be open for ever.
		const allNames = [...new Set(old.map(({ reference }) => reference))];
		const names = allNames.slice(0, BATCH);
		// Otherwise there are more, and the next run goes on.
		if (old.length < PAGE && names.length === allNames.length) tidiedAt.set(this.storeName, at);
		if (names.length === 0) return;
		const rows = (await this.readReferences(names)).filter(isAutomatic);
		const kept = new Set(
			rows
				.filter(({ status, updatedAt }) => status === 'sending' || toIso(updatedAt) > before)
				.map(({ reference }) => reference),
		);
		await this.record(
			[],
			rows.filter(({ reference }) => !kept.has(reference)).map(({ id }) => id),
		);
	}

	private keep(rows: readonly StoredCells[]): void {
		for (const row of rows) {
			this.newestId = Math.max(this.newestId, row.id);
			// A run of hours must not keep what all others write meanwhile.
			const isWatched =
				this.known.has(row.id) ||
				this.references.has(row.reference) ||
				this.roots.has(row.root ?? '');
			if (isWatched) this.known.set(row.id, row);
		}
		this.index = undefined;
	}

	/** @param references in order: such that begin alike are found with few conditions */
	private async readReferences(references: readonly string[]): Promise<StoredCells[]> {
		const prefixes = references.length > CONDITIONS ? findPrefixes(references, PREFIXES) : [];
		if (prefixes.length > 0 && prefixes.every(({ length }) => length >= SHORTEST_PREFIX)) {
			const alike = prefixes.map((prefix): Condition => ({
				...{ keyName: 'reference', condition: 'like', keyValue: `${prefix}%` },
			}));
			const found = await this.get('anyCondition', alike);
			const wanted = new Set(references);
			if (found.length < PAGE) return found.filter(({ reference }) => wanted.has(reference));
		}
		return await this.readEach('reference', references);
	}

	/** Reads all rows with one of these values in a column: for most of a call, n8n waits for its database. */
	private async readEach(column: string, values: readonly string[]): Promise<StoredCells[]> {
		const rows: StoredCells[] = [];
		let size = conditionsOf.get(this.storeName) ?? CONDITIONS;
		for (let left = values; left.length > 0;) {
			const batches = chunk(left, size).slice(0, CALLS_AT_ONCE);
			const begunAt = Date.now();
			const read = await Promise.all(batches.map((batch) => this.readAny(column, batch)));
			rows.push(...read.flat());
			const took = Date.now() - begunAt;
			left = left.slice(size * batches.length);
			if (took > CALL_MS) size = Math.max(CONDITIONS, Math.floor(size / 2));
			// That a few are found quickly says nothing of many.
			else if (took < CALL_MS / 2 && batches[0]?.length === size) size = Math.min(BATCH, size * 2);
		}
		conditionsOf.set(this.storeName, size);
		return rows;
	}

	/** The same in one call, or in several where it finds more than n8n gives at a time. */
	private async readAny(column: string, values: readonly string[]): Promise<StoredCells[]> {
		const conditions = values.map((value) => equals(column, value));
		const found = await this.get('anyCondition', conditions);
		if (found.length < PAGE) return found;
		if (conditions.length === 1) return await this.getAll(conditions);
		const halves = chunk(values, Math.ceil(values.length / 2));
		return (await Promise.all(halves.map((half) => this.readAny(column, half)))).flat();
	}

	/**
	 * All rows that fulfil all conditions, page by page, each after the last ID: n8n fails when the rows change
	 * between its own pages.
	 * @param inserted before the first page is read, as `removed`, in the same call
	 */
	private async getAll(
		conditions: readonly Condition[],
		inserted: readonly Cells[] = [],
		removed: readonly number[] = [],
	): Promise<StoredCells[]> {
		let page = await this.get('allConditions', conditions, inserted, removed);
		const rows = [...page];
		while (page.length === PAGE) {
			const after = { keyName: 'id', condition: 'gt', keyValue: rows.at(-1)?.id ?? 0 } as const;
			page = await this.get('allConditions', [...conditions, after]);
			rows.push(...page);
		}
		return rows;
	}

	private async get(
		match: Match,
		conditions: readonly Condition[],
		inserted: readonly Cells[] = [],
		removed: readonly number[] = [],
		readsLeft = MAX_READS,
	): Promise<StoredCells[]> {
		const read = (id: string) => [getRows(id, match, conditions)];
		const rows = this.call(inserted, removed, read).then((found) => found.map(toStoredCells));
		return await rows.catch(async (error: LedgerUnavailable) => {
			if (readsLeft <= 1 || !OVERTAKEN.test(error.message)) throw error;
			// What was to be inserted is: only the last step reads.
			return await this.get(match, conditions, [], [], readsLeft - 1);
		});
	}

	/** Inserts, then removes, then the rest. @returns the rows that the last step put out */
	private async call(
		inserted: readonly Cells[],
		removed: readonly number[],
		toSteps: (tableId: string) => readonly TableStep[],
	): Promise<IDataObject[]> {
		const id = await this.find(this.storeName);
		const sorted = [...new Set(removed)].sort((a, b) => a - b);
		const steps = [
			...(inserted.length === 0 ? [] : [insertItems(id)]),
			...chunk(sorted, BATCH).map((ids) => deleteRows(id, ids)),
			...toSteps(id),
		];
		const inputs = inserted.length === 0 ? [{}] : inserted.map(toTableCells);
		const output = callTable(this.context, steps, inputs).catch(
			(error: LedgerUnavailable): never => {
				if (error.problem !== 'failed') forgetTable(this.storeName);
				throw error;
			},
		);
		return (await output).filter(({ id: row }) => row !== undefined);
	}
}

/** @returns the longest equally long beginnings of texts, so that there are not more than these many */
export function findPrefixes(texts: readonly string[], most: number): string[] {
	// By code points: n8n cannot look for half of one.
	const all = texts.map((text) => Array.from(text));
	const longest = Math.max(...all.map(({ length }) => length));
	const cut = (length: number) => [...new Set(all.map((text) => text.slice(0, length).join('')))];
	let length = 0;
	while (length < longest && cut(length + 1).length <= most) length += 1;
	return cut(length);
}

function equals(column: string, value: string): Condition {
	return { keyName: column, condition: 'eq', keyValue: value };
}

function differs(column: string, value: string): Condition {
	return { keyName: column, condition: 'neq', keyValue: value };
}
