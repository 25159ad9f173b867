import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { referenceField } from '../fields/reference';
import type { ItemOperation } from '../execution/operation';
import { LOOK_UP_SCOPE } from '../ledger/accountList';
import { claimantsOf, type StoredCells } from '../ledger/ledger';
import { describeOrder } from '../ledger/protocol';
import { readRecorded, readWithdrawal } from '../payouts/recorded';
import { inLedger } from '../ledger/readRows';
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
		const { reference, environment, rows, cells, store } = await readRecorded(call);
		const order = describeOrder(rows);
		const { withdrawalId } = order;
		const withdrawal = withdrawalId && (await readWithdrawal(call, withdrawalId));
		const named = withdrawalId ? await inLedger(store.findWithdrawals([withdrawalId])) : [];
		const claimants = claimantsOf(named, withdrawalId ?? '', reference, ['paid']);
		// One withdrawal pays one reference: which one, a person has to say.
		const status = claimants.length > 0 ? 'in doubt' : order.status;
		return {
			json: {
				reference,
				// The table learns what the bank has refused when the workflow runs again.
				status: withdrawal && isFailed(withdrawal) ? 'not paid' : status,
				environment,
				...omitUndefined({ withdrawalId, candidateIds: order.candidates }),
				...(claimants.length > 0 ? { alsoNamedFor: claimants } : {}),
				withdrawal: withdrawal ? (withdrawal as IDataObject) : null,
				history: cells.map(toHistory),
			},
		};
	},
};

/** A row of the table, as far as people need it. */
function toHistory(cells: StoredCells): IDataObject {
	const { status, amount, pixKey, withdrawalId, sentAt, workflow, execution } = cells;
	return { status, amount, pixKey, withdrawalId, sentAt, workflow, execution };
}
