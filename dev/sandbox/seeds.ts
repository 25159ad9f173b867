import { newCustomer, newPayment, newProduct, newRefund, newWithdrawal } from './store/newRows';
import type { Customer, Payment, Product, Refund, Withdrawal } from './store/types';
import type { World } from './world';

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
	const { store } = world;
	const completed = () => ({ status: 'COMPLETED' as const, processedAt: world.now() });
	return {
		customer: (given = {}) => store.customers.insert(newCustomer(world, given)),
		product: (given = {}) => store.products.insert(newProduct(world, given)),
		payment: (given = {}) => store.addPayment(newPayment(world, given)),
		refund: (given) => store.addRefund(newRefund(world, { ...completed(), ...given })),
		withdrawal: (given = {}) => store.addWithdrawal(newWithdrawal(world, given)),
	};
}
