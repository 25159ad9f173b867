import { brazilianDay } from '../values/time';
import type {
	Customer,
	Environment,
	LedgerEntry,
	Payment,
	Product,
	Refund,
	Row,
	Withdrawal,
} from './types';

/**
 * Rows of both environments, kept in order of creation. An environment never sees a row of the
 * other one: every read names its environment, except `find`, which is for the control pages.
 */
class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	private readonly ordered: Record<Environment, T[]> = { SANDBOX: [], PRODUCTION: [] };

	insert(row: T): T {
		this.byId.set(row.id, row);
		const rows = this.ordered[row.environment];
		// New rows are nearly always the latest; only seeded ones are searched for a place.
		let at = rows.length;
		while (at > 0 && (rows[at - 1] as T).createdAt > row.createdAt) at--;
		if (at === rows.length) rows.push(row);
		else rows.splice(at, 0, row);
		return row;
	}

	get(environment: Environment, id: string): T | undefined {
		const row = this.byId.get(id.toLowerCase());
		return row?.environment === environment ? row : undefined;
	}

	find(id: string): T | undefined {
		return this.byId.get(id.toLowerCase());
	}

	newest(environment: Environment, test: (row: T) => boolean): T | undefined {
		return this.ordered[environment].findLast(test);
	}

	/** Newest first; rows of the same millisecond in reverse order of insertion. */
	newestFirst(environment: Environment, test: (row: T) => boolean = () => true): T[] {
		return this.ordered[environment].filter(test).reverse();
	}
}

/**
 * What really happened: one entry per effect, regardless of the response that the client got. Each is
 * the row itself, as it is now. Seeds are no effects.
 */
export interface Books {
	readonly withdrawals: Withdrawal[];
	readonly payments: Payment[];
	readonly refunds: Refund[];
	readonly products: Product[];
}

/** Everything the emulated service remembers. In memory only. */
export class Store {
	readonly payments = new Table<Payment>();
	readonly refunds = new Table<Refund>();
	readonly withdrawals = new Table<Withdrawal>();
	readonly products = new Table<Product>();
	readonly customers = new Table<Customer>();
	/** Production movements only: a sandbox key always gets an empty statement (docs/api.md#environments). */
	readonly ledger: LedgerEntry[] = [];
	readonly books: Books = { withdrawals: [], payments: [], refunds: [], products: [] };

	private readonly paymentByTxId = new Map<string, Payment>();
	private readonly refundsByPayment = new Map<string, Refund[]>();
	private readonly usedByDay = new Map<string, number>();
	/** `pixKey document` -> epoch ms of the network's last refusal. */
	readonly networkRefusals = new Map<string, number>();

	addPayment(row: Payment): Payment {
		this.paymentByTxId.set(row.txId, row);
		return this.payments.insert(row);
	}

	paymentWithTxId(environment: Environment, txId: string): Payment | undefined {
		const row = this.paymentByTxId.get(txId);
		return row?.environment === environment ? row : undefined;
	}

	addRefund(row: Refund): Refund {
		const rows = this.refundsByPayment.get(row.paymentId);
		if (rows) rows.push(row);
		else this.refundsByPayment.set(row.paymentId, [row]);
		return this.refunds.insert(row);
	}

	getRefunds(paymentId: string): readonly Refund[] {
		return this.refundsByPayment.get(paymentId) ?? [];
	}

	addWithdrawal(row: Withdrawal): Withdrawal {
		const day = `${row.environment} ${brazilianDay(row.createdAt)}`;
		const used = this.usedByDay.get(day) ?? 0;
		this.usedByDay.set(day, used + row.amountCents + row.feeCents);
		return this.withdrawals.insert(row);
	}

	/** Centavos, fees included, of all withdrawals of the Brazilian day that contains `now`. */
	getUsedOnDay(environment: Environment, now: number): number {
		return this.usedByDay.get(`${environment} ${brazilianDay(now)}`) ?? 0;
	}
}
