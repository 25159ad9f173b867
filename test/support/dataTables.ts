/**
 * n8n's Data Tables in memory, as of 2.40: carries out the workflows that the node sends to
 * `executeWorkflow`, and refuses what n8n would refuse.
 */
import type {
	ExecuteWorkflowData,
	IDataObject,
	IExecuteWorkflowInfo,
	INode,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

/** When a call fails: before it has done anything, between its first and second step, or at its end. */
type FailureMoment = 'before' | 'between' | 'after';

type Cell = string | number | null;
type TableRow = Record<string, Cell> & { id: number };

interface Column {
	name: string;
	type: 'string' | 'number' | 'date';
}

interface Table {
	id: string;
	name: string;
	columns: Column[];
	rows: TableRow[];
	lastId: number;
}

interface Condition {
	keyName: string;
	condition: string;
	keyValue: string | number;
}

const SYSTEM: readonly Column[] = [
	{ name: 'id', type: 'number' },
	{ name: 'createdAt', type: 'date' },
	{ name: 'updatedAt', type: 'date' },
];
/** n8n reads pages of this size. */
const PAGE = 1_000;
/** SQLite takes no more than 999 parameters. */
const MAX_CONDITIONS = 998;
/** An expression that yields a text, and is nothing else. */
const TEXT_EXPRESSION = /^=\{\{ ("(?:\\u[0-9a-f]{4})*") \}\}$/;

/** What each operation may be given, and n8n understands. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
	'table list': ['returnAll', 'options'],
	'table create': ['tableName', 'columns', 'options'],
	'row insert': ['dataTableId', 'columns', 'options'],
	'row get': [
		...['dataTableId', 'matchType', 'filters', 'returnAll', 'limit'],
		...['orderBy', 'orderByColumn', 'orderByDirection'],
	],
	'row deleteRows': ['dataTableId', 'matchType', 'filters', 'options'],
};

export class FakeDataTables {
	/** The names of the operations of each call, e.g. `insert+get`; failed ones included. */
	readonly calls: string[] = [];
	/** Rows that n8n takes in all; then the limit is reached. */
	maxRows = Infinity;
	/** Of tables: whether n8n runs without the module. */
	isOff = false;
	/** Called before each step: for what others do meanwhile. */
	onStep: (operation: string) => void | Promise<void> = () => undefined;
	/** Of the workflow that made the last call: n8n knows the project by it. */
	workflowId: string | undefined;
	private tables: Table[] = [];
	private failure: { remaining: number; moment: FailureMoment } | undefined;
	private lastTable = 0;

	/** @param now the clock of the database, epoch ms */
	constructor(readonly now: () => number = Date.now) {}

	/** Makes the k-th call from now on fail, counted from 1. Without arguments: none. */
	failAt(call?: number, moment: FailureMoment = 'before'): void {
		this.failure = call === undefined ? undefined : { remaining: call, moment };
	}

	/** In place of `executeWorkflow` of a node's context. */
	readonly executeWorkflow = async (
		{ code }: IExecuteWorkflowInfo,
		items: readonly INodeExecutionData[] = [],
	): Promise<ExecuteWorkflowData> => {
		if (code === undefined) throw new Error('Only workflows that are given as code are known here');
		const steps = readSteps(code);
		this.workflowId = code.id;
		this.calls.push(steps.map(({ parameters }) => textOf(parameters.operation)).join('+'));
		const isFailing = this.countDown();
		if (isFailing && this.failure?.moment === 'before') throw new Error('The database failed');
		let input: IDataObject[] = items.map(({ json }) => copy(json));
		for (const [index, step] of steps.entries()) {
			await this.onStep(textOf(step.parameters.operation));
			const output = this.runStep(step, input);
			input = output.length === 0 && step.alwaysOutputData === true ? [{}] : output;
			const isBetween = index === 0 && this.failure?.moment === 'between';
			if (isFailing && isBetween) throw new Error('The database failed');
		}
		if (isFailing) throw new Error('The database failed');
		return { executionId: '', data: [input.map((json) => ({ json: copy(json) }))] };
	};

	/** A table, by exact name or by ID. */
	find(table = 'BRL Payouts'): Table {
		const found = this.tables.find(({ id, name }) => id === table || name === table);
		if (found === undefined) throw new Error(`There is no table ${table}`);
		return found;
	}

	has(name = 'BRL Payouts'): boolean {
		return this.tables.some((table) => table.name === name);
	}

	/** The rows of a table, as they are now. */
	rows(table?: string): TableRow[] {
		return copy(this.find(table).rows);
	}

	/** What a person does. */
	rename(name: string, table?: string): void {
		this.find(table).name = name;
	}

	remove(name = 'BRL Payouts'): void {
		this.tables = this.tables.filter((table) => table.name !== name);
	}

	/** @throws Error for a name that the project has, as n8n does */
	create(name: string, columns: readonly Column[]): Table {
		if (this.has(name)) {
			throw new Error(`Data table with name '${name}' already exists in this project`);
		}
		this.lastTable += 1;
		const id = `table${this.lastTable}`;
		const table: Table = { id, name, columns: copy(columns) as Column[], rows: [], lastId: 0 };
		this.tables.push(table);
		return table;
	}

	removeColumn(name: string, table?: string): void {
		const { columns, rows } = this.find(table);
		columns.splice(
			columns.findIndex((column) => column.name === name),
			1,
		);
		for (const row of rows) delete row[name];
	}

	addRow(cells: Record<string, Cell>, table?: string): TableRow {
		const found = this.find(table);
		insert(found, [cells], this.now());
		return copy(found.rows.at(-1)!);
	}

	/** @param at by the clock of n8n, which n8n takes for this in place of that of the database */
	editRow(id: number, cells: Record<string, Cell>, table?: string, at = this.now()): void {
		const row = this.find(table).rows.find((one) => one.id === id);
		if (row === undefined) throw new Error(`There is no row ${id}`);
		Object.assign(row, cells, { updatedAt: at });
	}

	deleteRow(id: number, table?: string): void {
		const found = this.find(table);
		found.rows = found.rows.filter((row) => row.id !== id);
	}

	private countDown(): boolean {
		if (this.failure === undefined) return false;
		this.failure.remaining -= 1;
		return this.failure.remaining === 0;
	}

	private runStep(step: INode, items: readonly IDataObject[]): IDataObject[] {
		if (this.isOff) {
			throw new Error('Attempted to use Data table node but the module is disabled');
		}
		const { parameters, executeOnce } = step;
		const given = executeOnce === true ? items.slice(0, 1) : items;
		switch (parameters.operation) {
			case 'list':
				return given.flatMap(() =>
					this.tables.map(({ id, name, columns }) => copy({ id, name, columns })),
				);
			case 'create':
				return given.map(() => {
					const { column } = parameters.columns as unknown as { column: Column[] };
					const { id, name } = this.create(textOf(parameters.tableName), column);
					return { id, name };
				});
			case 'insert':
				return given.length === 0 ? [] : [this.insert(this.byId(step), step, given)];
			case 'get':
				return given.flatMap(() => getRows(this.byId(step), step));
			default:
				return given.flatMap(() => {
					const table = this.byId(step);
					const gone = filterRows(table, step);
					table.rows = table.rows.filter((row) => !gone.includes(row));
					return gone.map((row) => present(row));
				});
		}
	}

	private insert(table: Table, { parameters }: INode, items: readonly IDataObject[]): IDataObject {
		expectEqual(parameters.columns, { mappingMode: 'autoMapInputData', value: null });
		expectEqual(parameters.options, { optimizeBulk: true });
		const count = this.tables.reduce((sum, { rows }) => sum + rows.length, 0);
		if (count >= this.maxRows) {
			throw new Error(
				'Validation error with data table request: Data table size limit exceeded: 200MB used, limit is 200MB',
			);
		}
		insert(table, items as Array<Record<string, Cell>>, this.now());
		return { success: true, insertedRows: items.length };
	}

	private byId({ parameters }: INode): Table {
		const { __rl, mode, value } = parameters.dataTableId as IDataObject;
		if (__rl !== true || mode !== 'id') throw new Error('Tables are to be named by their ID');
		const table = this.tables.find(({ id }) => id === value);
		if (table) return table;
		throw new Error(`Data table with ID '${textOf(value)}' could not be found in this project`);
	}
}

