import type {
	Environment,
	Payment,
	PaymentStatus,
	Product,
	Refund,
	RefundStatus,
	Withdrawal,
	WithdrawalStatus,
} from './types';

interface Booked {
	id: string;
	/** The key of the request that caused the effect; null when no request did (a refund by simulate). */
	idempotencyKey: string | null;
	environment: Environment;
	/** Epoch ms. */
	createdAt: number;
}

export interface BookedWithdrawal extends Booked {
	amountCents: number;
	feeCents: number;
	pixKey: string;
	recipientDocument: string | null;
	description: string | null;
	readonly status: WithdrawalStatus;
}

export interface BookedPayment extends Booked {
	txId: string;
	amountCents: number;
	methods: string[];
	mode: 'hosted' | 'headless';
	externalId: string | null;
	productId: string | null;
	readonly status: PaymentStatus;
}

export interface BookedRefund extends Booked {
	paymentId: string;
	amountCents: number;
	reason: string;
	readonly status: RefundStatus;
}

export interface BookedProduct extends Booked {
	name: string;
	amountCents: number;
	externalId: string | null;
	readonly isActive: boolean;
	/** The stored image bytes, null while there is none. */
	readonly image: Buffer | null;
}

/**
 * What really happened: one entry per effect, regardless of the response that the client got. Seeds
 * are no effects.
 */
export interface Books {
	readonly withdrawals: readonly BookedWithdrawal[];
	readonly payments: readonly BookedPayment[];
	readonly refunds: readonly BookedRefund[];
	readonly products: readonly BookedProduct[];
}

export class BookKeeper implements Books {
	readonly withdrawals: BookedWithdrawal[] = [];
	readonly payments: BookedPayment[] = [];
	readonly refunds: BookedRefund[] = [];
	readonly products: BookedProduct[] = [];

	withdrawal(row: Withdrawal): void {
		this.withdrawals.push({
			id: row.id,
			idempotencyKey: row.idempotencyKey,
			environment: row.environment,
			amountCents: row.amountCents,
			feeCents: row.feeCents,
			pixKey: row.pixKey,
			recipientDocument: row.recipientDocument,
			description: row.description,
			createdAt: row.createdAt,
			get status() {
				return row.status;
			},
		});
	}

	payment(row: Payment): void {
		this.payments.push({
			id: row.id,
			idempotencyKey: row.idempotencyKey,
			environment: row.environment,
			txId: row.txId,
			amountCents: row.submittedCents,
			methods: row.methods,
			mode: row.mode,
			externalId: row.externalId,
			productId: row.productId,
			createdAt: row.createdAt,
			get status() {
				return row.status;
			},
		});
	}

	refund(row: Refund): void {
		this.refunds.push({
			id: row.id,
			idempotencyKey: row.idempotencyKey,
			environment: row.environment,
			paymentId: row.paymentId,
			amountCents: row.amountCents,
			reason: row.reason,
			createdAt: row.createdAt,
			get status() {
				return row.status;
			},
		});
	}

	product(row: Product): void {
		this.products.push({
			id: row.id,
			idempotencyKey: row.idempotencyKey,
			environment: row.environment,
			name: row.name,
			amountCents: row.amountCents,
			externalId: row.externalId,
			createdAt: row.createdAt,
			get isActive() {
				return row.isActive;
			},
			get image() {
				return row.image?.bytes ?? null;
			},
		});
	}

	clear(): void {
		this.withdrawals.length = 0;
		this.payments.length = 0;
		this.refunds.length = 0;
		this.products.length = 0;
	}
}
