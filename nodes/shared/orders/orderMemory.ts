import type { IContextObject, IDataObject } from 'n8n-workflow';
import type { PixKey } from '../validation/pixKey';
import type { ExecutionFacts } from './executionIdentity';
import { fingerprint, keyOfGeneration } from './key';

/** What the execution remembers of one order. Short: one is stored for each item. */
export interface OrderRecord {
	/** The key of generation 0. Bound once; nothing recomputes it. */
	readonly key: string;
	/** Fingerprint of what was asked for, by which a changed request is recognized. */
	readonly content: string;
	/** Names the API key that it was first meant for, see `toAccount`. */
	readonly account: string;
	/** Names the API key of the last attempt, where that is another one. */
	sentWith?: string | undefined;
	/** A live key; absent for a test key. */
	readonly isLive?: true;
	/** Centavos that leave the account, and where they go; absent for what is no payout. */
	readonly cents?: number;
	readonly pixKey?: PixKey;
	/** The place that it was first bound to; kept for own keys, which only one place may use. */
	readonly place?: string;
	/** Keys used up so far. */
	generation: number;
	/** The execution in which the service refused it for good under the current key. */
	usedUpIn?: string | undefined;
	/** When the first key was first sent, epoch ms; absent until then, and if unknown. */
	firstUsedAt?: number | undefined;
	/** It was first sent before this execution, at an unknown time. */
	birthUnknown?: true | undefined;
	/** It was sent. */
	sent?: true;
	/** When the last attempt ended that may have taken effect without showing it, epoch ms. */
	unclear?: number | undefined;
	/** When an attempt first succeeded, epoch ms; absent until one did. */
	doneAt?: number;
	/** The ID of what came into being. */
	doneId?: string;
	/** What the first response showed and no later one will. */
	answer?: IDataObject;
	/** An agent has been informed that it succeeded. */
	agentKnows?: true;
}

/** One node of the workflow, known by its ID and by its name: people rename nodes and replace them. */
interface StoredNode {
	id: string;
	name: string;
	firstRunIndex: number;
	lastRunIndex?: number;
	/** Name of the order that each place (run and item) is bound to. */
	places: Record<string, string>;
}

interface Stored {
	identity: string;
	/** The execution that this memory began in. */
	startedBy: string;
	/** It began in a retry: what the first attempt has done is not in it, and never will be. */
	isBlind?: true;
	nodes: StoredNode[];
	orders: Record<string, OrderRecord>;
	/** Name of the order by the names of its later keys: a failed item carries the key that was in use. */
	laterKeys?: Record<string, string>;
	/** How many orders of each identity there are. */
	counts: Record<string, number>;
}

const FIELD = 'brlPaymentsOrders';

/** Names the API key that an order was last sent with, or is to be sent with where it never was. */
export function getLastAccount({ account, sentWith }: OrderRecord): string {
	return sentWith ?? account;
}

/**
 * The closest ledger: what this execution and its retries know of their orders. It is in n8n's
 * context of the execution, which n8n saves: it survives Retry On Fail and the retry of an execution,
 * not kill -9.
 */
export class OrderMemory {
	private readonly stored: Stored;
	private readonly node: StoredNode;
	private readonly runIndex: number;
	/**
	 * Whether it knows all attempts before this one: it comes from the execution that is retried, and that
	 * one was saved with all that it knew, as it is not when n8n is killed.
	 */
	readonly isInherited: boolean;
	/** Whether this run of the node was seen before, as with Retry On Fail. */
	readonly isSameRunAgain: boolean;

	/** @param chooseIdentity receives the stored identity of the execution; its result is stored */
	constructor(
		executionContext: IContextObject,
		node: { readonly id: string; readonly name: string },
		runIndex: number,
		{ executionId, mode }: Pick<ExecutionFacts, 'executionId' | 'mode'>,
		chooseIdentity: (stored: string | undefined) => string,
	) {
		const found = executionContext[FIELD] as Stored | undefined;
		this.stored = found ?? {
			identity: '',
			startedBy: executionId,
			...(mode === 'retry' ? { isBlind: true } : {}),
			nodes: [],
			orders: {},
			counts: {},
		};
		this.isInherited = this.stored.startedBy !== executionId && this.stored.isBlind !== true;
		this.stored.identity = chooseIdentity(found?.identity);
		this.node = this.findNode(node) ?? this.addNode(node, runIndex);
		Object.assign(this.node, { id: node.id, name: node.name });
		this.isSameRunAgain = this.node.lastRunIndex === runIndex;
		this.node.lastRunIndex = runIndex;
		// Counted from the first run that is remembered: after kill -9 inside a loop n8n starts again with
		// run index 1 and an empty context.
		this.runIndex = runIndex - this.node.firstRunIndex;
		executionContext[FIELD] = this.stored;
	}

	get identity(): string {
		return this.stored.identity;
	}

	/** Names the place of an item: the run of the node, and the item in it. */
	getPlace(itemIndex: number): string {
		return `${this.runIndex}.${itemIndex}`;
	}

	/** The order that the place of this item is bound to. */
	boundTo(itemIndex: number): OrderRecord | undefined {
		const name = this.node.places[this.getPlace(itemIndex)];
		return name === undefined ? undefined : this.stored.orders[name];
	}

	/** The items that this run of the node has bound, also those that its list has lost since. */
	get boundItems(): number[] {
		const places = Object.keys(this.node.places).map((place) => place.split('.').map(Number));
		return places.flatMap(([run, item = 0]) => (run === this.runIndex ? item : []));
	}

	bind(itemIndex: number, record: OrderRecord): void {
		this.node.places[this.getPlace(itemIndex)] = fingerprint(record.key);
		this.store(record);
	}

	/** For an item whose order went to another place: the item gets a new one. */
	unbind(itemIndex: number): void {
		delete this.node.places[this.getPlace(itemIndex)];
	}

	/** The order that has this key, or had it before it was used up. */
	find(key: string): OrderRecord | undefined {
		const { orders, laterKeys = {} } = this.stored;
		const name = fingerprint(key);
		return orders[name] ?? orders[laterKeys[name] ?? ''];
	}

	/** Writes the record at once, before any request that relies on it. */
	store(record: OrderRecord): void {
		const { key, generation } = record;
		const name = fingerprint(key);
		this.stored.orders[name] = record;
		if (generation === 0) return;
		(this.stored.laterKeys ??= {})[fingerprint(keyOfGeneration(key, generation))] = name;
	}

	/** Counts one more order of an identity. @returns how many there were before */
	countOne(identity: string): number {
		const count = this.stored.counts[identity] ?? 0;
		this.stored.counts[identity] = count + 1;
		return count;
	}

	/** IDs of all that this execution knows to have made. */
	get doneIds(): Set<string> {
		return new Set(Object.values(this.stored.orders).flatMap(({ doneId }) => doneId ?? []));
	}

	/** The payouts of this execution that took effect or may have: centavos, by their first key. */
	get spent(): Map<string, number> {
		const spent = Object.values(this.stored.orders).filter(
			({ unclear, doneAt }) => unclear !== undefined || doneAt !== undefined,
		);
		return new Map(spent.map(({ key, cents = 0 }) => [key, cents]));
	}

	private findNode({ id, name }: { id: string; name: string }): StoredNode | undefined {
		const { nodes } = this.stored;
		return nodes.find((node) => node.id === id) ?? nodes.find((node) => node.name === name);
	}

	private addNode({ id, name }: { id: string; name: string }, runIndex: number): StoredNode {
		const node: StoredNode = { id, name, firstRunIndex: runIndex, places: {} };
		this.stored.nodes.push(node);
		return node;
	}
}
