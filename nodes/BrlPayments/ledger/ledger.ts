import { z } from 'zod';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { toIso } from '../../shared/text/time';
import type { NewRow, Row, Status } from './protocol';

/** What a reference stands for. The reference of a charge is its External ID. */
export type Kind = 'payout' | 'charge';

export function isKind(kind: string): kind is Kind {
	return kind === 'payout' || kind === 'charge';
}

/** What a row of the ledger says, in the words of payouts. What is in the table: `tableRow.ts`. */
export interface Cells {
	readonly reference: string;
	readonly status: string;
	/** Reais. */
	readonly amount: number | null;
	/** Masked: n8n may keep the input of a sub-workflow for minutes. */
	readonly pixKey: string | null;
	/** Of a charge, the ID of its payment. */
	readonly withdrawalId: string | null;
	/**
	 * When the request was sent, or the outcome became known. For people; the protocol reads `createdAt`. Of a
	 * `sending`, the two also show whether the row was imported, see `readRow`.
	 */
	readonly sentAt: string | null;
	/** `live` or `test`. */
	readonly environment: string;
	readonly generation: number | null;
	/** Public part of the API key. */
	readonly apiKey: string | null;
	/** Two fingerprints, separated by a dot: of amount and PIX key, and of the whole request. */
	readonly content: string | null;
	readonly run: string | null;
	/** IDs, for people. */
	readonly workflow: string | null;
	readonly execution: string | null;
	/** JSON, see `Details`. */
	readonly details: string | null;
}

/** A row as n8n returns it. */
export interface StoredCells extends Cells {
	readonly id: number;
	/** A `Kind`, unless a person has entered something else. */
	readonly kind: string;
	/** Epoch ms, by the clock of n8n's database. */
	readonly createdAt: number;
	readonly updatedAt: number;
}

/** What has no column of its own: a node cannot add columns to a table that people have. */
const detailsSchema = z
	.object({
		/** Of a `refused`, epoch ms by the clock of the ledger: the row may be written minutes later. */
		evidenceAt: z.number(),
		/** IDs of the withdrawals that the person was shown. */
		shown: z.array(z.string()),
		/** Of a `refused`: the service may not have looked at the key. */
		isBeforeKeyCheck: z.boolean(),
		/** Of a `refused`: the same request is refused again under its key. */
		isLasting: z.boolean(),
		/** Of a `not paid`: Settle Reference has read the list. */
		isListed: z.boolean(),
		/** Of a charge that was created: its link or code. */
		shows: z.record(z.string()),
	})
	.partial();

type Details = z.infer<typeof detailsSchema>;

/**
 * Where the rows of references are kept: one ledger for each n8n project. One that is opened for payouts
 * neither shows nor writes rows of charges, and the other way round. Everything that is written is durable
 * when a call returns.
 *
 * All calls reject with `LedgerUnavailable`.
 */
