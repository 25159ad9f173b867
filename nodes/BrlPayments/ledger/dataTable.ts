import { toIso } from '../../shared/text/time';
import type { IDataObject } from 'n8n-workflow';
import { getStoreName } from '../../shared/n8n/durableStore';
import { findExistingTable, findTable, forgetTable } from './findTable';
import {
	isKind,
	type Cells,
	type Kind,
	type LedgerStore,
	type LedgerUnavailable,
	type StoredCells,
} from './ledger';
import { FRESH_MS } from './protocol';
import {
	callTable,
	deleteRows,
	getRows,
	insertItems,
	NEWEST_FIRST,
	PAGE,
	type Condition,
	type Match,
	type TableStep,
	type TableContext,
} from './tableCalls';
import { idColumn, toStoredCells, toTableCells, toWord } from './tableRow';

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
/** How far before a run's own rows others are looked for that name the same withdrawal: some 500 payouts. */
const EARLIER_IDS = 1_000;
/** How many rows with status `paid` are of use. */
const FEW = 5;

/**
 * How long a row may be written before others see it. Nothing is sent under a row that was begun to be
 * written longer ago than half of this (FRESH_MS): so what shows up later does no harm.
 */
const LATE_COMMIT_MS = 2 * FRESH_MS;
/** How far the clocks of n8n and its database may be apart before everything is read again. */
const CLOCKS_MS = 60_000;

/** From here on, reading takes seconds. A payout takes two IDs: for the attempt, which is removed, and for its outcome. */
const MANY_IDS = 2 * 150_000;

/** Opens the ledger of the project that the workflow belongs to, for one run. */
export function openLedger(context: TableContext, kind: Kind = 'payout'): LedgerStore {
	return new DataTableLedger(context, kind);
}

