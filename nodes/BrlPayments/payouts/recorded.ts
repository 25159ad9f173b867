import { parseReference } from '../../shared/orders/reference';
import { path } from '../../shared/transport/path';
import { readCurrent, type ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import type { ItemCall } from '../execution/itemCall';
import { openLedger } from '../ledger/dataTable';
import { LOOK_UP_SCOPE } from '../ledger/accountHistory';
import { toEnvironment, type LedgerStore, type StoredCells } from '../ledger/ledger';
import type { Row } from '../ledger/protocol';
import { environmentOf, inLedger, readRows } from '../ledger/readRows';

/** What the ledger says of one reference, for the operations by which people look at it. */
export interface Recorded {
	readonly reference: string;
	/** `live` or `test`, as the API key. */
	readonly environment: string;
	readonly rows: readonly Row[];
	readonly cells: readonly StoredCells[];
	/** What the ledger has of it in the other environment. */
	readonly elsewhere: readonly StoredCells[];
	readonly store: LedgerStore;
}

/** @throws InputError, ApiFailure if the ledger cannot be read */
export async function readRecorded(call: ItemCall): Promise<Recorded> {
	const reference = parseReference(call.parameter('reference'));
	if (reference === undefined) {
		throw new InputError('Reference is empty', 'Fill in the reference of the payout.');
	}
	const environment = environmentOf(call.environment === 'production');
	const store = openLedger(call.context);
	const all = await inLedger(store.read([reference.value]));
	const rows = readRows(all, reference.shown, environment);
	const cells = all.filter((cell) => toEnvironment(cell) === environment);
	const elsewhere = all.filter((cell) => toEnvironment(cell) !== environment);
	return { reference: reference.value, environment, rows, cells, elsewhere, store };
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
