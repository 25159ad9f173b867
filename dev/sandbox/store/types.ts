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

export interface PaymentCustomer {
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

/** One movement of the real-money ledger; `amountCents` is signed. */
export interface LedgerEntry {
	at: number;
	kind: 'PAYMENT' | 'REFUND' | 'WITHDRAWAL' | 'CHARGEBACK' | 'CHARGEBACK_REVERSED';
	amountCents: number;
	reference: string;
}
