import type { Failure } from '../../shared/failures/failure';
import type { Order } from '../../shared/orders/order';
import type { OrderBook, OrderRequest } from '../../shared/orders/orderBook';
import type { ItemResult, OrderDraft } from './draft';
import type { ItemCall, NodeRun } from './itemCall';

/** What all orders of one run of the node share. */
export interface OrderRun {
	readonly node: NodeRun;
	readonly book: OrderBook;
	/** Waits while other items may start, unless the first failure is to stop them. */
	readonly aside: <T>(wait: Promise<T>) => Promise<T>;
}

/** One item with the order that was assigned to it. */
export interface OrderItem {
	readonly index: number;
	readonly call: ItemCall;
	readonly draft: OrderDraft;
	readonly request: OrderRequest;
	readonly order: Order;
}

/** Why an item that was done is in doubt after all; undefined if it is not. */
export type TakenBack = (item: OrderItem) => Failure | undefined;

/** Carries out the orders of one run. */
export interface OrderProcessor {
	/**
	 * To be called before anything is sent.
	 * @returns for each item, in order, why it is not to be sent; undefined if it is
	 */
	begin(items: readonly OrderItem[]): Promise<ReadonlyArray<Failure | undefined>>;
	/** @throws ApiFailure, InputError */
	settle(item: OrderItem): Promise<ItemResult>;
	/** To be called after all items, however they ended. @returns what became doubtful only then, if anything did */
	end(): Promise<TakenBack | undefined>;
	/** Whether what this run has done is stopped if a person presses Execute again. */
	stopsNextPress?(): boolean;
}
