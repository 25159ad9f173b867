import type { PaymentStatus } from '../store/types';

/**
 * Splits a submitted amount. The fee never exceeds the amount, so the net is never negative; passed
 * to the payer it is added on top and the merchant nets what was submitted.
 */
export function price(submittedCents: number, fee: number, isPassedToPayer: boolean) {
	const feeCents = Math.min(fee, submittedCents);
	const payerFeeCents = isPassedToPayer ? feeCents : 0;
	const amountCents = submittedCents + payerFeeCents;
	return { amountCents, feeCents, netCents: amountCents - feeCents, payerFeeCents };
}

const OPEN: readonly PaymentStatus[] = ['NEW', 'PENDING_METHOD_SELECTION', 'PROCESSING'];

export function isOpen(status: PaymentStatus): boolean {
	return OPEN.includes(status);
}

export function isRefundable(status: PaymentStatus): boolean {
	return status === 'PAID' || status === 'CONFIRMED' || status === 'PARTIAL_REFUND';
}

/**
 * Which changes may be forced, from outside, on a payment. A won dispute goes back to exactly the
 * status held before the chargeback, and a boleto may be paid late (docs/api.md#payment-states).
 */
export function mayMove(
	payment: {
		status: PaymentStatus;
		paymentMethod: string;
		statusBeforeChargeback: PaymentStatus | null;
	},
	to: PaymentStatus,
): boolean {
	const from = payment.status;
	if (isOpen(from)) {
		return ['NEW', 'PROCESSING', 'CONFIRMED', 'PAID', 'CANCELLED', 'EXPIRED'].includes(to);
	}
	switch (from) {
		case 'EXPIRED':
			return payment.paymentMethod === 'BOLETO' && to === 'PAID';
		case 'CONFIRMED':
			return ['PAID', 'CHARGEBACK', 'REFUNDED', 'MED_FROZEN'].includes(to);
		case 'PAID':
			return ['CHARGEBACK', 'REFUNDED', 'MED_FROZEN'].includes(to);
		case 'REFUNDED':
		case 'PARTIAL_REFUND':
			return to === 'CHARGEBACK';
		case 'CHARGEBACK':
			return to === payment.statusBeforeChargeback;
		case 'MED_FROZEN':
			return to === 'PAID' || to === 'REFUNDED';
		default:
			return false;
	}
}

/** The sandbox cents rule (docs/api.md#outcomes-in-the-sandbox): the cents of the submitted amount decide the outcome. */
export function sandboxOutcome(submittedCents: number): PaymentStatus {
	switch (submittedCents % 100) {
		case 2:
			return 'NEW';
		case 3:
			return 'CANCELLED';
		case 4:
			return 'EXPIRED';
		default:
			return 'PAID';
	}
}

/** Cents `.02` of the payment, not of the refund, make a sandbox refund fail (docs/api.md#outcomes-in-the-sandbox). */
export function sandboxRefundFails(submittedCents: number): boolean {
	return submittedCents % 100 === 2;
}
