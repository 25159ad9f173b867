import type { PixKeyType } from '../rules/pixKey';

export type Environment = 'SANDBOX' | 'PRODUCTION';

export const PAYMENT_METHODS = ['PIX', 'CARD', 'BOLETO'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_STATUSES = [
	'NEW',
	'PENDING_METHOD_SELECTION',
	'PROCESSING',
	'CONFIRMED',
	'PAID',
	'CANCELLED',
	'EXPIRED',
	'REFUNDED',
	'PARTIAL_REFUND',
	'CHARGEBACK',
	'MED_FROZEN',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export const WITHDRAWAL_STATUSES = [
	'PENDING',
	'PROCESSING',
	'COMPLETED',
	'FAILED',
	'CANCELLED',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

export type RefundStatus = 'PENDING' | 'COMPLETED' | 'FAILED';

interface PaymentCustomer {
	name?: string | undefined;
	email?: string | undefined;
	document?: string | undefined;
	documentType?: 'CPF' | 'CNPJ' | undefined;
}

export interface Payer {
	name: string | null;
	document: string | null;
	documentType: string | null;
	institutionName: string | null;
	institutionIspb: string | null;
}

/** Rows hold integer centavos and epoch ms; the wire forms are made in `http/present.ts`. */
export interface Row {
	id: string;
	environment: Environment;
	createdAt: number;
}

export interface Payment extends Row {
	txId: string;
	/** What the merchant asked for: the sandbox cents rule reads these cents. */
	submittedCents: number;
	/** What the payer pays: `submittedCents` plus a fee that was passed on. */
	amountCents: number;
	feeCents: number;
	netCents: number;
	feePassedToPayer: boolean;
	payerFeeCents: number;
	status: PaymentStatus;
	paymentMethod: PaymentMethod;
	methods: PaymentMethod[];
	mode: 'hosted' | 'headless';
	description: string;
	metadata: Record<string, unknown>;
	externalId: string | null;
	customer: PaymentCustomer | null;
	expiresAt: number;
	paidAt: number | null;
	endToEndId: string | null;
	payer: Payer | null;
	cardFundingType: 'credit' | 'debit' | null;
	/** The status to return to when a chargeback dispute is won. */
	statusBeforeChargeback: PaymentStatus | null;
}

/** One movement of the real-money ledger; `amountCents` is signed. */
export interface LedgerEntry {
	at: number;
	kind: 'PAYMENT' | 'REFUND' | 'WITHDRAWAL' | 'CHARGEBACK' | 'CHARGEBACK_REVERSED';
	amountCents: number;
	reference: string;
}

export interface Refund extends Row {
	txId: string;
	paymentId: string;
	amountCents: number;
	reason: string;
	status: RefundStatus;
	processedAt: number | null;
}

export interface Withdrawal extends Row {
	txId: string;
	/** Net: what the recipient receives. */
	amountCents: number;
	feeCents: number;
	pixKey: string;
	pixKeyType: PixKeyType;
	/** The creditor document that went to the network. */
	recipientDocument: string | null;
	description: string | null;
	status: WithdrawalStatus;
	processedAt: number | null;
	errorMessage: string | null;
	idempotencyKey: string | null;
}

export interface Product extends Row {
	name: string;
	description: string;
	amountCents: number;
	externalId: string | null;
	metadata: Record<string, unknown>;
	isActive: boolean;
	image: Buffer | null;
}

export interface Customer extends Row {
	/** `cus_<slug>`, the identifier that merchants see. */
	customerId: string;
	name: string;
	email: string;
	document: string;
	phone: string;
	externalId: string | null;
	metadata: Record<string, unknown>;
	isActive: boolean;
	updatedAt: number;
}
