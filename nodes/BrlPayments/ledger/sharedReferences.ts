import type { ApiFailure, Failure } from '../../shared/failures/failure';
import type { ItemResult } from '../execution/draft';
import type { OrderItem } from '../execution/orderProcessor';

/**
 * Items of one run with the same reference are one order: the first is carried out, and the others show
 * its result. If they ask for something else, they are refused.
 */
export class SharedReferences {
	private items: readonly OrderItem[] = [];
	/** For each item whose reference an earlier item has: that earlier item. */
	private readonly firsts = new Map<OrderItem, OrderItem>();
	private readonly refusals = new Map<OrderItem, Failure>();
	private readonly results = new Map<OrderItem, Promise<ItemResult>>();

	/**
	 * @param isSame whether two items ask for the same
	 * @param toRefusal of an item that asks for something else than the first of its name
	 */
	constructor(
		private readonly isSame: (one: OrderItem, other: OrderItem) => boolean,
		private readonly toRefusal: (item: OrderItem, first: OrderItem) => ApiFailure,
	) {}

	/** @param items all of the run */
	begin(items: readonly OrderItem[]): void {
		this.items = items;
		const byName = new Map<string, OrderItem>();
		for (const item of items) {
			const { reference } = item.order;
			if (reference === undefined) continue;
			const first = byName.get(reference.value);
			if (first === undefined) byName.set(reference.value, item);
			else if (this.isSame(first, item)) this.firsts.set(item, first);
			else this.refusals.set(item, this.toRefusal(item, first).failure);
		}
	}

	/** The items that are to be carried out, as far as is known. */
	get open(): OrderItem[] {
		return this.items.filter((item) => !this.firsts.has(item) && !this.refusals.has(item));
	}

	refuse(refusals: ReadonlyMap<OrderItem, Failure>): void {
		for (const [item, failure] of refusals) this.refusals.set(item, failure);
	}

	/** For each item, in order, why it is not to be carried out; undefined if it is. */
	get outcomes(): Array<Failure | undefined> {
		return this.items.map((item) => this.refusals.get(this.firsts.get(item) ?? item));
	}

	/**
	 * @param start carries out an item; called once for all that share its reference
	 * @returns the result, and whether it is that of an earlier item
	 */
	async settle(
		item: OrderItem,
		start: (item: OrderItem) => Promise<ItemResult>,
	): Promise<ItemResult & { readonly isShared: boolean }> {
		const first = this.firsts.get(item) ?? item;
		const result = this.results.get(first) ?? start(first);
		this.results.set(first, result);
		return { ...(await result), isShared: first !== item };
	}
}
