import { pick } from 'lodash';
import type { Dialect } from '../settings/dialects';
import { centsToReais } from '../values/money';
import { boletoLine, brCode } from '../documents/codes';
import { iso, isoOrNull } from '../values/time';
import type { ApiKey } from '../settings/keys';
import type { Customer, Payment, Product, Refund, Withdrawal } from '../store/rows';
import type { PaymentStatus } from '../store/types';

export function presentKey(key: ApiKey): object {
	return {
		...pick(key, ['id', 'name', 'description', 'environment', 'prefix', 'scopes']),
		...pick(key, ['ipAllowlist', 'rateLimitPerMinute', 'expiresAt']),
		lastUsedAt: isoOrNull(key.lastUsedAt),
		createdAt: iso(key.createdAt),
	};
}

/** `type` and `cardFundingType` are documented; the other values are the emulator's own. */
function methodData(payment: Payment): object {
	const type = payment.paymentMethod;
	if (type === 'CARD') return { type, cardFundingType: payment.cardFundingType };
	return type === 'PIX'
		? { type, qrCode: brCode(payment.amountCents, payment.txId), emulated: true }
		: { type, digitableLine: boletoLine(payment), emulated: true };
}

/** Which status a payment has during a MED procedure is not described. */
export function shownStatus(status: PaymentStatus, { medStatus }: Dialect): PaymentStatus {
	return status === 'MED_FROZEN' ? medStatus.during : status;
}

/** The Payment resource, amounts in reais. */
export function presentPayment(payment: Payment, dialect: Dialect): object {
	return {
		...pick(payment, ['id', 'txId', 'feePassedToPayer', 'paymentMethod', 'description']),
		...pick(payment, ['metadata', 'payer']),
		amount: centsToReais(payment.amountCents),
		feeAmount: centsToReais(payment.feeCents),
		netAmount: centsToReais(payment.netCents),
		payerFeeAmount: centsToReais(payment.payerFeeCents),
		status: shownStatus(payment.status, dialect),
		currency: 'BRL',
		expiresAt: iso(payment.expiresAt),
		createdAt: iso(payment.createdAt),
		methodData: methodData(payment),
		paidAt: isoOrNull(payment.paidAt),
	};
}

/**
 * A response with one payment, where the API does not show its shape.
 * @param checkout `{ checkoutUrl }` of a creation
 */
export function envelopePayment(
	payment: Payment,
	dialect: Dialect,
	checkout: { checkoutUrl?: string } = {},
): object {
	const { envelope, checkoutUrl } = dialect.paymentEnvelope;
	const inside = checkoutUrl === 'inside' ? checkout : {};
	const beside = checkoutUrl === 'beside' ? checkout : {};
	const shown = { ...presentPayment(payment, dialect), ...inside };
	switch (envelope) {
		case 'payment':
			return { payment: shown, ...beside };
		case 'none':
			return { ...shown, ...beside };
		case 'data':
			return { data: shown, ...beside };
	}
}

export function presentRefund(refund: Refund): object {
	return {
		...pick(refund, ['id', 'txId', 'reason', 'status']),
		amount: centsToReais(refund.amountCents),
		processedAt: isoOrNull(refund.processedAt),
		createdAt: iso(refund.createdAt),
	};
}

export function presentNewWithdrawal(withdrawal: Withdrawal): object {
	return {
		...pick(withdrawal, ['id', 'txId', 'status']),
		grossAmount: centsToReais(withdrawal.amountCents + withdrawal.feeCents),
		feeAmount: centsToReais(withdrawal.feeCents),
		netAmount: centsToReais(withdrawal.amountCents),
		isSandbox: withdrawal.environment === 'SANDBOX',
		createdAt: iso(withdrawal.createdAt),
		paymentMethod: 'PIX',
		currency: 'BRL',
	};
}

export function presentWithdrawal(withdrawal: Withdrawal): object {
	return {
		...presentNewWithdrawal(withdrawal),
		...pick(withdrawal, ['pixKey', 'pixKeyType', 'errorMessage']),
		processedAt: isoOrNull(withdrawal.processedAt),
	};
}

export function presentProduct(product: Product): object {
	return {
		...pick(product, ['id', 'name', 'description', 'externalId', 'isActive']),
		amount: centsToReais(product.amountCents),
		createdAt: iso(product.createdAt),
	};
}

function customerFields(customer: Customer): object {
	return {
		...pick(customer, ['name', 'email', 'document', 'phone', 'externalId', 'isActive']),
		createdAt: iso(customer.createdAt),
	};
}

export function presentCustomer(customer: Customer): object {
	return {
		...pick(customer, ['customerId', 'metadata']),
		...customerFields(customer),
		updatedAt: iso(customer.updatedAt),
	};
}

export function presentExternalCustomer(customer: Customer): object {
	return { id: customer.id, ...customerFields(customer) };
}
