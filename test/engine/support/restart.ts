import { namedWithdrawals } from '../../../nodes/BrlPayments/ledger/origin';
import { found } from '../../../nodes/BrlPayments/ledger/findTable';
import { recent } from '../../../nodes/BrlPayments/payouts/guard';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [recent, found, namedWithdrawals]) memory.clear();
}
