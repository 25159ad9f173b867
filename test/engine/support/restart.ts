import { spending } from '../../../nodes/BrlPayments/payouts/desk';
import { found } from '../../../nodes/BrlPayments/payouts/findTable';
import { namedWithdrawals } from '../../../nodes/BrlPayments/payouts/namedWithdrawals';
import { recent, unclear } from '../../../nodes/BrlPayments/payouts/guard';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [recent, unclear, spending, found, namedWithdrawals]) memory.clear();
}
