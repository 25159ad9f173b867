import { namedWithdrawals } from '../../../nodes/BrlPayments/ledger/origin';
import { knownTableIds } from '../../../nodes/BrlPayments/ledger/findTable';
import { recentPayouts } from '../../../nodes/BrlPayments/payouts/guard';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [recentPayouts, knownTableIds, namedWithdrawals]) memory.clear();
}
