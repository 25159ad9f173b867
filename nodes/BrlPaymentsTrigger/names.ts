import { chunk } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { callDataTable, getRows, LEDGER_NAME, listTables } from '../shared/n8n/dataTable';
import { maskText } from '../shared/privacy/text';
import type { TriggerItem } from './item';

/** In words of the table: rows that say what came into being. An attempt, or a doubt, may name another's ID. */
const MADE: ReadonlySet<unknown> = new Set(['paid', 'failed', 'created', 'ended']);
/** n8n takes at most 998 conditions in SQLite, and gives 1,000 rows: an ID has few rows. */
const MAX_IDS = 200;

type Ids = Pick<TriggerItem, 'paymentId' | 'withdrawalId'>;
type Column = keyof Ids;
/** External ID of a payment, Reference of a withdrawal. */
type Names = Readonly<Record<'externalId' | 'reference', string | null>>;

/** IDs of tables that this process has found, by workflow: each n8n project has its own table. */
const tables = new Map<string, string>();

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
	const workflow = context.getWorkflow().id ?? '';
	const rows = await findRows(context, workflow, events).catch((error: unknown) => {
		// A table that was deleted is looked for again by the next execution.
		tables.delete(workflow);
		const reason = error instanceof Error ? maskText(error.message) : 'unknown reason';
		context.logger.warn(`BRL Payments Trigger: the table ${LEDGER_NAME} cannot be read: ${reason}`);
		return [];
	});
	const nameOf = (column: Column, id: string | null): string | null => {
		const [name, ...others] = new Set(
			rows.filter((row) => isMade(row, column, id)).map(({ reference }) => reference),
		);
		return others.length === 0 && typeof name === 'string' && name !== '' ? name : null;
	};
	return ({ paymentId, withdrawalId }) => ({
		externalId: nameOf('paymentId', paymentId),
		reference: nameOf('withdrawalId', withdrawalId),
	});
}

/** People edit the table: its words may have another case, and blanks around them. */
function isMade(row: IDataObject, column: Column, id: string | null): boolean {
	const text = (cell: unknown) => (typeof cell === 'string' ? cell.trim() : '');
	// A payout without a reference has a name of its own, which says nothing to anybody.
	if (id === null || row.kind === 'automatic') return false;
	return text(row[column]) === id && MADE.has(text(row.status).toLowerCase());
}

async function findRows(context: IExecuteFunctions, workflow: string, events: readonly Ids[]) {
	const columns: readonly Column[] = ['paymentId', 'withdrawalId'];
	const conditions = columns.flatMap((keyName) =>
		events
			.flatMap((event) => event[keyName] ?? [])
			.map((keyValue) => ({ keyName, condition: 'eq' as const, keyValue })),
	);
	if (conditions.length === 0) return [];
	if (!tables.has(workflow)) {
		const listed = await callDataTable(context, [listTables]);
		// By its exact name: n8n itself takes parts of names for a match.
		const found = listed.find(({ name }) => name === LEDGER_NAME)?.id;
		if (typeof found === 'string') tables.set(workflow, found);
	}
	const table = tables.get(workflow);
	if (table === undefined) return [];
	const rows: IDataObject[] = [];
	for (const some of chunk(conditions, MAX_IDS)) {
		rows.push(...(await callDataTable(context, [getRows(table, 'anyCondition', some)])));
	}
	return rows;
}
