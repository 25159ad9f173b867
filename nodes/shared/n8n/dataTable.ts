import {
	NodeConnectionTypes,
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IWorkflowBase,
} from 'n8n-workflow';

/** The table in which Payment > Create and Withdrawal > Create remember what each name stands for. */
export const LEDGER_NAME = 'BRL Payouts';

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

export const inTable = (id: string) => ({ dataTableId: { __rl: true, mode: 'id', value: id } });

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

export const listTables: TableStep = {
	resource: 'table',
	operation: 'list',
	returnAll: true,
	options: {},
};

/**
 * Carries out the steps one after the other: a node reaches data tables only by n8n's own node, in a
 * workflow that is saved nowhere. The first step gets all input items, each of the others runs once.
 *
 * @returns what the last step put out
 * @throws what n8n throws
 */
export async function callDataTable(
	context: TableContext,
	steps: readonly TableStep[],
	inputs: readonly IDataObject[] = [{}],
): Promise<IDataObject[]> {
	const items = inputs.map((json): INodeExecutionData => ({ json }));
	const { data } = await context.executeWorkflow({ code: toWorkflow(context, steps) }, items);
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
