import { price } from '../rules/payment';
import { readPixKey } from '../rules/pixKey';
import { customerSlug, paymentTxId, refundTxId, uuid, withdrawalTxId } from '../values/ids';
import type { World } from '../world';
import type { Customer, Payment, Product, Refund, Withdrawal } from './types';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Rows as they are at first, in no store and no book yet. What is given wins; the environment defaults
 * to SANDBOX.
 */
function newCustomer(world: World, given: Partial<Customer>): Customer {
	const now = world.now();
	return {
		id: uuid(),
		environment: 'SANDBOX',
		createdAt: now,
		updatedAt: now,
		customerId: customerSlug(),
		name: 'Maria Exemplo',
		email: 'maria@customer.example',
		document: '52998224725',
		phone: '+5511987654321',
		externalId: null,
		metadata: {},
		isActive: true,
		...given,
	};
}

export function newProduct(world: World, given: Partial<Product>): Product {
	return {
		id: uuid(),
		environment: 'SANDBOX',
		createdAt: world.now(),
		name: 'Example product',
		description: '',
		amountCents: 4_990,
		externalId: null,
		metadata: {},
		isActive: true,
		image: null,
		...given,
	};
}

/** `submittedCents` or `amountCents` alone is enough: the other amounts follow from it. */
export function newPayment(world: World, given: Partial<Payment>): Payment {
	const method = given.paymentMethod ?? given.methods?.[0] ?? 'PIX';
	const cents = given.submittedCents ?? given.amountCents ?? 10_000;
	const createdAt = given.createdAt ?? world.now();
	const isPaid = given.status === 'PAID' || given.status === 'CONFIRMED';
	const fee = world.account.paymentFeeCents[method];
	return {
		id: uuid(),
		environment: 'SANDBOX',
		createdAt,
		txId: paymentTxId(),
		submittedCents: cents,
		...price(cents, fee, given.feePassedToPayer ?? false),
		feePassedToPayer: false,
		status: 'NEW',
		paymentMethod: method,
		methods: [method],
		mode: 'headless',
		description: '',
		metadata: {},
		externalId: null,
		customer: null,
		expiresAt: createdAt + DAY_MS,
		paidAt: isPaid ? createdAt : null,
		endToEndId: null,
		payer: null,
		cardFundingType: null,
		statusBeforeChargeback: null,
		...given,
	};
}

export function newRefund(
	world: World,
	given: Pick<Refund, 'paymentId' | 'amountCents'> & Partial<Refund>,
): Refund {
	return {
		id: uuid(),
		environment: 'SANDBOX',
		createdAt: world.now(),
		txId: refundTxId(),
		reason: '',
		status: 'PENDING',
		processedAt: null,
		...given,
	};
}

export function newWithdrawal(world: World, given: Partial<Withdrawal>): Withdrawal {
	const pixKey = given.pixKey ?? '52998224725';
	const createdAt = given.createdAt ?? world.now();
	const read = readPixKey(pixKey);
	return {
		id: uuid(),
		environment: 'SANDBOX',
		createdAt,
		txId: withdrawalTxId(createdAt),
		amountCents: 10_000,
		feeCents: world.account.feeCents,
		pixKey,
		pixKeyType: read?.type ?? 'RANDOM',
		recipientDocument: read?.document ?? null,
		description: null,
		status: 'PENDING',
		processedAt: null,
		errorMessage: null,
		idempotencyKey: null,
		...given,
	};
}

/** Puts rows straight into the store: no request made them, so they are in no book. Amounts in centavos, times in epoch ms. */
export function createSeeds(world: World) {
	return {
		customer: (given: Partial<Customer> = {}) =>
			world.store.customers.insert(newCustomer(world, given)),
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
