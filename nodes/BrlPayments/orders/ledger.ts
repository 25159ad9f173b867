import { toIso } from '../../shared/text/time';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { isUuid } from '../../shared/input/uuid';
import { looksAutomatic, type Kind, type Name } from './names';
import { findPaid, openSendings, PERSON, type NewRow, type Row } from './protocol';

/** What a row of the table *BRL Payouts* says, in the words of payouts. The words of charges: `tableRow.ts`. */
export interface Cells {
	readonly reference: string;
	readonly status: string;
	/** Reais. */
	readonly amount: number | null;
	/** Masked: n8n may keep the input of a sub-workflow for minutes. */
	readonly pixKey: string | null;
	/** Of a charge, the ID of its payment. */
	readonly withdrawalId: string | null;
	/** When the request was sent, or the outcome became known. For people; see also `readRow`. */
	readonly sentAt: string | null;
	/** `live` or `test`. */
	readonly environment: string;
	/** `payout`, `charge`, or `automatic`: a payout without a reference. */
	readonly kind: string;
	readonly generation: number | null;
	/** Public part of the API key. */
	readonly apiKey: string | null;
	/** Fingerprint of amount and PIX key. */
	readonly content: string | null;
	readonly run: string | null;
	/** See `Root`. */
	readonly root: string | null;
	/** IDs, for people. */
	readonly workflow: string | null;
	readonly execution: string | null;
	/** JSON, see `Details`. */
	readonly details: string | null;
}

/** A row as n8n returns it. */
export interface StoredCells extends Cells {
	readonly id: number;
	/** Epoch ms, by the clock of n8n's database. */
	readonly createdAt: number;
	readonly updatedAt: number;
}

/** What has no column of its own: a node cannot add columns to a table that people have. */
interface Details {
	/** Of a `refused`, since when it is known, epoch ms by the clock of the ledger. */
	readonly knownAt?: number;
	/** Of a charge that was created: its link or code. */
	readonly shows?: Readonly<Record<string, string>>;
}

/** What all rows of an order say about it. */
interface OrderCells extends Pick<Cells, 'amount' | 'pixKey' | 'root' | 'workflow' | 'execution'> {
	readonly name: Name;
}

/**
 * Where orders are written down: one ledger for each n8n project, shared by all its workflows and workers.
 * It keeps in step the rows of the names that a run watches. All calls reject with `LedgerUnavailable`.
 */
export interface Ledger {
	/**
	 * Reads, and from now on watches, all rows of these references. Also asks for them as a list spells them: who
	 * adds a row by hand copies it from there.
	 */
	watch(references: readonly string[]): Promise<void>;
	/** The same for rows with this root. @param besides leaves out those of this execution */
	watchRoot(root: string, besides?: string): Promise<StoredCells[]>;
	/**
	 * Writes rows, all or none; then removes rows by ID; then reads what was written or changed meanwhile.
	 * Everything is durable when it returns.
	 * @param root reads back this root alone: enough for a run that watches nothing else
	 * @returns all that was written or changed since the run first read, also by those that it does not watch
	 */
	change(
		rows: readonly Cells[],
		remove: readonly number[],
		root?: string,
	): Promise<readonly StoredCells[]>;
	/** The same without reading back. */
	record(rows: readonly Cells[], remove: readonly number[]): Promise<void>;
	/** The rows of a reference, as far as they are watched. */
	rowsOf(reference: string): StoredCells[];
	/** The rows of a root, as far as they are watched. */
	rowsOfRoot(root: string): StoredCells[];
	/** The rows that name one of these withdrawals (or payments). */
	findWithdrawals(ids: readonly string[]): Promise<StoredCells[]>;
	/**
	 * The rows that were written or edited since a point in time.
	 * @param since epoch ms by the clock of this n8n
	 * @param kind leaves out other kinds
	 */
	readSince(since: number, kind?: 'automatic'): Promise<StoredCells[]>;
	/** Removes settled automatic names that are older than they are kept; once a day. */
	tidy(): Promise<void>;
	/** By the clock of n8n's database, epoch ms, as far as this run has seen it; never too early. */
	now(): number;
	/** A time by that clock as this n8n's own clock shows it. */
	toLocal(time: number): number;
}

/**
 * Why the ledger cannot be used:
 * - `noDataTables`: n8n is older than 2.3, or its Data Table module is switched off
 * - `gone`: the table that this node has used was deleted
 * - `renamed`: there is no table of its name, and another one has its columns
 * - `columns`: somebody removed or changed a column
 * - `full`: n8n takes no more rows
 * - `failed`: anything else; `message` is what n8n said
 */
