import { customerSlug, paymentTxId, refundTxId, uuid, withdrawalTxId } from './values/ids';
import { price } from './rules/payment';
import { readPixKey } from './rules/pixKey';
import type { Customer, Payment, Product, Refund, Withdrawal } from './store/types';
import type { World } from './world';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Rows put straight into the store: no request made them, so they are in no book. */
export interface Seeds {
	/** Amounts in centavos, times in epoch ms; the environment defaults to SANDBOX. */
	customer(customer?: Partial<Customer>): Customer;
	product(product?: Partial<Product>): Product;
	/** `amountCents` alone is enough: the other amounts follow from it. Nothing is scheduled. */
	payment(payment?: Partial<Payment>): Payment;
	/** A completed refund of a payment, on its own: the status of the payment stays as it is. */
	refund(refund: Pick<Refund, 'paymentId' | 'amountCents'> & Partial<Refund>): Refund;
	/** Counts against the limits of its day; moves no money and makes no progress on its own. */
	withdrawal(withdrawal?: Partial<Withdrawal>): Withdrawal;
}

export function createSeeds(world: World): Seeds {
	return {
		customer(given = {}) {
			const now = world.now();
			return world.store.customers.insert({
				id: uuid(),
				environment: 'SANDBOX',
				createdAt: now,
				customerId: customerSlug(),
				name: 'Maria Exemplo',
				email: 'maria@customer.example',
				document: '52998224725',
				phone: '+5511987654321',
				externalId: null,
				metadata: {},
				isActive: true,
				updatedAt: now,
				...given,
			});
		},
		product(given = {}) {
			return world.store.products.insert({
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
				idempotencyKey: null,
				...given,
			});
		},
		payment(given = {}) {
			const method = given.paymentMethod ?? given.methods?.[0] ?? 'PIX';
			const cents = given.submittedCents ?? given.amountCents ?? 10_000;
			const createdAt = given.createdAt ?? world.now();
			const paid = given.status === 'PAID' || given.status === 'CONFIRMED';
			const fee = world.account.paymentFeeCents[method];
			return world.store.addPayment({
				id: uuid(),
				txId: paymentTxId(),
				environment: 'SANDBOX',
				createdAt,
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
				productId: null,
				customer: null,
				completionUrl: null,
				returnUrl: null,
				expiresAt: createdAt + DAY_MS,
				paidAt: paid ? createdAt : null,
				endToEndId: null,
				payer: null,
				cardFundingType: null,
				statusBeforeChargeback: null,
				idempotencyKey: null,
				...given,
			});
		},
		refund(given) {
			const now = world.now();
			return world.store.addRefund({
				id: uuid(),
				txId: refundTxId(),
				environment: 'SANDBOX',
				reason: '',
				status: 'COMPLETED',
				processedAt: now,
				createdAt: now,
				idempotencyKey: null,
				...given,
			});
		},
		withdrawal: (given = {}) => world.store.addWithdrawal(exampleWithdrawal(world, given)),
	};
}

/** A withdrawal in no store and no book yet. */
export function exampleWithdrawal(world: World, given: Partial<Withdrawal>): Withdrawal {
	const pixKey = given.pixKey ?? '52998224725';
	const createdAt = given.createdAt ?? world.now();
	const read = readPixKey(pixKey);
	return {
		id: uuid(),
		txId: withdrawalTxId(createdAt),
		environment: 'SANDBOX',
		createdAt,
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
