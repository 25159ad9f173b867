import { fingerprint } from '../../../../shared/orders/key';
import type { OrderItem } from '../../../execution/orderRun';

/** Names an order in the journal, by its first key. What was paid with a test key is not paid with a live one. */
export function nameOrder(key: string, isLive: boolean): string {
	return fingerprint([key, isLive]);
}

/** Names the order of an item, see {@link nameOrder}. */
export function getOrderName({ order, request }: OrderItem): string {
	return nameOrder(order.record.key, request.isLive);
}