export interface LedgerStore {
	/** All rows of these references, in both environments. */
	read(references: readonly string[]): Promise<StoredCells[]>;
	/**
	 * Writes rows of this run, all or none, and then reads all rows of their references. What was removed
	 * since this run read them may still be among them. It returns as `own` what is there of what this run
	 * has written since its last claim, oldest first.
	 */
	claim(rows: readonly Cells[]): Promise<{ own: StoredCells[]; all: StoredCells[] }>;
	/**
	 * Writes rows, all or none; then removes rows by ID; then reads what is `paid`.
	 * @returns rows of other runs with status `paid`, if a `paid` was written: those since a little before this
	 * run's first claim
	 */
	record(rows: readonly Cells[], remove: readonly number[]): Promise<StoredCells[]>;
	/** Removes rows by ID; unknown ones are ignored. */
	withdraw(ids: readonly number[]): Promise<void>;
	/** The rows with one of these in `withdrawalId`. */
	findWithdrawals(withdrawalIds: readonly string[]): Promise<StoredCells[]>;
	/** A few rows with status `paid` that were written with this API key, newest first. */
	findPaidWith(apiKey: string): Promise<StoredCells[]>;
	/** Whether there are so many rows that reading takes seconds, as far as this run has seen. */
	readonly isLarge: boolean;
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

const STATUSES: ReadonlySet<string> = new Set<Status>([
	'sending',
	'paid',
	'failed',
	'refused',
	'in doubt',
	'not paid',
]);

const ENVIRONMENTS: ReadonlySet<string> = new Set(['live', 'test']);

/** `live` or `test`, also as people write it. */
export function toEnvironment({ environment }: Pick<Cells, 'environment'>): string {
	return environment.trim().toLowerCase();
}

/**
 * The other references that are said to be paid by a withdrawal.
 * @param rows that name it, see `findWithdrawals`
 */
export function claimantsOf(
	rows: readonly StoredCells[],
	withdrawalId: string,
	reference: string,
	statuses: readonly Status[],
): string[] {
	const others = rows.filter(
		(row) =>
			row.withdrawalId?.trim() === withdrawalId &&
			row.reference !== reference &&
			statuses.some((status) => status === row.status.trim().toLowerCase()),
	);
	return [...new Set(others.map((row) => row.reference))];
}

/**
 * Those withdrawals that do not certainly belong to another reference: a person may have entered one for the
 * wrong reference, and then it has to be named.
 * @param rows that name them, see `findWithdrawals`
 */
export function withoutOthers(
	withdrawalIds: readonly string[],
	rows: readonly StoredCells[],
	reference: string,
): string[] {
	const certain = rows.filter((row) => (row.run ?? '') !== '' && row.updatedAt === row.createdAt);
	return withdrawalIds.filter((id) => claimantsOf(certain, id, reference, ['paid']).length === 0);
}

/**
 * What a stored row says. People may add and edit rows: n8n then changes `updatedAt`, which the node
 * never does. What a person makes of a `sending` other than `paid` is a word that nothing was paid, and
 * the attempt stays: it may still arrive.
 *
 * @returns undefined if the row cannot be read
 */
export function readRow(cells: StoredCells): Row[] | undefined {
	const status = cells.status.trim().toLowerCase();
	const generation = cells.generation ?? 0;
	const details = readDetails(cells.details);
	const isGeneration = Number.isInteger(generation) && generation >= 0;
	const withdrawalId = (cells.withdrawalId ?? '').trim();
	const isNamed = withdrawalId !== '' || status !== 'paid';
	const isKnown =
		isKind(cells.kind) && STATUSES.has(status) && ENVIRONMENTS.has(toEnvironment(cells)) && isNamed;
	if (!isKnown || !isGeneration || details === undefined) return undefined;
	const [content = '', body = ''] = (cells.content ?? '').split('.');
	const { evidenceAt = Infinity, isListed = false, ...more } = details;
	// n8n dates what is imported anew. As if its key were young, the service would be asked under a key that it
	// has forgotten, and pay again.
	const notedAt = cells.sentAt === null ? 0 : new Date(cells.sentAt).getTime();
	const isImported = status === 'sending' && !(cells.createdAt - notedAt < IMPORTED_MS);
	const createdAt = isImported ? notedAt || 0 : cells.createdAt;
	const row: Row = {
		id: cells.id,
		status: status as Status,
		generation,
		content,
		body,
		apiKey: cells.apiKey ?? '',
		run: cells.run ?? '',
		at: Math.min(createdAt, evidenceAt),
		...(withdrawalId === '' ? {} : { withdrawalId }),
		...omitUndefined(more),
	};
	const isAsWritten = cells.updatedAt === cells.createdAt;
	const isByNode = row.run !== '' && isAsWritten;
	if (isByNode || status === 'sending') return [row];
	if (status === 'paid') return [{ ...row, isByPerson: true }];
	// A person who enters a doubt knows of an attempt that has no row. Without an open `sending`, the
	// reference would simply be paid again.
	if (status === 'in doubt') return [{ ...row, status: 'sending' }, row];
	const said: Row = {
		...{ ...row, status: 'not paid', at: cells.updatedAt },
		...(isListed && isAsWritten ? { isListed } : {}),
	};
	const isWord = row.run === '' && row.content === '';
	return isWord ? [said] : [{ ...row, status: 'sending' }, said];
}

/** Longer than between the moment that a run notes and the one at which the database writes the row. */
const IMPORTED_MS = 15 * 60_000;

/** @returns undefined for what is no JSON of `details` */
function readDetails(text: string | null): Details | undefined {
	if (text === null || text.trim() === '') return {};
	try {
		return detailsSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/**
 * The columns that follow from a row of the protocol.
 * @param now by the clock of the ledger
 * @param shows of a charge that was created
 */
export function toCells(
	{ status, generation, withdrawalId, at, about, ...more }: NewRow,
	asked: Pick<Row, 'run' | 'apiKey' | 'content' | 'body'>,
	now: number,
	shows: Readonly<Record<string, string>> = {},
): Pick<
	Cells,
	'status' | 'generation' | 'withdrawalId' | 'apiKey' | 'content' | 'run' | 'details' | 'sentAt'
> {
	const { content, body } = about ?? asked;
	const isShown = status === 'paid' && Object.keys(shows).length > 0;
	const details = omitUndefined({ evidenceAt: at, ...more, shows: isShown ? shows : undefined });
	return {
		status,
		generation,
		withdrawalId: withdrawalId ?? null,
		sentAt: toIso(at ?? now),
		apiKey: asked.apiKey,
		content: content === '' ? '' : `${content}.${body}`,
		run: asked.run,
		details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
	};
}
