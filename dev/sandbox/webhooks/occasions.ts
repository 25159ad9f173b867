import type { Dialect } from '../settings/dialects';
import type { PaymentStatus, RefundStatus, WithdrawalStatus } from '../store/types';
import type { PaymentEvent } from './bodies';

export function paymentOccasions(
	from: PaymentStatus | null,
	to: PaymentStatus,
	{ eventTriggers }: Dialect,
): PaymentEvent[] {
	if (from === null || from === to) return [];
	switch (to) {
		case 'PAID':
			// The money was paid before: what is new is that the procedure ended.
			if (from !== 'MED_FROZEN') return ['PAYMENT_PAID'];
			return eventTriggers.medRefused === 'resolved'
				? ['MED_RESOLVED']
				: ['MED_RESOLVED', 'PAYMENT_PAID'];
		case 'CONFIRMED':
			return ['PAYMENT_CONFIRMED'];
		case 'CHARGEBACK':
			return ['PAYMENT_CHARGEBACK'];
		case 'EXPIRED':
			return ['PAYMENT_EXPIRED'];
		case 'CANCELLED':
			return ['PAYMENT_CANCELLED'];
		case 'MED_FROZEN':
			return ['MED_RECEIVED'];
		case 'REFUNDED':
			// A won dispute that goes back to REFUNDED sends nothing (docs/api.md#payment-states).
			if (from === 'CHARGEBACK') return [];
			return from === 'MED_FROZEN' ? ['MED_RESOLVED', 'PAYMENT_REFUNDED'] : ['PAYMENT_REFUNDED'];
		case 'NEW':
		case 'PENDING_METHOD_SELECTION':
		case 'PROCESSING':
		case 'PARTIAL_REFUND':
			return [];
	}
}

/** A completed refund shows in the payment's own change. */
export function refundOccasion(to: RefundStatus): 'PAYMENT_REFUND_FAILED' | null {
	return to === 'FAILED' ? 'PAYMENT_REFUND_FAILED' : null;
}

export function withdrawalOccasion(
	to: WithdrawalStatus,
	{ eventTriggers }: Dialect,
): 'WITHDRAWAL_SENT' | 'WITHDRAWAL_FAILED' | null {
	const sentWith = eventTriggers.withdrawalSent === 'whenCompleted' ? 'COMPLETED' : 'PROCESSING';
	if (to === sentWith) return 'WITHDRAWAL_SENT';
	return to === 'FAILED' || to === 'CANCELLED' ? 'WITHDRAWAL_FAILED' : null;
}
