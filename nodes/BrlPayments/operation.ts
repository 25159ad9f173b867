import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import type { Limiter } from '../shared/concurrency/limiter';
import type { NeededScope, Scope } from '../shared/failures/failure';
import type { ItemCall } from './item';
import type { ItemResult, OrderRequest } from './orderRequest';
import type { OrderKind } from './orders/kind';

interface OperationBase {
	/** The entry in the Operation list: `value` is part of saved workflows and never changes. */
	readonly option: INodePropertyOptions;
	/** The scope that the API names for it. Feeds the text of FORBIDDEN and the hint in the editor. */
	readonly scope: NeededScope;
	/** A further scope that it requires in some cases; `purpose` names them, and follows "for". */
	readonly extraScope?: { readonly scope: Scope; readonly purpose: string };
	/** Fields of this operation alone; where they are shown follows from resource and operation. */
	readonly fields: INodeProperties[];
	/** Entries of the Options collection besides those that every operation has. */
	readonly options?: INodeProperties[];
	/** For orders: how a person can find out whether it took effect. */
	readonly verificationHint?: string;
	/** Whether it changes something at the service: decides how errors describe finished items, and what agents read. */
	readonly isWrite?: boolean;
	/** With what the columns of n8n's table begin: it is read from left to right. */
	readonly columns?: readonly string[];
	/** Parameters that a person recognizes an item by; the first is its name. */
	readonly identifiedBy?: readonly string[];
	/** Whether money leaves the account, which cannot be undone. */
	readonly movesMoney?: boolean;
	/** What an agent needs to know besides the description, in full sentences. */
	readonly forAgents?: string;
}

/**
 * Runs once for each item. Its writes have no key, so they have the same effect when they are done
 * twice (see `ItemCall.repeatable`): errors say that repeating them does no harm.
 */
export interface ItemOperation extends OperationBase {
	execute(call: ItemCall): Promise<ItemResult | ItemResult[]>;
}

/** Runs once for all items, because they are judged together. */
export interface BatchOperation extends OperationBase {
	/** @param limiter for requests about single items */
	executeAll(calls: readonly ItemCall[], limiter: Limiter): Promise<INodeExecutionData[]>;
}

/**
 * Creates something under an idempotency key, once for each item. All items are prepared before the
 * first is sent.
 */
export interface OrderOperation extends OperationBase {
	/**
	 * Fields of the body that identify the order or that limits are compared with, dotted if they
	 * nest: Additional Body Fields must not replace them.
	 */
	readonly guardedFields: readonly string[];
	/** @throws InputError for what the server would certainly refuse */
	prepare(call: ItemCall): Promise<OrderRequest> | OrderRequest;
	/**
	 * Whether every execution recognizes what an item asks for, by a name that the user gave it.
	 * @param parameters as saved with the node
	 */
	hasReferences?(parameters: IDataObject): boolean;
	/**
	 * What it makes, if the ledger keeps it from being made twice: payouts, and charges whose request has a
	 * reference. Everything else relies on its key alone.
	 */
	readonly kind?: OrderKind;
}

export type Operation = ItemOperation | OrderOperation | BatchOperation;

/** Whether it works under an idempotency key. */
export function isOrder(operation: Operation): operation is OrderOperation {
	return 'prepare' in operation;
}

export interface Resource {
	/** The entry in the Resource list. */
	readonly option: INodePropertyOptions;
	/** In alphabetical order of their names, as the editor lists them. */
	readonly operations: readonly Operation[];
	/** The operation that is chosen when the resource is; never one that deletes. */
	readonly defaultOperation: string;
}
