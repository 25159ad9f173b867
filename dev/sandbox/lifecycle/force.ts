import type { Payment, PaymentStatus } from '../store/types';
import type { World } from '../world';
import { forcePayment } from './payments';
import { refundAtOnce } from './refunds';

/**
 * What the world outside the service can do to a payment: pay late, charge back, win a dispute. A
 * refund always leaves a Refund behind. False when the payment cannot go there.
 */
export function forcePaymentStatus(world: World, payment: Payment, to: PaymentStatus): boolean {
	if (to !== 'REFUNDED' || payment.status === 'CHARGEBACK') return forcePayment(world, payment, to);
	if (payment.status === 'REFUNDED') return true;
	if (!['PAID', 'CONFIRMED', 'MED_FROZEN'].includes(payment.status)) return false;
	refundAtOnce(world, payment, 'Forced');
	return true;
}
