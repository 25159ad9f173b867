import type { Dialect } from '../settings/dialects';
import { ServiceError, type ErrorCode } from '../errors';
import type { Environment, PaymentMethod, PaymentStatus, RefundStatus } from '../store/types';
import { sandboxRefundFails } from './outcomeByCents';
import { isRefundable } from './payment';

export interface RefundCase {
	environment: Environment;
	status: PaymentStatus;
	method: PaymentMethod;
	submittedCents: number;
	/** What is left to refund. */
	remainingCents: number;
	/** Null: the amount was omitted, which means all of it. */
	requestedCents: number | null;
	refunds: ReadonlyArray<{ status: RefundStatus }>;
	unsupportedMethods: readonly PaymentMethod[];
	/** Available balance; null where none is checked (sandbox money is fake). */
	availableCents: number | null;
}

/** The rules of a refund, in centavos: the first that is broken, or null (docs/api.md#refund-a-payment). */
export function judgeRefund(input: RefundCase): ErrorCode | null {
	if (input.status === 'REFUNDED') return 'ALREADY_REFUNDED';
	if (!isRefundable(input.status)) return 'INVALID_STATUS';
	if (input.unsupportedMethods.includes(input.method)) return 'REFUND_NOT_SUPPORTED';
	if (input.refunds.some((refund) => refund.status === 'PENDING')) return 'REFUND_IN_PROGRESS';
	if (input.requestedCents !== null && input.requestedCents !== input.remainingCents) {
		return 'PARTIAL_REFUND_NOT_SUPPORTED';
	}
	if (input.availableCents !== null && input.availableCents < input.remainingCents) {
		return 'INSUFFICIENT_BALANCE_FOR_REFUND';
	}
	if (input.environment === 'SANDBOX' && sandboxRefundFails(input.submittedCents)) {
		return 'PSP_REFUND_FAILED';
	}
	return null;
}

/** The error of a broken rule. The API does not show the status of PSP_REFUND_FAILED. */
export function refundError(code: ErrorCode, { refundFailedStatus }: Dialect): ServiceError {
	return code === 'PSP_REFUND_FAILED'
		? new ServiceError(code, { status: Number(refundFailedStatus.status) })
		: new ServiceError(code);
}
