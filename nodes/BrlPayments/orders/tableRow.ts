import type { IDataObject } from 'n8n-workflow';
import { cleanName } from '../../shared/input/cleanText';
import { LedgerUnavailable, kindOf, type Cells, type StoredCells } from './ledger';

type ColumnType = 'string' | 'number' | 'date';

/** What the table has besides what a row of one kind says. */
interface TableCells extends Cells {
	readonly paymentId: string | null;
}

/** The columns of the table, in reading order. */
export const COLUMNS: ReadonlyArray<readonly [name: keyof TableCells, type: ColumnType]> = [
	['reference', 'string'],
	['status', 'string'],
	['environment', 'string'],
	['amount', 'number'],
	['pixKey', 'string'],
	['withdrawalId', 'string'],
	['sentAt', 'date'],
	['kind', 'string'],
	['paymentId', 'string'],
	['generation', 'number'],
	['apiKey', 'string'],
	['content', 'string'],
	['run', 'string'],
	['root', 'string'],
	['workflow', 'string'],
	['execution', 'string'],
	['details', 'string'],
];

/** A charge that exists is not yet paid, so the table says otherwise of it what it says of payouts. */
const WORDS_OF_CHARGES: Readonly<Record<string, string>> = {
	paid: 'created',
	failed: 'ended',
};
const STATUS_BY_WORD = new Map([
	...Object.entries(WORDS_OF_CHARGES).map(([status, word]) => [word, status] as const),
	['not created', 'refused'] as const,
]);

export function toTableCells(cells: Cells): IDataObject {
	const { status, withdrawalId } = cells;
	const isCharge = kindOf(cells) === 'charge';
	return {
		...cells,
		withdrawalId: isCharge ? null : withdrawalId,
		paymentId: isCharge ? withdrawalId : null,
		status: (isCharge && WORDS_OF_CHARGES[status]) || status,
	} satisfies TableCells;
}

/** @throws LedgerUnavailable if somebody has removed a column, or made it again with another type */
export function toStoredCells(row: IDataObject): StoredCells {
	const missing = COLUMNS.find(([name]) => row[name] === undefined);
	if (missing) throw new LedgerUnavailable('columns', `Column ${missing[0]} is missing`);
	const other = COLUMNS.find(([name, type]) => type === 'number' && typeof row[name] === 'string');
	if (other)
		throw new LedgerUnavailable('columns', `Column ${other[0]} has the type string, not number`);
	const toTime = (moment: unknown) => new Date(moment as string).getTime();
	// People may leave any cell empty.
	const kind = text(row.kind).trim() || 'payout';
	const isCharge = kindOf({ kind }) === 'charge';
	const status = text(row.status);
	return {
		...(row as unknown as StoredCells),
		kind,
		// A row without a run was added by hand, with the reference as people spell it.
		reference: row.run ? text(row.reference) : cleanName(text(row.reference)),
		status: (isCharge && STATUS_BY_WORD.get(status.trim().toLowerCase())) || status,
		withdrawalId: (isCharge ? row.paymentId : row.withdrawalId) as string | null,
		environment: text(row.environment),
		createdAt: toTime(row.createdAt),
		updatedAt: toTime(row.updatedAt),
	};
}

function text(cell: unknown): string {
	return typeof cell === 'string' ? cell : '';
}