/** The Data Table nodes of the workflow, in the order of its connections. */
function readSteps({ id, nodes, connections, settings }: IWorkflowBase): INode[] {
	expectEqual(settings, { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' });
	if (typeof id !== 'string') throw new Error('n8n knows the project by the ID of the workflow');
	const [trigger] = nodes;
	if (trigger?.type !== 'n8n-nodes-base.executeWorkflowTrigger') throw new Error('No trigger');
	expectEqual(trigger.parameters, { inputSource: 'passthrough' });
	const steps: INode[] = [];
	for (let name: string | undefined = trigger.name; name !== undefined;) {
		const next: string | undefined = connections[name]?.main?.[0]?.[0]?.node;
		if (next === undefined) break;
		const step = nodes.find((node) => node.name === next);
		if (step === undefined) throw new Error(`There is no node ${next}`);
		expectUnderstood(step);
		steps.push(step);
		name = next;
	}
	if (steps.length !== nodes.length - 1) throw new Error('Some nodes are not connected');
	return steps;
}

function expectUnderstood({ type, typeVersion, parameters, name }: INode): void {
	if (type !== 'n8n-nodes-base.dataTable' || typeVersion !== 1.1) {
		throw new Error(`Unrecognized node type: ${type}`);
	}
	const { resource, operation, ...others } = parameters;
	const known = PARAMETERS[`${textOf(resource)} ${textOf(operation)}`];
	if (known === undefined) throw new Error(`${name}: there is no such operation`);
	const unknown = Object.keys(others).find((parameter) => !known.includes(parameter));
	if (unknown !== undefined) throw new Error(`${name}: ${unknown} is not a parameter`);
	const missing = ['dataTableId', 'columns', 'tableName', 'filters'].find(
		(parameter) => known.includes(parameter) && !(parameter in others),
	);
	if (missing !== undefined) throw new Error(`${name}: ${missing} is missing`);
	expectNoExpression(others);
}

/** n8n takes each text that begins with `=` for an expression. */
function expectNoExpression(parameters: unknown): void {
	if (typeof parameters === 'string' && parameters.startsWith('=')) {
		if (TEXT_EXPRESSION.test(parameters)) return;
		throw new Error(`n8n would resolve ${parameters}`);
	}
	if (typeof parameters !== 'object' || parameters === null) return;
	Object.values(parameters).forEach(expectNoExpression);
}

function expectEqual(actual: unknown, expected: unknown): void {
	if (JSON.stringify(actual) !== JSON.stringify(expected)) {
		throw new Error(`Not understood here: ${JSON.stringify(actual)}`);
	}
}

function insert(table: Table, items: ReadonlyArray<Record<string, Cell>>, now: number): void {
	const names = new Set(table.columns.map(({ name }) => name));
	const rows = items.map((item) => {
		for (const [name, cell] of Object.entries(item)) {
			if (SYSTEM.some((column) => column.name === name)) continue;
			if (!names.has(name)) {
				throw new Error(`Validation error with data table request: unknown column name '${name}'`);
			}
			checkCell(table, name, cell);
		}
		const cells = table.columns.map(({ name }) => [name, item[name] ?? null] as const);
		return { ...Object.fromEntries(cells), createdAt: now, updatedAt: now };
	});
	for (const row of rows) {
		table.lastId += 1;
		table.rows.push({ ...row, id: table.lastId });
	}
}

function checkCell({ columns }: Table, name: string, cell: Cell): void {
	const type = [...columns, ...SYSTEM].find((column) => column.name === name)?.type;
	const isRight =
		cell === null ||
		(type === 'number' ? typeof cell === 'number' : typeof cell === 'string') ||
		(type === 'date' && !Number.isNaN(new Date(cell ?? '').getTime()));
	if (!isRight) {
		throw new Error(
			`Validation error with data table request: value '${cell}' does not match column type '${type}'`,
		);
	}
}

function getRows(table: Table, step: INode): IDataObject[] {
	const { returnAll, limit, orderBy, orderByColumn, orderByDirection } = step.parameters;
	const rows = filterRows(table, step);
	if (orderBy === true) {
		if (orderByColumn !== 'id' || orderByDirection !== 'DESC') throw new Error('Not understood');
		rows.reverse();
	}
	if (returnAll !== false || typeof limit !== 'number') {
		throw new Error(`Beyond ${PAGE} rows n8n fails if others write meanwhile: read in pages`);
	}
	return rows.slice(0, limit).map((row) => present(row));
}

/** @returns the rows that fulfil the conditions, lowest ID first */
function filterRows(table: Table, { parameters }: INode): TableRow[] {
	const { filters, matchType } = parameters;
	const { conditions } = filters as { conditions: unknown };
	// As PostgreSQL does.
	if (JSON.stringify(conditions).includes('\\u0000')) throw new Error('invalid byte sequence 0x00');
	const given = (conditions as Condition[]).map(resolve);
	if (given.length === 0) throw new Error('At least one condition is required');
	if (given.length > MAX_CONDITIONS) throw new Error('SQLITE_ERROR: too many SQL variables');
	for (const { keyName, keyValue } of given) {
		if (![...table.columns, ...SYSTEM].some(({ name }) => name === keyName)) {
			throw new Error(
				`Filter validation failed: Column(s) "${keyName}" do not exist in the selected table.`,
			);
		}
		checkCell(table, keyName, keyValue);
	}
	const meets = (row: TableRow) => (condition: Condition) => fulfils(row, condition);
	return table.rows.filter((row) => {
		if (matchType === 'anyCondition') return given.some(meets(row));
		if (matchType === 'allConditions') return given.every(meets(row));
		throw new Error('unexpected match type');
	});
}

function resolve(condition: Condition): Condition {
	const [, text] = TEXT_EXPRESSION.exec(String(condition.keyValue)) ?? [];
	return text === undefined ? condition : { ...condition, keyValue: JSON.parse(text) as string };
}

function fulfils(row: TableRow, { keyName, condition, keyValue }: Condition): boolean {
	const cell = row[keyName] ?? null;
	if (cell === null) return false;
	const isTime = keyName === 'createdAt' || keyName === 'updatedAt';
	const value = isTime ? new Date(keyValue).getTime() : keyValue;
	switch (condition) {
		case 'eq':
			return cell === value;
		case 'neq':
			return cell !== value;
		case 'gt':
			return cell > value;
		case 'gte':
			return cell >= value;
		case 'lte':
			return cell <= value;
		case 'like':
			return isLike(String(cell), String(value));
		default:
			throw new Error(`Unsupported filter condition: ${condition}`);
	}
}

/** `%` stands for any text; without one, the text may be anywhere. */
function isLike(text: string, pattern: string): boolean {
	const parts = (pattern.includes('%') ? pattern : `%${pattern}%`).split('%');
	const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	return new RegExp(`^${escaped.join('.*')}$`, 's').test(text);
}

/** As n8n puts it out. */
function present(row: TableRow): IDataObject {
	const toIso = (at: Cell | undefined) => new Date(at ?? 0).toISOString();
	return { ...row, createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) };
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

function copy<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}
