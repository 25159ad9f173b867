import type { PaymentStatus, RefundStatus, WithdrawalStatus } from '../store/types';
import type { PaymentEvent } from './bodies';

/** Which events a change of a payment's status gives occasion to. */
export function paymentOccasions(from: PaymentStatus | null, to: PaymentStatus): PaymentEvent[] {
	if (from === null || from === to) return [];
	switch (to) {
		case 'PAID':
			// The money was paid before: what is new is that the procedure ended.
			return from === 'MED_FROZEN' ? ['MED_RESOLVED'] : ['PAYMENT_PAID'];
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
			// A won dispute that goes back to REFUNDED sends nothing (States).
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
): 'WITHDRAWAL_SENT' | 'WITHDRAWAL_FAILED' | null {
	if (to === 'COMPLETED') return 'WITHDRAWAL_SENT';
	return to === 'FAILED' ? 'WITHDRAWAL_FAILED' : null;
}
