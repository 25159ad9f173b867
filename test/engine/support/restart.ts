import { namedWithdrawals } from '../../../nodes/BrlPayments/payouts/withdrawalOrigin';
import { found } from '../../../nodes/BrlPayments/payouts/findTable';
import { recent } from '../../../nodes/BrlPayments/payouts/guard';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [recent, found, namedWithdrawals]) memory.clear();
}
