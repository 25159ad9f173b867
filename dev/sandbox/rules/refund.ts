import type { AccountSettings } from '../settings/account';
import type { ErrorCode } from '../errors';
import type { Payment, Refund } from '../store/rows';
import { isRefundable, sandboxRefundFails } from './payment';

/**
 * The rules of a refund: the first that is broken, or null (docs/api.md#refund-a-payment).
 * @param remainingCents what is left to refund
 * @param requestedCents null: the amount was omitted, which means all of it
 */
export function judgeRefund(
	payment: Payment,
	refunds: readonly Refund[],
	remainingCents: number,
	requestedCents: number | null,
	{ refundUnsupportedMethods, balanceCents }: AccountSettings,
): ErrorCode | null {
	if (payment.status === 'REFUNDED') return 'ALREADY_REFUNDED';
	if (!isRefundable(payment.status)) return 'INVALID_STATUS';
	if (refundUnsupportedMethods.includes(payment.paymentMethod)) return 'REFUND_NOT_SUPPORTED';
	if (refunds.some((refund) => refund.status === 'PENDING')) return 'REFUND_IN_PROGRESS';
	if (requestedCents !== null && requestedCents !== remainingCents) {
		return 'PARTIAL_REFUND_NOT_SUPPORTED';
	}
	if (payment.environment === 'PRODUCTION') {
		return balanceCents < remainingCents ? 'INSUFFICIENT_BALANCE_FOR_REFUND' : null;
	}
	// Sandbox money is fake: no balance is checked.
	return sandboxRefundFails(payment.submittedCents) ? 'PSP_REFUND_FAILED' : null;
}
