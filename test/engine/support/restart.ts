import { spending } from '../../../nodes/BrlPayments/payouts/desk';
import { found } from '../../../nodes/BrlPayments/payouts/findTable';
import { recent } from '../../../nodes/BrlPayments/payouts/guard';
import { namedWithdrawals } from '../../../nodes/BrlPayments/payouts/namedWithdrawals';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [recent, spending, found, namedWithdrawals]) memory.clear();
}
