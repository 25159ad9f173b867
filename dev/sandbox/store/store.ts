import { sumBy } from 'lodash';
import { brazilianDay, brazilianDayBounds } from '../values/time';
import type { Customer, Payment, Product, Refund, Row, Withdrawal } from './rows';
import type { Environment, LedgerEntry } from './types';

/**
 * Rows of both environments, kept in order of creation. An environment never sees a row of the
 * other one: every read names its environment, except `find`, which is for the control pages.
 */
export class Table<T extends Row> {
	private readonly byId = new Map<string, T>();
	private readonly ordered: Record<Environment, T[]> = { SANDBOX: [], PRODUCTION: [] };
	/**
	 * What really happened: one row per effect, as it is now, regardless of the response that the client
	 * got. Seeds are no effects.
	 */
	readonly effects: T[] = [];

	/** Inserts the row, as an effect of a request. */
	book(row: T): void {
		this.effects.push(row);
		this.insert(row);
	}

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

/** Everything the emulated service remembers. In memory only. */
export class Store {
	readonly payments = new Table<Payment>();
	readonly refunds = new Table<Refund>();
	readonly withdrawals = new Table<Withdrawal>();
	readonly products = new Table<Product>();
	readonly customers = new Table<Customer>();
	/** Production movements only: a sandbox key always gets an empty statement (docs/api.md#environments). */
	readonly ledger: LedgerEntry[] = [];
	/** `pixKey document` -> epoch ms of the network's last refusal. */
	readonly networkRefusals = new Map<string, number>();

	paymentWithTxId(environment: Environment, txId: string): Payment | undefined {
		return this.payments.newest(environment, (row) => row.txId === txId);
	}

	/** Newest first. */
	getRefunds({ environment, id }: Payment): readonly Refund[] {
		return this.refunds.newestFirst(environment, (row) => row.paymentId === id);
	}

	/** Centavos, fees included, of all withdrawals of the Brazilian day that contains `now`. */
	getUsedOnDay(environment: Environment, now: number): number {
		const { start, end } = brazilianDayBounds(brazilianDay(now))!;
		const isToday = ({ createdAt }: Withdrawal) => createdAt >= start && createdAt <= end;
		const withdrawals = this.withdrawals.newestFirst(environment, isToday);
		return sumBy(withdrawals, ({ amountCents, feeCents }) => amountCents + feeCents);
	}
}
