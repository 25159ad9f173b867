import { parseReference } from '../../shared/input/reference';
import { path } from '../../shared/transport/path';
import { readCurrent, type ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/input/inputError';
import { ApiFailure } from '../../shared/failures/failure';
import type { ItemCall } from '../item';
import { LOOK_UP_SCOPE } from '../orders/accountList';
import { openLedger } from '../orders/dataTable';
import { toRows, type Ledger, type StoredCells } from '../orders/ledger';
import { looksAutomatic, type Name } from '../orders/names';
import { isFailed } from '../orders/payouts';
import { findPaid, type Row } from '../orders/protocol';
import { ledgerUnavailable } from '../orders/texts';

/** What the ledger says of one reference or automatic name, for the operations by which people look at it. */
export interface Recorded {
	readonly name: Name;
	readonly rows: readonly Row[];
	/** Those of the environment of the API key, oldest first. */
	readonly cells: readonly StoredCells[];
	/** Those of the other environment. */
	readonly others: readonly StoredCells[];
	readonly ledger: Ledger;
}

/** @throws InputError, ApiFailure if the ledger cannot be read */
export async function readRecorded(call: ItemCall): Promise<Recorded> {
	const reference = parseReference(call.parameter('reference'));
	if (reference === undefined) {
		throw new InputError('Reference is empty', 'Fill in the reference of the payout.');
	}
	const { value } = reference;
	const isLive = call.environment === 'production';
	const name: Name = { kind: 'payout', isLive, value, isAutomatic: looksAutomatic(value) };
	const ledger = openLedger(call.context, call.now);
	await inLedger(ledger.watch([value, reference.shown]));
	const all = ledger.rowsOf(value);
	const ofOther = (cell: StoredCells) => toRows({ ...name, isLive: !isLive }, [cell]).length > 0;
	const cells = all.filter((cell) => toRows(name, [cell]).length > 0);
	return { name, rows: toRows(name, all), cells, others: all.filter(ofOther), ledger };
}

/** @throws ApiFailure that says why the ledger cannot be used */
export async function inLedger<T>(call: Promise<T>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		throw error instanceof ApiFailure ? error : ledgerUnavailable(undefined, error, false);
	}
}

/** The withdrawal as it is now. @throws ApiFailure */
export async function lookUpWithdrawal(call: ItemCall, id: string): Promise<ApiRecord> {
	const address = path`/v1/withdrawals/${id}`;
	return await call.lookUp<ApiRecord>(address, readCurrent('withdrawal', id), LOOK_UP_SCOPE);
}

/** The same; undefined if it cannot be read. */
export async function readWithdrawal(call: ItemCall, id: string): Promise<ApiRecord | undefined> {
	return await lookUpWithdrawal(call, id).catch(() => undefined);
}

/**
 * The rows with what the service says now: what the bank has refused since it was recorded as paid has failed.
 * The ledger learns that only when the workflow runs again.
 */
export async function asOfNow(call: ItemCall, rows: readonly Row[]): Promise<readonly Row[]> {
	const paid = findPaid(rows);
	if (paid === undefined) return rows;
	const found = await readWithdrawal(call, paid.withdrawalId ?? '');
	if (found === undefined || !isFailed(found)) return rows;
	const failed: Row = { ...paid, status: 'failed' };
	return await asOfNow(call, [...rows, failed]);
}
