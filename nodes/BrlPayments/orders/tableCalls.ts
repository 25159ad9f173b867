import type { IDataObject } from 'n8n-workflow';
import {
	callDataTable,
	inTable,
	type TableContext,
	type TableStep,
} from '../../shared/n8n/dataTable';
import { LedgerUnavailable, type LedgerProblem } from './ledger';

/** Inserts the input items: in one transaction, and without looking for expressions in them. */
export const insertItems = (tableId: string): TableStep => ({
	resource: 'row',
	operation: 'insert',
	...inTable(tableId),
	columns: { mappingMode: 'autoMapInputData', value: null },
	options: { optimizeBulk: true },
});

/** @param ids each once, in ascending order */
export function deleteRows(tableId: string, ids: readonly number[]): TableStep {
	const [first = 0, last = 0] = [ids[0], ids.at(-1)];
	// What one run has claimed has IDs in a row: n8n takes far longer for a condition each.
	const isRange = last - first === ids.length - 1;
	const conditions: IDataObject[] = isRange
		? [
				{ keyName: 'id', condition: 'gte', keyValue: first },
				{ keyName: 'id', condition: 'lte', keyValue: last },
			]
		: ids.map((id) => ({ keyName: 'id', condition: 'eq', keyValue: id }));
	return {
		resource: 'row',
		operation: 'deleteRows',
		...inTable(tableId),
		matchType: isRange ? 'allConditions' : 'anyCondition',
		filters: { conditions },
		options: {},
	};
}

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

/** As `callDataTable`. @throws LedgerUnavailable */
export async function callTable(
	context: TableContext,
	steps: readonly TableStep[],
	inputs?: readonly IDataObject[],
): Promise<IDataObject[]> {
	return await callDataTable(context, steps, inputs).catch((error: unknown): never => {
		throw toLedgerUnavailable(error);
	});
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
