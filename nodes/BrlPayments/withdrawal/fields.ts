import type { IDataObject } from 'n8n-workflow';
import { simplifier } from '../editor/simplify';
import type { ItemCall } from '../item';
import { amountsOf } from '../orders/payouts';

/** With what the columns of every withdrawal begin, in the order in which people read a payout. */
const FIRST = ['reference', 'amount', 'fee', 'total', 'pixKey', 'status'];
const LAST = ['id', 'txId', 'createdAt', 'netAmount', 'feeAmount', 'grossAmount'];

/** The fields of a withdrawal that most workflows use; the amounts under the names of the service, too. */
const SIMPLE_WITHDRAWAL_FIELDS = [...FIRST, 'processedAt', 'errorMessage', ...LAST];

export const WITHDRAWAL_COLUMNS = [...FIRST, 'alreadyPaid', 'description', ...LAST];

/**
 * Shows withdrawals as the user wants them.
 * @returns takes also the item that asks for one of them, whose reference it keeps: the service does not know it
 */
export function withdrawalShower(
	call: ItemCall,
): (withdrawal: IDataObject, asking?: IDataObject) => IDataObject {
	const simplified = simplifier(call);
	return (withdrawal, { reference } = {}) => {
		const isNamed = typeof reference === 'number' || (reference ?? '') !== '';
		const derived = { ...(isNamed && { reference }), ...amountsOf(withdrawal) };
		return simplified(withdrawal, SIMPLE_WITHDRAWAL_FIELDS, derived);
	};
}
