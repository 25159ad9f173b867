import { knownTableIds } from '../../../nodes/BrlPayments/orders/findTable';

/** n8n was started again: what it had in memory of tables is gone. */
export function restart(): void {
	knownTableIds.clear();
}
