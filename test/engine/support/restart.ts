import {
	recent,
	unclear,
} from '../../../nodes/BrlPayments/resources/withdrawal/payouts/duplicates/duplicateGuard';
import { usedKeys } from '../../../nodes/BrlPayments/resources/withdrawal/payouts/laterKeys';
import { spending } from '../../../nodes/BrlPayments/resources/withdrawal/payouts/payoutDesk';
import {
	knownIds,
	orderOfId,
	seenRefusals,
} from '../../../nodes/BrlPayments/resources/withdrawal/payouts/referenceJournal';
import { activeOrders, knownKeys } from '../../../nodes/shared/orders/journal/journal';

/** n8n was started again: what it had in memory of payouts is gone. */
export function restart(): void {
	for (const memory of [knownIds, orderOfId, seenRefusals, knownKeys, activeOrders]) memory.clear();
	for (const memory of [recent, unclear, spending, usedKeys]) memory.clear();
}
