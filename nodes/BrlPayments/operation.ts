import type { INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { NeededScope, Scope } from '../api/scopes';
import type { ItemCall } from './itemCall';

/** What one input item becomes; `pairedItem` is added by the router. */
export type ItemResult = Pick<INodeExecutionData, 'json' | 'binary'>;

interface OperationBase {
	/** The entry in the Operation list: `value` is part of saved workflows and never changes. */
	readonly option: INodePropertyOptions;
	/** The scope that the interface names for it. Feeds the text of FORBIDDEN and the hint in the editor. */
	readonly scope: NeededScope;
	/** A scope that it needs besides in some cases, and in which ones, to follow "for". */
	readonly extraScope?: { readonly scope: Scope; readonly purpose: string };
	/** Fields of this operation alone; where they are shown follows from resource and operation. */
	readonly fields: INodeProperties[];
	/** Entries of the Options collection besides those that every operation has. */
	readonly options?: INodeProperties[];
	/** Whether the interface wants an idempotency key for it. */
	readonly isKeyed?: boolean;
	/** For keyed ones: how somebody who doesn't know whether it took effect can find out. */
	readonly whereItShows?: string;
	/** Whether it changes something at the service: decides how errors speak of finished items. */
	readonly isWrite?: boolean;
	/** Whether money leaves the account, which nobody can undo. */
	readonly movesMoney?: boolean;
	/** What an agent needs to know besides the description, in full sentences. */
	readonly forAgents?: string;
}

/** Runs once for each item. */
export interface ItemOperation extends OperationBase {
	execute(call: ItemCall): Promise<ItemResult | ItemResult[]>;
}

/** Runs once for all items, because they are judged together. */
export interface BatchOperation extends OperationBase {
	executeAll(calls: readonly ItemCall[]): Promise<INodeExecutionData[]>;
}

export type Operation = ItemOperation | BatchOperation;

export interface Resource {
	/** The entry in the Resource list. */
	readonly option: INodePropertyOptions;
	/** In alphabetical order of their names, as the editor lists them. */
	readonly operations: readonly Operation[];
	/** The operation that is chosen when the resource is; never one that deletes. */
	readonly defaultOperation: string;
}
