import { ApiFailure } from '../../shared/failures/failure';
import { parseReference, type Reference } from '../../shared/orders/reference';
import { path } from '../../shared/transport/path';
import { readCurrent, type ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import type { ItemCall } from '../execution/itemCall';
import { openLedger } from './dataTable';
import { LOOK_UP_SCOPE } from './history';
import { readRow, toEnvironment, type LedgerStore, type StoredCells } from './ledger';
import type { Row } from './protocol';
import { ledgerUnavailable, unreadableRow } from './texts';

/** What the ledger says of one reference, for the operations by which people look at it. */
export interface Recorded {
	readonly reference: string;
	/** `live` or `test`, as the API key. */
	readonly environment: string;
	readonly rows: readonly Row[];
	readonly cells: readonly StoredCells[];
	readonly store: LedgerStore;
}

/** @throws InputError, ApiFailure where the ledger cannot be read */
export async function readRecorded(call: ItemCall): Promise<Recorded> {
	const reference = parseReference(call.parameter('reference'));
	if (reference === undefined) {
		throw new InputError('Reference is empty', 'Fill in the reference of the payout.');
	}
	const environment = environmentOf(call);
	const store = openLedger(call.context);
	const all = await inLedger(store.read([reference.value]));
	const rows = readRows(all, reference, environment);
	const cells = all.filter((cell) => toEnvironment(cell) === environment);
	return { reference: reference.value, environment, rows, cells, store };
}

/** `live` or `test`, as the ledger has it. */
export function environmentOf({ environment }: Pick<ItemCall, 'environment'>): string {
	return environment === 'production' ? 'live' : 'test';
}

/**
 * What the ledger says of a reference in one environment.
 * @param all its rows in both
 * @throws ApiFailure that names a row that cannot be read, whatever its environment
 */
export function readRows(
	all: readonly StoredCells[],
	{ shown }: Reference,
	environment: string,
): Row[] {
	const unreadable = all.find((cell) => readRow(cell) === undefined);
	if (unreadable) throw unreadableRow(shown, unreadable.id);
	const own = all.filter((cell) => toEnvironment(cell) === environment);
	return own.flatMap((cell) => readRow(cell) ?? []);
}

/** @throws ApiFailure that says why the ledger cannot be used */
export async function inLedger<T>(call: Promise<T>): Promise<T> {
	try {
		return await call;
	} catch (error) {
		throw error instanceof ApiFailure ? error : ledgerUnavailable(undefined, error, false);
	}
}

/** The withdrawal as it is now; undefined where it cannot be read. */
export async function readWithdrawal(call: ItemCall, id: string): Promise<ApiRecord | undefined> {
	try {
		const address = path`/v1/withdrawals/${id}`;
		return await call.lookUp<ApiRecord>(address, readCurrent('withdrawal', id), LOOK_UP_SCOPE);
	} catch {
		return undefined;
	}
}
