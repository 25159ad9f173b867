import { ApiFailure } from '../../shared/failures/failure';
import type { ApiRecord } from '../../shared/transport/schemas';
import { isOtherContent } from './absence';
import {
	claimantsOf,
	readRow,
	toEnvironment,
	type Kind,
	type LedgerStore,
	type StoredCells,
} from './ledger';
import { ledgerUnavailable, unreadableRow } from './texts';
import type { Action, Fetched, Row, Status } from './protocol';
import type { ReferencedKind, Wanted } from './referencedKind';

/** `live` or `test`, as the ledger has it. */
export function environmentOf(isLive: boolean): string {
	return isLive ? 'live' : 'test';
}

/**
 * What the ledger says of a reference in one environment.
 * @param all its rows in both
 * @param shown the reference as entered
 * @returns or a failure that names a row that somebody has made unreadable, whatever its environment
 */
export function tryReadRows(
	all: readonly StoredCells[],
	shown: string,
	environment: string,
	kind: Kind,
): Row[] | ApiFailure {
	const rows: Row[] = [];
	for (const cell of all) {
		const read = readRow(cell);
		if (read === undefined) return unreadableRow(shown, cell.id, kind);
		if (toEnvironment(cell) === environment) rows.push(...read);
	}
	return [...rows, ...findRemoved(rows)];
}

/** The same for payouts. @throws ApiFailure in place of returning it */
export function readRows(all: readonly StoredCells[], shown: string, environment: string): Row[] {
	const rows = tryReadRows(all, shown, environment, 'payout');
	if (rows instanceof ApiFailure) throw rows;
	return rows;
}

/**
 * The attempts that doubts are about, if somebody has removed their rows: without one, the reference would
 * simply be paid again. Nobody knows how old their keys are, so these count as forgotten.
 */
function findRemoved(rows: readonly Row[]): Row[] {
	const doubts = rows.filter(
		({ status, generation }) =>
			status === 'in doubt' &&
			!rows.some((row) => ATTEMPTS.has(row.status) && row.generation === generation),
	);
	return doubts.flatMap((doubt) => [
		{ ...doubt, status: 'sending', at: 0 },
		{ ...doubt, status: 'sending' },
	]);
}

/** What is left of an attempt. */
const ATTEMPTS: ReadonlySet<Status> = new Set(['sending', 'refused', 'paid', 'failed']);

/** @throws ApiFailure that says why the ledger cannot be used */
export async function inLedger<T>(call: Promise<T>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		throw error instanceof ApiFailure ? error : ledgerUnavailable(undefined, error, false);
	}
}

/**
 * How a record that the ledger names compares with what is asked for now.
 * @param found as the service shows it; undefined if it cannot be read
 * @param content of what is asked for, see `ReferencedKind.toContent`
 */
export function compareRecord(
	found: ApiRecord | undefined,
	id: string,
	rows: readonly Row[],
	wanted: Wanted,
	content: string,
	{ isOver, isSame }: Pick<ReferencedKind, 'isOver' | 'isSame'>,
): Fetched {
	const paid = rows.find((row) => row.status === 'paid' && row.withdrawalId === id);
	const isRecordedSame = !isOtherContent(paid?.content ?? '', content);
	if (found === undefined) return { state: 'unreadable', isSameContent: isRecordedSame };
	const isSameContent = isSame(found, wanted, isRecordedSame);
	return { state: isOver(found) ? 'failed' : 'living', isSameContent };
}

/** For which other references the ledger has a withdrawal that is fetched. @throws LedgerUnavailable */
export async function findClaimants(
	store: Pick<LedgerStore, 'findWithdrawals'>,
	reference: string,
	{ id, claims }: Extract<Action, { do: 'fetch' }>,
): Promise<string[]> {
	if (claims.length === 0) return [];
	return claimantsOf(await store.findWithdrawals([id]), id, reference, claims);
}
