import type { OrderItem } from '../execution/orderProcessor';

/**
 * Two items of one run with the same reference are one order.
 * @param isSame whether two items ask for the same
 * @returns for each item whose reference an earlier item has: that earlier item, and whether both ask for
 * the same
 */
export function findFirsts(
	items: readonly OrderItem[],
	isSame: (one: OrderItem, other: OrderItem) => boolean,
): Map<OrderItem, { readonly first: OrderItem; readonly isSame: boolean }> {
	const firsts = new Map<string, OrderItem>();
	const later = new Map<OrderItem, { first: OrderItem; isSame: boolean }>();
	for (const item of items) {
		const { reference } = item.order;
		if (reference === undefined) continue;
		const first = firsts.get(reference.value);
		if (first === undefined) firsts.set(reference.value, item);
		else later.set(item, { first, isSame: isSame(first, item) });
	}
	return later;
}
