import type { IDataObject } from 'n8n-workflow';
import { LedgerUnavailable, type Cells, type Kind, type StoredCells } from './ledger';

type ColumnType = 'string' | 'number' | 'date';

/** What the table has besides what a row of one kind says. */
interface TableCells extends Cells {
	/** `payout` or `charge`; a payout if a person left it empty. */
	readonly kind: string | null;
	readonly paymentId: string | null;
}

/** The columns of the table, in reading order. */
export const COLUMNS: ReadonlyArray<readonly [name: keyof TableCells, type: ColumnType]> = [
	['reference', 'string'],
	['status', 'string'],
	['amount', 'number'],
	['pixKey', 'string'],
	['withdrawalId', 'string'],
	['sentAt', 'date'],
	['environment', 'string'],
	['kind', 'string'],
	['paymentId', 'string'],
	['generation', 'number'],
	['apiKey', 'string'],
	['content', 'string'],
	['run', 'string'],
	['workflow', 'string'],
	['execution', 'string'],
	['details', 'string'],
];

/** A charge that exists is not yet paid, so the table says otherwise of it what it says of payouts. */
const WORDS_OF_CHARGES: Readonly<Record<string, string>> = {
	paid: 'created',
	failed: 'ended',
	'not paid': 'not created',
};
const STATUS_BY_WORD = new Map(
	Object.entries(WORDS_OF_CHARGES).map(([status, word]) => [word, status]),
);

/** The status as the table has it. */
export function toWord(status: string, kind: Kind): string {
	return (kind === 'charge' && WORDS_OF_CHARGES[status]) || status;
}

/** The column with the ID of what came into being. */
export function idColumn(kind: Kind): 'withdrawalId' | 'paymentId' {
	return kind === 'charge' ? 'paymentId' : 'withdrawalId';
}

export function toTableCells(cells: Cells, kind: Kind): TableCells {
	const { status, withdrawalId } = cells;
	const ids = { withdrawalId: null, paymentId: null, [idColumn(kind)]: withdrawalId };
	return { ...cells, ...ids, kind, status: toWord(status, kind) };
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
	const kind = text(row.kind).trim().toLowerCase() || 'payout';
	const status = text(row.status);
	const word = STATUS_BY_WORD.get(status.trim().toLowerCase());
	return {
		...(row as unknown as StoredCells),
		kind,
		reference: text(row.reference),
		status: (kind === 'charge' && word) || status,
		withdrawalId: (kind === 'charge' ? row.paymentId : row.withdrawalId) as string | null,
		environment: text(row.environment),
		createdAt: toTime(row.createdAt),
		updatedAt: toTime(row.updatedAt),
	};
}

function text(cell: unknown): string {
	return typeof cell === 'string' ? cell : '';
}
