/**
 * Rows as they are at first, in no store and no book yet. What is given wins; the environment defaults
 * to SANDBOX. They hold integer centavos and epoch ms; the wire forms are made in `http/present.ts`.
 */
import { price } from '../rules/payment';
import { readPixKey } from '../rules/pixKey';
import { customerSlug, paymentTxId, refundTxId, uuid, withdrawalTxId } from '../values/ids';
import type { World } from '../world';
import type {
	Environment,
	Payer,
	PaymentCustomer,
	PaymentMethod,
	PaymentStatus,
	RefundStatus,
	WithdrawalStatus,
} from './types';

const DAY_MS = 24 * 60 * 60 * 1_000;

export type Row = ReturnType<typeof anyRow>;
export type Customer = ReturnType<typeof anyCustomer>;
export type Product = ReturnType<typeof anyProduct>;
export type Payment = ReturnType<typeof anyPayment>;
export type Refund = ReturnType<typeof anyRefund>;
export type Withdrawal = ReturnType<typeof anyWithdrawal>;

function anyRow(createdAt: number) {
	return { id: uuid(), environment: 'SANDBOX' as Environment, createdAt };
}

function anyCustomer(now: number) {
	return {
		...anyRow(now),
		/** `cus_<slug>`, the identifier that merchants see. */
		customerId: customerSlug(),
		name: 'Maria Exemplo',
		email: 'maria@customer.example',
		document: '52998224725',
		phone: '+5511987654321',
		externalId: null as string | null,
		metadata: {} as Record<string, unknown>,
		isActive: true,
		updatedAt: now,
	};
}

function anyProduct(now: number) {
	return {
		...anyRow(now),
		name: 'Example product',
		description: '',
		amountCents: 4_990,
		externalId: null as string | null,
		metadata: {} as Record<string, unknown>,
		isActive: true,
		image: null as Buffer | null,
	};
}

export function newProduct(world: World, given: Partial<Product>): Product {
	return { ...anyProduct(world.now()), ...given };
}

function anyPayment(createdAt: number, method: PaymentMethod) {
	return {
		...anyRow(createdAt),
		txId: paymentTxId(),
		/** What the merchant asked for: the sandbox cents rule reads these cents. */
		submittedCents: 0,
		/** What the payer pays: `submittedCents` plus a fee that was passed on. */
		amountCents: 0,
		feeCents: 0,
		netCents: 0,
		feePassedToPayer: false,
		payerFeeCents: 0,
		status: 'NEW' as PaymentStatus,
		paymentMethod: method,
		methods: [method],
		mode: 'headless' as 'hosted' | 'headless',
		description: '',
		metadata: {} as Record<string, unknown>,
		externalId: null as string | null,
		customer: null as PaymentCustomer | null,
		expiresAt: createdAt + DAY_MS,
		paidAt: null as number | null,
		endToEndId: null as string | null,
		payer: null as Payer | null,
		cardFundingType: null as 'credit' | 'debit' | null,
		/** The status to return to when a chargeback dispute is won. */
		statusBeforeChargeback: null as PaymentStatus | null,
	};
}

/** `submittedCents` or `amountCents` alone is enough: the other amounts follow from it. */
export function newPayment(world: World, given: Partial<Payment>): Payment {
	const method = given.paymentMethod ?? given.methods?.[0] ?? 'PIX';
	const submittedCents = given.submittedCents ?? given.amountCents ?? 10_000;
	const createdAt = given.createdAt ?? world.now();
	const isPaid = given.status === 'PAID' || given.status === 'CONFIRMED';
	const fee = world.account.paymentFeeCents[method];
	return {
		...anyPayment(createdAt, method),
		submittedCents,
		...price(submittedCents, fee, given.feePassedToPayer ?? false),
		paidAt: isPaid ? createdAt : null,
		...given,
	};
}

function anyRefund(now: number, paymentId: string) {
	return {
		...anyRow(now),
		txId: refundTxId(),
		paymentId,
		amountCents: 0,
		reason: '',
		status: 'PENDING' as RefundStatus,
		processedAt: null as number | null,
	};
}

export function newRefund(
	world: World,
	given: Pick<Refund, 'paymentId' | 'amountCents'> & Partial<Refund>,
): Refund {
	return { ...anyRefund(world.now(), given.paymentId), ...given };
}

function anyWithdrawal(createdAt: number, pixKey: string) {
	const read = readPixKey(pixKey);
	return {
		...anyRow(createdAt),
		txId: withdrawalTxId(createdAt),
		/** Net: what the recipient receives. */
		amountCents: 10_000,
		feeCents: 0,
		pixKey,
		pixKeyType: read?.type ?? 'RANDOM',
		/** The creditor document that went to the network. */
		recipientDocument: read?.document ?? null,
		description: null as string | null,
		status: 'PENDING' as WithdrawalStatus,
		processedAt: null as number | null,
		errorMessage: null as string | null,
		idempotencyKey: null as string | null,
	};
}

export function newWithdrawal(world: World, given: Partial<Withdrawal>): Withdrawal {
	const { createdAt = world.now(), pixKey = '52998224725' } = given;
	const { feeCents } = world.account;
	return { ...anyWithdrawal(createdAt, pixKey), feeCents, ...given };
}

/** Puts rows straight into the store: no request made them, so they are in no book. Amounts in centavos, times in epoch ms. */
export function createSeeds(world: World) {
	return {
		customer: (given: Partial<Customer> = {}) =>
			world.store.customers.insert({ ...anyCustomer(world.now()), ...given }),
		product: (given: Partial<Product> = {}) =>
			world.store.products.insert(newProduct(world, given)),
		/** `amountCents` alone is enough: the other amounts follow from it. Nothing is scheduled. */
		payment: (given: Partial<Payment> = {}) =>
			world.store.payments.insert(newPayment(world, given)),
		/** Counts against the limits of its day; moves no money and makes no progress on its own. */
		withdrawal: (given: Partial<Withdrawal> = {}) =>
			world.store.withdrawals.insert(newWithdrawal(world, given)),
	};
}