/**
 * Opens the ledger for one that only reads it, and creates none.
 * @returns undefined if the project has never had one
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

class DataTableLedger implements LedgerStore {
	/** The references that this run has read, their rows by ID, and since when they are known. */
	private readonly references = new Set<string>();
	private readonly known = new Map<number, StoredCells>();
	/** Other calls may have read them before this run removed them. */
	private readonly removed = new Set<number>();
	/** Epoch ms by the clock of n8n: whatever was changed later may not be known. */
	private knownAt = Infinity;
	private newestId = 0;
	/** Of the rows that this run has written. */
	private firstId = Infinity;
	private isSizeKnown = false;
	isLarge = false;
	/** Asked for once: n8n copies the whole node each time. */
	private readonly storeName: string;

	constructor(
		private readonly context: TableContext,
		private readonly kind: Kind,
	) {
		this.storeName = getStoreName(context);
	}

	async read(references: readonly string[]): Promise<StoredCells[]> {
		const wanted = new Set(references);
		const at = Date.now();
		const rows: StoredCells[] = [];
		for (const batch of chunk([...wanted].sort(), BATCH)) rows.push(...(await this.readAll(batch)));
		for (const { id } of this.knownOf(wanted)) this.known.delete(id);
		for (const row of rows) this.known.set(row.id, row);
		for (const reference of wanted) this.references.add(reference);
		this.knownAt = Math.min(this.knownAt, at);
		return this.ofKind(rows);
	}

	/** Writes, and reads what was changed since: to search for many references once more takes long. */
	async claim(rows: readonly Cells[]): Promise<{ own: StoredCells[]; all: StoredCells[] }> {
		const wanted = new Set(rows.map(({ reference }) => reference));
		if ([...wanted].some((one) => !this.references.has(one))) await this.read([...wanted]);
		const { newestId } = this;
		// What a person edits gets its time from the clock of n8n, what is inserted from the database.
		const since = this.knownAt - LATE_COMMIT_MS - CLOCKS_MS;
		const isNew = { ...SINCE, keyValue: toIso(since) };
		const at = Date.now();
		const news = await this.getAll([isNew], await this.get('allConditions', [isNew], rows));
		// A run of hours must not keep what all others write meanwhile.
		const isKnown = ({ id, reference }: StoredCells) =>
			this.known.has(id) || this.references.has(reference);
		const ofRun = news.filter(isKnown);
		for (const row of ofRun) this.known.set(row.id, row);
		const runs = new Set(rows.map(({ run }) => run));
		const isOwn = ({ id, run }: StoredCells) => id > newestId && runs.has(run);
		// By the clock of the database: was everything read that is younger? Meanwhile, another call may have
		// brought what was read earlier.
		const writtenAt = news.filter(isOwn).at(-1)?.createdAt ?? -Infinity;
		const isComplete = since <= writtenAt - (Date.now() - this.knownAt) - LATE_COMMIT_MS;
		if (isComplete) this.knownAt = at;
		const all = isComplete ? this.ofKind(this.knownOf(wanted)) : await this.read([...wanted]);
		const own = all.filter(isOwn).sort((one, other) => one.id - other.id);
		this.newestId = own.at(-1)?.id ?? newestId;
		this.firstId = Math.min(this.firstId, own[0]?.id ?? Infinity);
		return { own, all };
	}

	async record(rows: readonly Cells[], remove: readonly number[]): Promise<StoredCells[]> {
		if (rows.length === 0 && remove.length === 0) return [];
		const paidBy = rows.find(({ status }) => status === 'paid')?.run;
		const run = Number.isFinite(this.firstId) ? paidBy : undefined;
		// By ID, this takes as long beside a long table as beside a short one.
		const others = [
			equals('status', toWord('paid', this.kind)),
			{ keyName: 'run', condition: 'neq', keyValue: run ?? '' } as const,
			after(this.firstId - EARLIER_IDS),
		];
		const toSteps = (id: string) => [
			...insertIfAny(id, rows),
			...chunk(remove, BATCH).map((ids) => deleteRows(id, ids)),
			...(run ? [getRows(id, 'allConditions', others)] : []),
		];
		const output = await this.call(toSteps, rows);
		for (const id of remove) this.removed.add(id);
		if (this.newestId > MANY_IDS && !this.isSizeKnown) await this.findSize();
		if (!run || output.length === 0) return [];
		return this.ofKind(await this.getAll(others, output.map(toStoredCells)));
	}

	/** To count rows takes n8n as long as to read them all. By ID, only those are counted that are too many. */
	private async findSize(): Promise<void> {
		this.isSizeKnown = true;
		const old = { keyName: 'id', condition: 'lte', keyValue: this.newestId - MANY_IDS } as const;
		const found = await this.call((id) => [getRows(id, 'allConditions', [old], 1)]);
		this.isLarge = found.length > 0;
	}

	async withdraw(ids: readonly number[]): Promise<void> {
		await this.record([], ids);
	}

	async findWithdrawals(withdrawalIds: readonly string[]): Promise<StoredCells[]> {
		return this.ofKind(await this.readEach(idColumn(this.kind), [...new Set(withdrawalIds)]));
	}

	async findPaidWith(apiKey: string): Promise<StoredCells[]> {
		const conditions = [equals('status', toWord('paid', this.kind)), equals('apiKey', apiKey)];
		const found = await this.call((id) => [
			{ ...getRows(id, 'allConditions', conditions, FEW), ...NEWEST_FIRST },
		]);
		return this.ofKind(found.map(toStoredCells));
	}

	/** Rows whose kind nobody can read stand in the way of both kinds. */
	private ofKind(rows: readonly StoredCells[]): StoredCells[] {
		return rows.filter(({ kind }) => kind === this.kind || !isKind(kind));
	}

	private knownOf(references: ReadonlySet<string>): StoredCells[] {
		return [...this.known.values()].filter(
			({ id, reference }) => references.has(reference) && !this.removed.has(id),
		);
	}

	/** @param references in order: such that begin alike are found with few conditions */
	private async readAll(references: readonly string[]): Promise<StoredCells[]> {
		const prefixes = references.length > CONDITIONS ? findPrefixes(references, PREFIXES) : [];
		const toCondition = (prefix: string): Condition => ({
			...{ keyName: 'reference', condition: 'like', keyValue: `${prefix}%` },
		});
		if (prefixes.length > 0 && prefixes.every(({ length }) => length >= SHORTEST_PREFIX)) {
			const found = await this.get('anyCondition', prefixes.map(toCondition));
			const wanted = new Set(references);
			if (found.length < PAGE) return found.filter(({ reference }) => wanted.has(reference));
		}
		return await this.readEach('reference', references);
	}

	/** Reads all rows with one of these values in a column. */
	private async readEach(
		column: 'reference' | 'withdrawalId' | 'paymentId',
		values: readonly string[],
	): Promise<StoredCells[]> {
		const rows: StoredCells[] = [];
		let size = conditionsOf.get(this.storeName) ?? CONDITIONS;
		for (let start = 0; start < values.length;) {
			const conditions = values.slice(start, start + size).map((value) => equals(column, value));
			const begunAt = Date.now();
			const found = await this.get('anyCondition', conditions);
			const took = Date.now() - begunAt;
			if (found.length === PAGE && conditions.length > 1) {
				size = Math.floor(conditions.length / 2);
				continue;
			}
			rows.push(...(await this.getAll(conditions, found)));
			start += conditions.length;
			if (took > CALL_MS) size = Math.max(CONDITIONS, Math.floor(size / 2));
			else if (took < CALL_MS / 2) size = Math.min(BATCH, size * 2);
		}
		conditionsOf.set(this.storeName, size);
		return rows;
	}

	/**
	 * Page by page, each after the last ID: n8n fails when the rows change between its own pages.
	 * @returns all rows that fulfil all conditions, beginning with the first page
	 */
	private async getAll(
		conditions: readonly Condition[],
		first: StoredCells[],
	): Promise<StoredCells[]> {
		const rows = [...first];
		for (let page = first; page.length === PAGE;) {
			page = await this.get('allConditions', [...conditions, after(rows.at(-1)?.id ?? 0)]);
			rows.push(...page);
		}
		return rows;
	}

	/** @param inserted before it is read, in the same call */
	private async get(
		match: Match,
		conditions: readonly Condition[],
		inserted: readonly Cells[] = [],
	): Promise<StoredCells[]> {
		const toSteps = (id: string) => [...insertIfAny(id, inserted), getRows(id, match, conditions)];
		return (await this.call(toSteps, inserted)).map(toStoredCells);
	}

	/** @returns the rows that the last step put out */
	private async call(
		toSteps: (tableId: string) => readonly TableStep[],
		rows: readonly Cells[] = [],
	): Promise<IDataObject[]> {
		const steps = toSteps(await findTable(this.context, this.storeName));
		const inputs =
			rows.length === 0 ? [{}] : rows.map((cells) => ({ ...toTableCells(cells, this.kind) }));
		const output = callTable(this.context, steps, inputs).catch(
			(error: LedgerUnavailable): never => {
				if (error.problem !== 'failed') forgetTable(this.storeName);
				throw error;
			},
		);
		return (await output).filter(({ id }) => id !== undefined);
	}
}

function insertIfAny(tableId: string, rows: readonly Cells[]): TableStep[] {
	return rows.length === 0 ? [] : [insertItems(tableId)];
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

const SINCE = { keyName: 'updatedAt', condition: 'gte' } as const;

function after(id: number): Condition {
	return { keyName: 'id', condition: 'gt', keyValue: id };
}

function chunk<T>(list: readonly T[], size: number): T[][] {
	const count = Math.ceil(list.length / size);
	return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
