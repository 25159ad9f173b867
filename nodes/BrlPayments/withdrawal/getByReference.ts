import type { IDataObject } from 'n8n-workflow';
import { maskText } from '../../shared/privacy/text';
import { toDay } from '../../shared/text/time';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { referenceField } from '../fields/definitions';
import type { ApiRecord } from '../../shared/transport/schemas';
import type { ItemCall } from '../execution/itemCall';
import type { ItemOperation } from '../execution/operation';
import { LOOK_UP_SCOPE } from '../ledger/accountHistory';
import { claimantsOf, type StoredCells } from '../ledger/ledger';
import { describeOrder, withFailed, type Described, type Row } from '../ledger/protocol';
import { readRecorded, readWithdrawal, type Recorded } from '../payouts/recorded';
import { environmentOf, inLedger, readRows } from '../ledger/readRows';
import { isFailed } from '../payouts/samePayout';

/** What n8n's table says of a reference, with the withdrawal as it is now (docs/api.md#get-a-withdrawal). */
export const getByReference: ItemOperation = {
	option: {
		name: 'Get by Reference',
		value: 'getByReference',
		action: 'Get withdrawal by reference',
		description: 'Get what is known of a reference: whether it was paid, and by which withdrawal',
	},
	scope: LOOK_UP_SCOPE,
	fields: [referenceField],
	async execute(call) {
		const recorded = await readRecorded(call);
		const { reference, environment, rows, cells, elsewhere, store } = recorded;
		if (cells.length === 0 && elsewhere.length > 0) return askElsewhere(call, recorded);
		const { order, withdrawal } = await readPaid(call, rows);
		const { withdrawalId } = order;
		const paidBy = order.status === 'paid' ? (withdrawalId ?? '') : '';
		const named = paidBy === '' ? [] : await inLedger(store.findWithdrawals([paidBy]));
		const claimants = claimantsOf(named, paidBy, reference, ['paid']);
		// One withdrawal pays one reference. What the service has named weighs more than what a person has entered.
		const isDisputed = claimants.length > 0 && order.isByPerson === true;
		const status = isDisputed ? 'in doubt' : order.status;
		return {
			json: {
				reference,
				status,
				environment,
				...omitUndefined({ withdrawalId, candidateIds: order.candidates }),
				...(claimants.length > 0 ? { alsoNamedFor: claimants } : {}),
				withdrawal: withdrawal ? (withdrawal as IDataObject) : null,
				history: cells.map(toHistory),
			},
		};
	},
};

/**
 * A new node takes the newest credential, which is often one with a test key: `never sent` would have the
 * reference paid again with a live one.
 */
function askElsewhere(
	call: ItemCall,
	{ reference, environment, elsewhere }: Recorded,
): { json: IDataObject } {
	const isLive = environment === environmentOf(true);
	const rows = readRows(elsewhere, reference, environmentOf(!isLive));
	const isPaid = describeOrder(rows).status === 'paid';
	const last = elsewhere.findLast((cell) => !isPaid || toStatus(cell) === 'paid');
	const at = Date.parse(last?.sentAt ?? '');
	const day = Number.isNaN(at) ? '' : ` on ${toDay(at)}`;
	const [other, own] = isLive ? ['test', 'live'] : ['live', 'test'];
	const message = `${reference} was ${isPaid ? 'paid' : 'sent'} with a ${other} key${day}. This credential has a ${own} key.`;
	call.hint(maskText(message));
	const status = 'other environment';
	return { json: { reference, status, message, environment, withdrawal: null, history: [] } };
}

const toStatus = ({ status }: StoredCells): string => status.trim().toLowerCase();

/**
 * The order with the withdrawal that has paid it. The table learns what the bank has refused when the workflow
 * runs again; another row may name one that has paid.
 */
async function readPaid(
	call: ItemCall,
	rows: readonly Row[],
): Promise<{ order: Described; withdrawal: ApiRecord | undefined }> {
	const order = describeOrder(rows);
	const { withdrawalId } = order;
	const withdrawal =
		withdrawalId === undefined ? undefined : await readWithdrawal(call, withdrawalId);
	if (withdrawalId === undefined || !withdrawal || !isFailed(withdrawal))
		return { order, withdrawal };
	const other = await readPaid(call, withFailed(rows, withdrawalId));
	return other.withdrawal ? other : { order: { withdrawalId, ...other.order }, withdrawal };
}

/** A row of the table, as far as people need it. */
function toHistory(cells: StoredCells): IDataObject {
	const { status, amount, pixKey, withdrawalId, sentAt, workflow, execution } = cells;
	return { status, amount, pixKey, withdrawalId, sentAt, workflow, execution };
}