export type LedgerProblem = 'noDataTables' | 'gone' | 'renamed' | 'columns' | 'full' | 'failed';

export class LedgerUnavailable extends Error {
	constructor(
		readonly problem: LedgerProblem,
		message: string,
	) {
		super(message);
		this.name = 'LedgerUnavailable';
	}
}

/** What the column *status* may say. A charge that is "not paid" may exist: that word says nothing here. */
const STATUSES: Readonly<Record<string, Row['status']>> = {
	sending: 'sending',
	paid: 'paid',
	failed: 'failed',
	refused: 'refused',
};

const KINDS: Readonly<Record<string, Kind>> = {
	payout: 'payout',
	automatic: 'payout',
	charge: 'charge',
};

const ENVIRONMENTS: ReadonlySet<string> = new Set(['live', 'test']);

const lower = (text: string | null): string => (text ?? '').trim().toLowerCase();

/** `payout` or `charge`; undefined if somebody has made it unreadable. */
export const kindOf = ({ kind }: Pick<Cells, 'kind'>): Kind | undefined => KINDS[lower(kind)];

export const isAutomatic = ({ kind }: Pick<Cells, 'kind'>): boolean => lower(kind) === 'automatic';

export const environmentOf = (isLive: boolean): string => (isLive ? 'live' : 'test');

/** The column *kind* of a name. */
const kindCell = ({ kind, isAutomatic: isAuto }: Name): string => (isAuto ? 'automatic' : kind);

/** Whether a row is about an order. One whose kind or environment nobody can read stands in every way. */
function isOf({ kind, isLive, value }: Name, cells: StoredCells): boolean {
	const environment = lower(cells.environment);
	const isKind = (kindOf(cells) ?? kind) === kind;
	const isEnvironment = !ENVIRONMENTS.has(environment) || environment === environmentOf(isLive);
	return cells.reference === value && isKind && isEnvironment;
}

/** The rows of an order, as the protocol reads them. @param cells of its reference */
export function toRows(name: Name, cells: readonly StoredCells[]): Row[] {
	return cells.filter((one) => isOf(name, one)).flatMap(readRow);
}

/**
 * What a stored row says. People may add and edit rows: n8n then changes `updatedAt`, which a node never
 * does. What a row says counts, with the weight of a person's word; one that cannot be read is `edited`.
 */
function readRow(cells: StoredCells): Row[] {
	const { createdAt, updatedAt } = cells;
	const details = readDetails(cells.details);
	const status = STATUSES[lower(cells.status)];
	const isCounted = Number.isInteger(cells.generation ?? 0) && (cells.generation ?? 0) >= 0;
	const withdrawalId = (cells.withdrawalId ?? '').trim();
	const run = (cells.run ?? '').trim() || PERSON;
	const row = {
		id: cells.id,
		generation: isCounted ? (cells.generation ?? 0) : 0,
		content: cells.content ?? '',
		apiKey: cells.apiKey ?? '',
		run,
		at: createdAt,
		...(withdrawalId === '' ? {} : { withdrawalId }),
	};
	const isReadable =
		isCounted &&
		details !== undefined &&
		kindOf(cells) !== undefined &&
		ENVIRONMENTS.has(lower(cells.environment)) &&
		(isUuid(withdrawalId) || status !== 'paid');
	if (status === undefined || !isReadable) return [{ ...row, status: 'edited' }];
	// What people add by hand has no run.
	const isByNode = (cells.run ?? '').trim() !== '';
	const isAsWritten = updatedAt === createdAt && isByNode;
	const attempt: Row = { ...row, status: 'sending', at: sentAtOf(cells) };
	if (status === 'sending') return [attempt];
	if (status === 'paid') {
		if (isAsWritten) return [{ ...row, status }];
		// If that word is taken back, the list is read for the attempt that the row may have been.
		return [...(isByNode ? [attempt] : []), { ...row, status, run: PERSON }];
	}
	const knownAt = status === 'refused' ? (details.knownAt ?? createdAt) : createdAt;
	if (isAsWritten) return [{ ...row, status, at: Math.min(knownAt, createdAt) }];
	// Somebody says that nothing was paid. When the attempt of a payout was made, the row may not show any more:
	// Settle Reference reads the list for it. Of a charge, the attempt is the row.
	if (kindOf(cells) === 'payout') return [{ ...row, status: 'edited' }];
	return [
		{ ...row, status: 'sending' },
		{ ...row, status: 'refused', at: updatedAt, run: PERSON },
	];
}

/** Longer than between the moment that a run notes and the one at which the database writes the row. */
const IMPORTED_MS = 15 * 60_000;

