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
/**
 * The last key that payouts of this process have moved on to, by order and API key: a copy of the
 * workflow has another journal. Another API key may be of another account, where nothing was refused.
 */
export const lastKeys = new BoundedMap<
	string,
	{ readonly generation: number; /** Epoch ms. */ readonly at: number }
>(MAX_SEEN);

/**
 * Keeps each payout to the last key that any run has moved on to. A key before it was refused, and may
 * pay if it is sent again: whether the service keeps a refusal under its key is not described
 * (docs/open-points.md#storedfailures).
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
	 * To be called before an order is sent.
	 * @throws ApiFailure where that cannot be remembered: then it must not be sent
	 */
	async skipUsed(item: OrderItem): Promise<void> {
		const { order } = item;
		const noted = this.getNoted(item).generation;
		const seen = lastKeys.get(getName(item));
		const isKnown = seen !== undefined && this.clock() - seen.at <= KEY_GONE_MS;
		const last = Math.max(noted, isKnown ? seen.generation : 0);
		if (last <= order.generation) return;
		for (let generation = noted + 1; generation <= last; generation += 1) {
			await this.note(item, generation);
		}
		order.skipTo(last);
	}

	/**
	 * To be called before an order moves on to a later key.
	 * @throws ApiFailure where that cannot be remembered: then the key must not be used
	 */
	async note(item: OrderItem, generation: number): Promise<void> {
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
		lastKeys.set(getName(item), { generation, at: this.clock() });
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
