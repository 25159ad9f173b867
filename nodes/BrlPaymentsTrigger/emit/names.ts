import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type IWorkflowBase,
} from 'n8n-workflow';
import { BoundedMap } from '../../shared/concurrency/boundedMap';
import { maskText } from '../../shared/privacy/text';
import type { TriggerOutput } from '../events/output';

/** The table in which Payment > Create and Withdrawal > Create remember what each name stands for. */
const TABLE = 'BRL Payouts';
/** In words of the table: rows that say what came into being. An attempt, or a doubt, may name another's ID. */
const MADE: ReadonlySet<unknown> = new Set(['paid', 'failed', 'created', 'ended']);
/** n8n takes at most 998 conditions in SQLite, and gives 1,000 rows: an ID has few rows. */
const MAX_IDS = 200;

/** What an event is about, in the words of the user. */
export interface Names {
	/** Of a payment: its External ID. */
	readonly externalId: string | null;
	/** Of a withdrawal: its Reference. */
	readonly reference: string | null;
}

type Ids = Pick<TriggerOutput, 'paymentId' | 'withdrawalId'>;

/** IDs of tables that this process has found, by workflow: each n8n project has its own table. */
const tables = new BoundedMap<string, string>(1_000);

/**
 * Reads from the table BRL Payouts under which External ID or Reference the payments and withdrawals of one
 * execution were made: in one call, and one more to find the table the first time.
 *
 * @returns finds the names of an event; null where this n8n project has none, or two that contradict each other.
 * Never rejects: without the table, the event goes on without names
 */
export async function readNames(
	context: IExecuteFunctions,
	events: readonly Ids[],
): Promise<(event: Ids) => Names> {
	const rows = await findRows(context, events).catch((error: unknown) => {
		const said = error instanceof Error ? maskText(error.message) : 'unknown error';
		context.logger.warn(`BRL Payments Trigger: the table ${TABLE} cannot be read: ${said}`);
		return [];
	});
	const nameOf = (column: 'paymentId' | 'withdrawalId', id: string | null): string | null => {
		// A payout without a reference has a name of its own, which says nothing to anybody.
		const named = rows.filter(
			(row) => id !== null && row.kind !== 'automatic' && isOf(row, column, id),
		);
		const names = new Set(named.map(({ reference }) => reference));
		const [name] = names;
		return names.size === 1 && typeof name === 'string' && name !== '' ? name : null;
	};
	return ({ paymentId, withdrawalId }) => ({
		externalId: nameOf('paymentId', paymentId),
		reference: nameOf('withdrawalId', withdrawalId),
	});
}

/** People edit the table: its words may have another case, and blanks around them. */
function isOf(row: IDataObject, column: string, id: string): boolean {
	const text = (cell: unknown) => (typeof cell === 'string' ? cell.trim() : '');
	return text(row[column]) === id && MADE.has(text(row.status).toLowerCase());
}

async function findRows(
	context: IExecuteFunctions,
	events: readonly Ids[],
): Promise<IDataObject[]> {
	const conditions = events.flatMap(({ paymentId, withdrawalId }) => [
		...(paymentId ? [toCondition('paymentId', paymentId)] : []),
		...(withdrawalId ? [toCondition('withdrawalId', withdrawalId)] : []),
	]);
	const workflow = context.getWorkflow().id ?? '';
	const known = conditions.length === 0 ? undefined : await findTable(context, workflow);
	if (known === undefined) return [];
	const rows: IDataObject[] = [];
	for (let start = 0; start < conditions.length; start += MAX_IDS) {
		const step = {
			...{ resource: 'row', operation: 'get', matchType: 'anyCondition' },
			dataTableId: { __rl: true, mode: 'id', value: known },
			filters: { conditions: conditions.slice(start, start + MAX_IDS) },
			...{ returnAll: false, limit: 1_000 },
		};
		// A table that was deleted is looked for again by the next execution.
		const found = call(context, step).catch((error: unknown): never => {
			tables.delete(workflow);
			throw error;
		});
		rows.push(...(await found));
	}
	return rows;
}

const toCondition = (keyName: string, keyValue: string): IDataObject => ({
	...{ keyName, condition: 'eq', keyValue },
});

/** By its exact name: n8n itself takes parts of names for a match. */
async function findTable(
	context: IExecuteFunctions,
	workflow: string,
): Promise<string | undefined> {
	const known = tables.get(workflow);
	if (known !== undefined) return known;
	const list = { resource: 'table', operation: 'list', returnAll: true, options: {} };
	const table = (await call(context, list)).find(({ name }) => name === TABLE);
	const id = typeof table?.id === 'string' ? table.id : undefined;
	if (id !== undefined) tables.set(workflow, id);
	return id;
}

/** A node reaches data tables only by n8n's own node, in a workflow that is saved nowhere. */
async function call(context: IExecuteFunctions, parameters: IDataObject): Promise<IDataObject[]> {
	const { id, name } = context.getWorkflow();
	const [start, read] = ['Start', 'Read'];
	const place = { position: [0, 0] as [number, number] };
	const nodes = [
		{
			...{ ...place, id: start, name: start, typeVersion: 1.1 },
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			parameters: { inputSource: 'passthrough' },
		},
		{
			...{ ...place, id: read, name: read, typeVersion: 1.1 },
			...{ type: 'n8n-nodes-base.dataTable', alwaysOutputData: true },
			parameters: parameters as INode['parameters'],
		},
	];
	const connections = {
		[start]: { main: [[{ node: read, type: NodeConnectionTypes.Main, index: 0 }]] },
	};
	const settings = { saveDataSuccessExecution: 'none', saveDataErrorExecution: 'none' };
	const code = { id, name, nodes, connections, settings } as unknown as IWorkflowBase;
	const { data } = await context.executeWorkflow({ code }, [{ json: {} }]);
	return (data[0] ?? []).map(({ json }) => json);
}