/**
 * n8n dates what is imported anew. If its key counted as young, the service would be asked under a key that it
 * has forgotten, and pay again.
 */
function sentAtOf({ sentAt, createdAt }: StoredCells): number {
	const notedAt = new Date(sentAt ?? 0).getTime();
	return createdAt - notedAt < IMPORTED_MS ? createdAt : notedAt || 0;
}

/** @returns undefined for what is no JSON of `details` */
export function readDetails(text: string | null): Details | undefined {
	if (text === null || text.trim() === '') return {};
	try {
		const details: unknown = JSON.parse(text);
		return typeof details === 'object' && details !== null ? details : undefined;
	} catch {
		return undefined;
	}
}

/**
 * The row to be written for one of the protocol.
 * @param now by the clock of the ledger
 * @param shows of a charge that was created
 */
export function toCells(
	{ status, generation, withdrawalId, at, content }: NewRow,
	asked: Pick<Row, 'run' | 'apiKey' | 'content'>,
	{ name, ...order }: OrderCells,
	now: number,
	shows: Readonly<Record<string, string>> = {},
): Cells {
	const isShown = status === 'paid' && Object.keys(shows).length > 0;
	const details: Details = omitUndefined({ knownAt: at, shows: isShown ? shows : undefined });
	return {
		...order,
		reference: name.value,
		kind: kindCell(name),
		environment: environmentOf(name.isLive),
		status,
		generation,
		withdrawalId: withdrawalId ?? null,
		sentAt: toIso(at !== undefined && Number.isFinite(at) ? at : now),
		apiKey: asked.apiKey,
		content: content ?? asked.content,
		run: asked.run,
		details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
	};
}

/** An order as far as other orders are compared with it. */
export interface ActedOrder {
	readonly value: string;
	readonly isAutomatic: boolean;
	readonly content: string;
	readonly root: string;
	/** ID of the withdrawal that paid it; undefined if it may have been paid. */
	readonly paidBy: string | undefined;
	/** For people. */
	readonly cells: StoredCells;
}

/** The rows of each reference. */
export function byReference(cells: Iterable<StoredCells>): Map<string, StoredCells[]> {
	const groups = new Map<string, StoredCells[]>();
	for (const cell of cells) {
		const group = groups.get(cell.reference);
		if (group) group.push(cell);
		else groups.set(cell.reference, [cell]);
	}
	return groups;
}

/** The orders of one kind and environment that were paid, or may have been. @param cells of many orders */
export function findActed(
	cells: readonly StoredCells[],
	kind: Kind,
	isLive: boolean,
): ActedOrder[] {
	return [...byReference(cells)].flatMap(([value, group]) => {
		const name = { kind, isLive, value, isAutomatic: looksAutomatic(value) };
		const own = group.filter((one) => isOf(name, one));
		const rows = own.flatMap(readRow);
		const paid = findPaid(rows);
		const acted = paid === undefined ? openSendings(rows) : [paid];
		// One that may have been paid may have been with each of its contents.
		return acted.flatMap(({ id, content }) => {
			const row = own.find((one) => one.id === id);
			if (row === undefined) return [];
			const root = row.root ?? '';
			const paidBy = paid?.withdrawalId;
			return [{ value, isAutomatic: isAutomatic(row), content, root, paidBy, cells: row }];
		});
	});
}

/**
 * The other references that a withdrawal is recorded for. Automatic names do not count: a reference that came
 * late takes over their withdrawal.
 * @param rows that name it, see `Ledger.findWithdrawals`
 * @param byRun leaves out what people have said
 */
export function findOwners(rows: readonly StoredCells[], name: Name, byRun: boolean): string[] {
	const others = rows.filter((cells) => name.isAutomatic || !isAutomatic(cells));
	return [...new Set(paidOthers(others, name, byRun).map(({ reference }) => reference))];
}

/** The withdrawals among these that a run has recorded for another order: none is a candidate. */
export function findTaken(rows: readonly StoredCells[], name: Name): Set<string> {
	const taken = paidOthers(rows, name, true);
	return new Set(taken.map(({ withdrawalId }) => (withdrawalId ?? '').trim()));
}

/** The rows that say that another order was paid. @param byRun leaves out what people have said */
function paidOthers(rows: readonly StoredCells[], name: Name, byRun: boolean): StoredCells[] {
	const isPaid = ({ status, run }: Row) => status === 'paid' && (!byRun || run !== PERSON);
	return rows.filter((cells) => cells.reference !== name.value && readRow(cells).some(isPaid));
}
