import {
	NodeConnectionTypes,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IWorkflowBase,
} from 'n8n-workflow';
import { LedgerUnavailable, type LedgerProblem } from './ledger';

/** What calls need of a node: as n8n gives it to nodes and, with fewer helpers, to tools of an agent. */
export type TableContext = Pick<
	IExecuteFunctions,
	'helpers' | 'getNode' | 'getWorkflow' | 'executeWorkflow'
>;

export interface Condition {
	readonly keyName: string;
	readonly condition: 'eq' | 'neq' | 'gt' | 'gte' | 'lte' | 'like';
	readonly keyValue: string | number;
}

export type Match = 'anyCondition' | 'allConditions';

/** Parameters of one Data Table node. */
export type TableStep = IDataObject;

/** n8n asks for no more than this many rows at a time. */
export const PAGE = 1_000;

const TRIGGER = { type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 };
const DATA_TABLE = { type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 };

const inTable = (id: string) => ({ dataTableId: { __rl: true, mode: 'id', value: id } });

/** Inserts the input items: in one transaction, and without looking for expressions in them. */
export const insertItems = (tableId: string): TableStep => ({
	resource: 'row',
	operation: 'insert',
	...inTable(tableId),
	columns: { mappingMode: 'autoMapInputData', value: null },
	options: { optimizeBulk: true },
});

/** Reads the rows that fulfil any or all of the conditions, lowest ID first: one page at most. */
export const getRows = (
	tableId: string,
	match: Match,
	conditions: readonly Condition[],
	limit = PAGE,
): TableStep => ({
	resource: 'row',
	operation: 'get',
	...inTable(tableId),
	matchType: match,
	filters: { conditions: conditions.map(toParameter) },
	returnAll: false,
	limit,
});

/**
 * n8n takes a text that begins with `=` for an expression, so such a text becomes one that yields it.
 * All conditions in one expression would be fewer to resolve, but n8n reads that as no condition at all.
 */
function toParameter({ keyValue, ...condition }: Condition): IDataObject {
	if (typeof keyValue === 'number' || !keyValue.startsWith('=')) return { ...condition, keyValue };
	const units = Array.from({ length: keyValue.length }, (_, index) => keyValue.charCodeAt(index));
	const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
	return { ...condition, keyValue: `={{ "${escaped}" }}` };
}

export const deleteRows = (tableId: string, ids: readonly number[]): TableStep => ({
	resource: 'row',
	operation: 'deleteRows',
	...inTable(tableId),
	matchType: 'anyCondition',
	filters: { conditions: ids.map((id) => ({ keyName: 'id', condition: 'eq', keyValue: id })) },
	options: {},
});

export const listTables: TableStep = {
	resource: 'table',
	operation: 'list',
	returnAll: true,
	options: {},
};

export const createTable = (
	name: string,
	columns: ReadonlyArray<readonly [name: string, type: string]>,
): TableStep => ({
	resource: 'table',
	operation: 'create',
	tableName: name,
	columns: { column: columns.map(([column, type]) => ({ name: column, type })) },
	// By its own word n8n reuses an exact name; but it looks at one table only, and parts of names match.
	options: { createIfNotExists: false },
});

/**
 * Carries out the steps one after the other, in a workflow that is saved nowhere. The first step gets
 * all input items, each of the others runs once.
 *
 * @returns what the last step put out
 * @throws LedgerUnavailable
 */
export async function callTable(
	context: TableContext,
	steps: readonly TableStep[],
	inputs: readonly IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const items = inputs.map((json): INodeExecutionData => ({ json }));
	// In a function of its own: some contexts do not have it, and say so before there is a promise.
	const call = async () =>
		await context.executeWorkflow({ code: toWorkflow(context, steps) }, items);
	const { data } = await call().catch((error: unknown): never => {
		throw toLedgerUnavailable(error);
	});
	return (data[0] ?? []).map(({ json }) => json);
}

/** n8n knows the project, and so the tables, by the ID of the workflow. */
function toWorkflow(context: TableContext, steps: readonly TableStep[]): IWorkflowBase {
	const { id, name } = context.getWorkflow();
	// The trigger, and one node for each step.
	const names = Array.from({ length: steps.length + 1 }, (_, index) => `Step ${index}`);
	const nodes = [
		{ ...TRIGGER, parameters: { inputSource: 'passthrough' } },
		...steps.map((step, index) => ({
			...DATA_TABLE,
			parameters: step as INode['parameters'],
			executeOnce: index > 0,
			// A step that found no row must not keep the next one from running.
			alwaysOutputData: true,
		})),
	].map((node, index) => ({
		...node,
		...{ id: `ledger-${index}`, name: names[index], position: [index * 200, 0] },
	}));
	const connections: IConnections = {};
	for (const [index, node] of names.slice(1).entries()) {
		const next = { node, type: NodeConnectionTypes.Main, index: 0 };
		connections[names[index] ?? ''] = { main: [[next]] };
	}
	const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };
	return { id, name, nodes, connections, settings } as unknown as IWorkflowBase;
}

/** What n8n says, word for word, in the order of how sure each is. */
const PROBLEMS: ReadonlyArray<readonly [RegExp, LedgerProblem]> = [
	[/size limit exceeded/i, 'full'],
	[/could not be found in this project|Could not find the data table/i, 'gone'],
	[/unknown column name|do not exist in the selected table|does not match column type/i, 'columns'],
	[/column does not exist/i, 'columns'],
	[/module is disabled/i, 'noDataTables'],
	// n8n without the node, with one that has no tables, or without its operations.
	[
		/Unrecognized node type|Unknown node type|not supported|reading 'execute'|Could not get parameter/i,
		'noDataTables',
	],
];

export function toLedgerUnavailable(error: unknown): LedgerUnavailable {
	if (error instanceof LedgerUnavailable) return error;
	const { message, description } = error as { message?: unknown; description?: unknown };
	const texts = [message, description].filter((text) => typeof text === 'string' && text !== '');
	const text = texts.join(' ');
	const problem = PROBLEMS.find(([said]) => said.test(text))?.[1] ?? 'failed';
	return new LedgerUnavailable(problem, text === '' ? String(error) : text);
}
