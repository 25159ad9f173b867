import type { IDataObject } from 'n8n-workflow';
import { KeyedMutex } from '../../shared/concurrency/sharedCalls';
import {
	getStoreName,
	hasDurableStore,
	withDurableStore,
	type StoreAccess,
} from '../../shared/n8n/durableStore';
import { LEDGER_NAME, listTables, type TableContext } from '../../shared/n8n/dataTable';
import { LedgerUnavailable } from './ledger';
import { callTable, createTable, toLedgerUnavailable } from './tableCalls';
import { COLUMNS } from './tableRow';

interface Table {
	readonly id: string;
	readonly name: string;
	readonly columns: ReadonlyArray<{ readonly name: string; readonly type: string }>;
}

/** IDs that this process has found, by the name of the store: of workflow and node. */
export const knownTableIds = new Map<string, string>();
/** Within this process, only one run of a node looks for the table, or creates it. */
const searches = new KeyedMutex();

/** Everything that a node records is beside this: nothing may be evicted. */
const MAX_ENTRIES = 1_000_000;
/** What a node records of a table. */
const useOf = ({ id }: Pick<Table, 'id'>) => `ledger:${id}`;

/**
 * Finds the table of the ledger by its exact name: n8n itself also takes parts of names for a match. Creates it
 * if there has never been one.
 *
 * @param storeName see `getStoreName`
 * @throws LedgerUnavailable `gone`, if the node has used another one, or one that is no longer there: to begin
 * anew would pay everything again
 */
export async function findTable(
	context: TableContext,
	storeName = getStoreName(context),
): Promise<string> {
	const id = await find(context, storeName, create);
	if (id === undefined) throw new TypeError('The table was neither found nor created');
	return id;
}

/**
 * The same for those who only read.
 * @returns undefined if there has never been one
 * @throws LedgerUnavailable
 */
export async function findExistingTable(context: TableContext): Promise<string | undefined> {
	return await find(context, getStoreName(context), () => undefined);
}

/** To be called when n8n does not find the table, or not as it was: the next call looks for it again. */
export function forgetTable(storeName: string): void {
	knownTableIds.delete(storeName);
}

/** What to do if there has never been a table. */
type Begin = (context: TableContext) => Promise<Table> | undefined;

async function find(
	context: TableContext,
	name: string,
	begin: Begin,
): Promise<string | undefined> {
	const searchOnce = async () => {
		const id = knownTableIds.get(name) ?? (await search(context, begin));
		if (id !== undefined) knownTableIds.set(name, id);
		return id;
	};
	return knownTableIds.get(name) ?? (await searches.run(name, searchOnce));
}

async function search(context: TableContext, begin: Begin): Promise<string | undefined> {
	const named = await findNamed(context);
	// All that this node records are the tables that it has used.
	const hasUsedOne = await inStore(context, async (store) => (await store.count()) > 0);
	// Another process may have created it since, and recorded that.
	const table = named ?? (await (hasUsedOne ? findNamed(context) : begin(context)));
	if (hasUsedOne) await inStore(context, async (store) => await expectUsed(store, table));
	if (table === undefined) return undefined;
	const fault = findFault(table);
	if (fault !== undefined) throw new LedgerUnavailable('columns', fault);
	if (!hasUsedOne) await inStore(context, async (store) => await recordUse(store, table));
	return table.id;
}

/** @throws LedgerUnavailable `renamed` */
async function findNamed(context: TableContext): Promise<Table | undefined> {
	const tables = await readTables(context);
	const named = findByName(tables);
	const renamed = tables.find((table) => findFault(table) === undefined);
	if (named || !renamed) return named;
	// That is what people have renamed: to begin anew beside it would pay everything again.
	throw new LedgerUnavailable('renamed', `The data table "${renamed.name}" has its columns`);
}

/**
 * The store says what is in it only when asked to record it, so what was not there is removed again.
 * @throws LedgerUnavailable `gone`
 */
async function expectUsed(store: StoreAccess, table: Table | undefined): Promise<void> {
	const uses = table ? [useOf(table)] : [];
	const known = await store.record(uses, MAX_ENTRIES);
	if (known.size > 0) return;
	await store.forget(uses);
	throw new LedgerUnavailable('gone', 'The data table that this node has used was not found');
}

async function recordUse(store: StoreAccess, table: Table): Promise<void> {
	const record = async () => await store.record([useOf(table)], MAX_ENTRIES);
	// Of two processes that insert the row of this node at the same time, n8n refuses one.
	await record().catch(record);
}

/** @returns undefined without the store, as in a tool of an agent */
async function inStore<T>(
	context: TableContext,
	use: (store: StoreAccess) => Promise<T>,
): Promise<T | undefined> {
	if (!hasDurableStore(context)) return undefined;
	return await withDurableStore(context, use).catch((error: unknown): never => {
		throw toLedgerUnavailable(error);
	});
}

/** Of two processes that create it at the same time, one is refused: both then use the same table. */
async function create(context: TableContext): Promise<Table> {
	const refusal = await callTable(context, [createTable(LEDGER_NAME, COLUMNS)]).then(
		() => undefined,
		toLedgerUnavailable,
	);
	const table = findByName(await readTables(context));
	if (table !== undefined) return table;
	throw refusal ?? new LedgerUnavailable('failed', `n8n did not create ${LEDGER_NAME}`);
}

async function readTables(context: TableContext): Promise<Table[]> {
	const listed = await callTable(context, [listTables]);
	return listed.filter(isTable);
}

function isTable(table: IDataObject): table is IDataObject & Table {
	const { id, name, columns } = table;
	return typeof id === 'string' && typeof name === 'string' && Array.isArray(columns);
}

function findByName(tables: readonly Table[]): Table | undefined {
	return tables.find(({ name }) => name === LEDGER_NAME);
}

/** @returns what is wrong with the columns; more of them than needed are not */
function findFault({ columns }: Table): string | undefined {
	const types = new Map(columns.map(({ name, type }) => [name, type]));
	for (const [name, type] of COLUMNS) {
		const actual = types.get(name);
		if (actual === undefined) return `Column ${name} is missing`;
		if (actual !== type) return `Column ${name} has the type ${actual}, not ${type}`;
	}
	return undefined;
}
