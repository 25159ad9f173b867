import type { Dialect } from '../settings/dialects';
import { boletoLine } from '../documents/boletoLine';
import { centsToReais } from '../values/money';
import { brCode } from '../documents/brCode';
import { iso, isoOrNull } from '../values/time';
import type { ApiKey } from '../settings/keys';
import type { PixKeyType } from '../rules/pixKey';
import type { Customer, Payment, PaymentStatus, Product, Refund, Withdrawal } from '../store/types';

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
function methodData(payment: Payment, { methodData: { fields } }: Dialect): object {
	const type = payment.paymentMethod;
	if (type === 'CARD') return { type, cardFundingType: payment.cardFundingType };
	if (fields === 'typeOnly') return { type };
	const line = boletoLine(payment);
	const code = brCode(payment.amountCents, payment.txId);
	if (fields === 'nested') {
		return type === 'PIX' ? { type, pix: { copyPaste: code } } : { type, boleto: { line } };
	}
	return type === 'PIX'
		? { type, qrCode: code, emulated: true }
		: { type, digitableLine: line, emulated: true };
}

/** Which status a payment has during a MED procedure is not described. */
export function shownStatus(status: PaymentStatus, { medStatus }: Dialect): PaymentStatus {
	return status === 'MED_FROZEN' ? medStatus.during : status;
}

/** What records may contain besides what is described. */
function unlisted({ unlistedFields: { records } }: Dialect): object {
	return records === 'asDescribed' ? {} : { version: 3, links: { self: '/example' }, tags: [null] };
}

/** The Payment resource, amounts in reais. */
export function presentPayment(payment: Payment, dialect: Dialect): object {
	return {
		id: payment.id,
		txId: payment.txId,
		amount: centsToReais(payment.amountCents),
		feeAmount: centsToReais(payment.feeCents),
		netAmount: centsToReais(payment.netCents),
		feePassedToPayer: payment.feePassedToPayer,
		payerFeeAmount: centsToReais(payment.payerFeeCents),
		status: shownStatus(payment.status, dialect),
		paymentMethod: payment.paymentMethod,
		currency: 'BRL',
		description: payment.description,
		metadata: payment.metadata,
		expiresAt: iso(payment.expiresAt),
		createdAt: iso(payment.createdAt),
		methodData: methodData(payment, dialect),
		paidAt: isoOrNull(payment.paidAt),
		payer: payment.payer,
		...unlisted(dialect),
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

/** The narrow Withdrawal that POST /v1/withdrawals returns. */
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
export function presentWithdrawal(withdrawal: Withdrawal, dialect: Dialect): object {
	return {
		...presentNewWithdrawal(withdrawal),
		pixKey: withdrawal.pixKey,
		pixKeyType: spellPixKeyType(withdrawal.pixKeyType, dialect),
		processedAt: isoOrNull(withdrawal.processedAt),
		errorMessage: withdrawal.errorMessage,
		...unlisted(dialect),
	};
}

/** The kind of a PIX key in the service's own word for it, which the API does not show. */
export function spellPixKeyType(type: PixKeyType, { pixKeyType: { spelling } }: Dialect): string {
	if (spelling === 'EVP' && type === 'RANDOM') return 'EVP';
	return spelling === 'lowerCase' ? type.toLowerCase() : type;
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
