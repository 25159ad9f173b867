import { BoundedMap } from '../../../../shared/concurrency/boundedMap';
import { GroupCommit } from '../../../../shared/concurrency/groupCommit';
import { hasDurableStore } from '../../../../shared/n8n/durableStore';
import type { Journal } from '../../../../shared/orders/journal/journal';
import { KEY_GONE_MS } from '../../../../shared/orders/journal/keyLife';
import {
	FIRST_KEY,
	type LastKey,
	type LaterKey,
} from '../../../../shared/orders/journal/laterKeys';
import type { OrderItem, OrderRun } from '../../../execution/orderRun';
import { getOrderName } from './orderName';
import { laterKeyNotNoted } from './payoutFailures';

/** How many payouts a process keeps in memory. */
const MAX_SEEN = 20_000;

interface SeenKey {
	readonly generation: number;
	/** Epoch ms. */
	readonly at: number;
	/** Whether something may have been paid under it, and it is not known whether it was. */
	readonly isUnclear: boolean;
}

/**
 * The last key that this process has used for payouts that moved on or whose outcome is unknown, by
 * order and API key: a copy of the workflow has another journal. Another API key may be of another
 * account, where nothing was sent.
 */
export const usedKeys = new BoundedMap<string, SeenKey>(MAX_SEEN);

/**
 * Keeps each payout to the last key that any run has moved on to. A key before it was refused, and may
 * pay if it is sent again: whether the service keeps a refusal under its key is not described
 * (docs/open-points.md#storedfailures). And where another run of this process does not know what its
 * own attempt did, no refusal of a later attempt shows that nothing was paid.
 */
export class LaterKeys {
	/** What the journal knows, by order. */
	private readonly noted = new Map<string, LastKey>();
	private readonly notes = new GroupCommit<LaterKey, undefined>(async (keys) => {
		await this.journal.noteLaterKeys(keys, this.clock());
		return keys.map(() => undefined);
	});

	constructor(
		private readonly run: OrderRun,
		private readonly journal: Journal,
	) {}

	/**
	 * To be called before orders are sent that an earlier run may have sent.
	 * @throws what n8n's helper throws
	 */
	async find(items: readonly OrderItem[]): Promise<void> {
		if (items.length === 0 || !hasDurableStore(this.run.run.context)) return;
		const found = await this.journal.findLastKeys(items.map(getOrderName), this.clock());
		for (const [order, key] of found) this.noted.set(order, key);
	}

	/** Whether it is certain which key was used last; true for an order that was not asked about. */
	isCertain(item: OrderItem): boolean {
		return this.getNoted(item).isCertain;
	}

	/**
	 * To be called before an order is sent: continues where other runs have left off.
	 * @throws ApiFailure where that cannot be remembered: then it must not be sent
	 */
	async takeOver(item: OrderItem): Promise<void> {
		const { order } = item;
		const noted = this.getNoted(item).generation;
		const seen = this.findSeen(item);
		const last = Math.max(noted, seen?.generation ?? 0);
		if (last > order.generation) {
			for (let generation = noted + 1; generation <= last; generation += 1) {
				await this.record(item, generation);
			}
			order.skipTo(last);
		}
		const isUnclear = seen?.isUnclear === true && seen.generation === order.generation;
		if (isUnclear && !order.isUnclear && !order.isDone) order.noteInDoubt();
	}

	/** The order was sent, and its outcome is not known. */
	noteUnclear(item: OrderItem): void {
		const { generation } = item.order;
		usedKeys.set(getName(item), { generation, at: this.clock(), isUnclear: true });
	}

	/**
	 * To be called before an order moves on to a later key.
	 * @throws ApiFailure where that cannot be remembered: then the key must not be used
	 */
	async note(item: OrderItem, generation: number): Promise<void> {
		await this.record(item, generation);
		usedKeys.set(getName(item), { generation, at: this.clock(), isUnclear: false });
	}

	private async record(item: OrderItem, generation: number): Promise<void> {
		const key = { order: getOrderName(item), generation };
		if (hasDurableStore(this.run.run.context)) {
			try {
				await this.notes.ask(key);
			} catch (error) {
				// A retry without a reference reads the list of withdrawals.
				if (item.order.isDurable) throw laterKeyNotNoted(item.order, error);
			}
		}
		this.noted.set(key.order, { generation, isCertain: true });
	}

	private findSeen(item: OrderItem): SeenKey | undefined {
		const seen = usedKeys.get(getName(item));
		return seen && this.clock() - seen.at <= KEY_GONE_MS ? seen : undefined;
	}

	private getNoted(item: OrderItem): LastKey {
		return this.noted.get(getOrderName(item)) ?? FIRST_KEY;
	}

	/** Epoch ms. */
	private clock(): number {
		return this.run.run.client.now();
	}
}

function getName(item: OrderItem): string {
	return `${getOrderName(item)} ${item.request.account}`;
}
