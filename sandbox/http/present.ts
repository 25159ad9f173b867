import { createHash } from 'node:crypto';
import { boletoLine } from '../documents/boletoLine';
import { centsToReais } from '../money';
import { brCode } from '../documents/brCode';
import { iso, isoOrNull } from '../time';
import type { ApiKey } from '../keys';
import type { Customer, Payment, Product, Refund, Withdrawal } from '../store/types';
import type { Endpoint } from '../webhooks';

/** The ApiKey resource. */
export function presentKey(key: ApiKey): object {
	return {
		id: key.id,
		name: key.name,
		description: key.description,
		environment: key.environment,
		prefix: key.prefix,
		scopes: key.scopes,
		ipAllowlist: key.ipAllowlist,
		rateLimitPerMinute: key.rateLimitPerMinute,
		expiresAt: isoOrNull(key.expiresAt),
		lastUsedAt: isoOrNull(key.lastUsedAt),
		createdAt: iso(key.createdAt),
	};
}

/** `type` and `cardFundingType` are documented; the other values are the emulator's own. */
function methodData(payment: Payment): object {
	switch (payment.paymentMethod) {
		case 'PIX':
			return { type: 'PIX', qrCode: brCode(payment.amountCents, payment.txId), emulated: true };
		case 'BOLETO':
			return { type: 'BOLETO', digitableLine: boletoLine(payment), emulated: true };
		case 'CARD':
			return { type: 'CARD', cardFundingType: payment.cardFundingType };
	}
}

/** The Payment resource, amounts in reais. */
export function presentPayment(payment: Payment): object {
	return {
		id: payment.id,
		txId: payment.txId,
		amount: centsToReais(payment.amountCents),
		feeAmount: centsToReais(payment.feeCents),
		netAmount: centsToReais(payment.netCents),
		feePassedToPayer: payment.feePassedToPayer,
		payerFeeAmount: centsToReais(payment.payerFeeCents),
		status: payment.status,
		paymentMethod: payment.paymentMethod,
		currency: 'BRL',
		description: payment.description,
		metadata: payment.metadata,
		expiresAt: iso(payment.expiresAt),
		createdAt: iso(payment.createdAt),
		methodData: methodData(payment),
		paidAt: isoOrNull(payment.paidAt),
		payer: payment.payer,
	};
}

/** The Refund resource. */
export function presentRefund(refund: Refund): object {
	return {
		id: refund.id,
		txId: refund.txId,
		amount: centsToReais(refund.amountCents),
		reason: refund.reason,
		status: refund.status,
		processedAt: isoOrNull(refund.processedAt),
		createdAt: iso(refund.createdAt),
	};
}

/** The narrow Withdrawal that POST /v1/withdrawals answers. */
export function presentNewWithdrawal(withdrawal: Withdrawal): object {
	return {
		id: withdrawal.id,
		txId: withdrawal.txId,
		grossAmount: centsToReais(withdrawal.amountCents + withdrawal.feeCents),
		feeAmount: centsToReais(withdrawal.feeCents),
		netAmount: centsToReais(withdrawal.amountCents),
		status: withdrawal.status,
		isSandbox: withdrawal.environment === 'SANDBOX',
		createdAt: iso(withdrawal.createdAt),
		paymentMethod: 'PIX',
		currency: 'BRL',
	};
}

/** The full Withdrawal resource. */
export function presentWithdrawal(withdrawal: Withdrawal): object {
	return {
		...presentNewWithdrawal(withdrawal),
		pixKey: withdrawal.pixKey,
		pixKeyType: withdrawal.pixKeyType,
		processedAt: isoOrNull(withdrawal.processedAt),
		errorMessage: withdrawal.errorMessage,
	};
}

/** The Product resource. */
export function presentProduct(product: Product): object {
	return {
		id: product.id,
		name: product.name,
		description: product.description,
		amount: centsToReais(product.amountCents),
		externalId: product.externalId,
		isActive: product.isActive,
		createdAt: iso(product.createdAt),
	};
}

/** The Customer of the get-by-id read. */
export function presentCustomer(customer: Customer): object {
	return {
		customerId: customer.customerId,
		name: customer.name,
		email: customer.email,
		document: customer.document,
		phone: customer.phone,
		externalId: customer.externalId,
		isActive: customer.isActive,
		createdAt: iso(customer.createdAt),
		metadata: customer.metadata,
		updatedAt: iso(customer.updatedAt),
	};
}

/** The Customer of the get-by-external-id read. */
export function presentExternalCustomer(customer: Customer): object {
	return {
		id: customer.id,
		name: customer.name,
		email: customer.email,
		document: customer.document,
		phone: customer.phone,
		externalId: customer.externalId,
		isActive: customer.isActive,
		createdAt: iso(customer.createdAt),
	};
}

/** A webhook endpoint without its secret, which is shown once only. */
export function presentEndpoint(endpoint: Endpoint): object {
	return { ...endpoint, secret: undefined };
}

/** SHA-256 in hex, for the control API to identify stored bytes. */
export function fingerprint(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
