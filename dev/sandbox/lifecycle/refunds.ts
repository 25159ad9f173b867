import { sumBy } from 'lodash';
import { ServiceError } from '../errors';
import { isRefundable } from '../rules/payment';
import { judgeRefund } from '../rules/refund';
import { newRefund, type Payment, type Refund } from '../store/rows';
import type { PaymentStatus, RefundStatus } from '../store/types';
import type { World } from '../world';
import { forcePayment, setPaymentStatus } from './payments';

function remainingCents(world: World, payment: Payment): number {
	const refunds = world.store.getRefunds(payment).filter(({ status }) => status !== 'FAILED');
	return payment.amountCents - sumBy(refunds, 'amountCents');
}

/** @throws ServiceError if a refund breaks a rule. @param requestedCents null for all that is left */
export function checkRefund(world: World, payment: Payment, requestedCents: number | null): void {
	const refunds = world.store.getRefunds(payment);
	const remaining = remainingCents(world, payment);
	const broken = judgeRefund(payment, refunds, remaining, requestedCents, world.account);
	if (broken) throw new ServiceError(broken);
}

/** Books a PENDING refund of all that is left; in production its money is frozen at once. */
export function openRefund(world: World, payment: Payment, reason: string): Refund {
	const refund = newRefund(world, {
		...{ environment: payment.environment, paymentId: payment.id, reason },
		amountCents: remainingCents(world, payment),
	});
	if (payment.environment === 'PRODUCTION') {
		world.account.balanceCents -= refund.amountCents;
		world.account.frozenCents += refund.amountCents;
	}
	world.store.refunds.book(refund);
	return refund;
}

/**
 * Ends a PENDING refund; a completed one makes its payment REFUNDED. It fails when a chargeback came
 * in between, or the payer would get the money twice.
 */
function closeRefund(world: World, refund: Refund, wanted: Exclude<RefundStatus, 'PENDING'>): void {
	if (refund.status !== 'PENDING') return;
	const at = world.now();
	const payment = world.store.payments.find(refund.paymentId);
	const to = payment?.status === 'CHARGEBACK' ? 'FAILED' : wanted;
	refund.status = to;
	refund.processedAt = at;
	if (refund.environment === 'PRODUCTION') {
		world.account.frozenCents -= refund.amountCents;
		if (to === 'FAILED') world.account.balanceCents += refund.amountCents;
		else {
			world.store.ledger.push({
				at,
				kind: 'REFUND',
				amountCents: -refund.amountCents,
				reference: refund.txId,
			});
		}
	}
	if (!payment) return;
	if (to === 'COMPLETED') setPaymentStatus(world, payment, 'REFUNDED');
	else world.webhooks.refundFailed(payment, refund);
}

export function findPendingRefund(world: World, payment: Payment): Refund | undefined {
	return world.store.getRefunds(payment).find((refund) => refund.status === 'PENDING');
}

/**
 * What the world outside the service can do to a payment: pay late, charge back, win a dispute. A
 * refund is of all that is left, or the one that is under way. False when the payment cannot go there.
 */
export function forcePaymentStatus(world: World, payment: Payment, to: PaymentStatus): boolean {
	if (to !== 'REFUNDED' || payment.status === 'CHARGEBACK') return forcePayment(world, payment, to);
	if (payment.status === 'REFUNDED') return true;
	if (!isRefundable(payment.status) && payment.status !== 'MED_FROZEN') return false;
	const refund = findPendingRefund(world, payment) ?? openRefund(world, payment, 'Forced');
	closeRefund(world, refund, 'COMPLETED');
	return true;
}

/** The sandbox judged the refund by its cents before; production may still refuse it. */
export function scheduleRefund(world: World, refund: Refund): void {
	world.schedule(() => {
		const isLive = refund.environment === 'PRODUCTION';
		closeRefund(world, refund, isLive ? world.account.refundOutcome : 'COMPLETED');
	}, world.account.refundDelayMs);
}
