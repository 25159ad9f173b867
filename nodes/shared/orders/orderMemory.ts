import type { IContextObject } from 'n8n-workflow';
import type { ExecutionFacts } from './executionIdentity';
import { fingerprint, keyOfGeneration } from './key';
import { mayHaveActed, type OrderRecord } from './order';

/** One node of the workflow, known by its ID and by its name: people rename nodes and replace them. */
interface StoredNode {
	id: string;
	name: string;
	/** By run of the node (see `nameRun`), the name of the order of each of its items. */
	runs: Record<string, Record<number, string>>;
}

interface Stored {
	identity: string;
	/** It began in a retry: what was sent before is not in it, and never will be. */
	isPartial?: true;
	nodes: StoredNode[];
	orders: Record<string, OrderRecord>;
	/** Name of the order by the names of its later keys: a failed item carries the key that was in use. */
	laterKeys?: Record<string, string>;
	/** How many orders of each identity there are. */
	counts: Record<string, number>;
	/** Centavos that are about to be paid, by the first key of the order. */
	reserved?: Record<string, number>;
}

const FIELD = 'brlPaymentsOrders';

/**
 * What this execution and its retries know of their orders. It is in n8n's context of the execution, which
 * n8n saves: it survives Retry On Fail and the retry of an execution, not kill -9.
 */
export class OrderMemory {
	private readonly stored: Stored;
	/** Names of the orders of this run of the node, by item index. */
	private readonly bound: Record<number, string>;

	/**
	 * @param run see `nameRun`
	 * @param chooseIdentity receives the stored identity of the execution; its result is stored
	 */
	constructor(
		executionContext: IContextObject,
		{ id, name }: { readonly id: string; readonly name: string },
		run: string,
		{ mode }: Pick<ExecutionFacts, 'mode'>,
		chooseIdentity: (stored: string | undefined) => string,
	) {
		const found = executionContext[FIELD] as Stored | undefined;
		this.stored = found ?? {
			identity: '',
			...(mode === 'retry' ? { isPartial: true } : {}),
			nodes: [],
			orders: {},
			counts: {},
		};
		this.stored.identity = chooseIdentity(found?.identity);
		const { nodes } = this.stored;
		const known = nodes.find((node) => node.id === id) ?? nodes.find((node) => node.name === name);
		const node = known ?? { id, name, runs: {} };
		if (known === undefined) nodes.push(node);
		Object.assign(node, { id, name });
		this.bound = node.runs[run] ??= {};
		executionContext[FIELD] = this.stored;
	}

	/**
	 * Whether it knows all attempts of this execution: it began in the first one. (Another retry of the same
	 * execution may still have sent something.)
	 */
	get isComplete(): boolean {
		return this.stored.isPartial !== true;
	}

	get identity(): string {
		return this.stored.identity;
	}

	/** The orders that this run of the node is bound to, by item index; also of rows that are gone. */
	get boundItems(): Map<number, OrderRecord> {
		return new Map(
			Object.keys(this.bound).flatMap((item) => {
				const record = this.boundTo(Number(item));
				return record ? [[Number(item), record] as const] : [];
			}),
		);
	}

	boundTo(itemIndex: number): OrderRecord | undefined {
		return this.stored.orders[this.bound[itemIndex] ?? ''];
	}

	/** @param record undefined for an item that becomes a new order */
	bind(itemIndex: number, record: OrderRecord | undefined): void {
		if (record === undefined) return void delete this.bound[itemIndex];
		this.bound[itemIndex] = fingerprint(record.key);
		this.store(record);
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

	/** How many orders of this execution took effect, or may have. */
	get actedCount(): number {
		return Object.values(this.stored.orders).filter(mayHaveActed).length;
	}

	/** IDs of all that this execution knows to have made. */
	get doneIds(): Set<string> {
		return new Set(Object.values(this.stored.orders).flatMap(({ doneId }) => doneId ?? []));
	}

	/**
	 * What the payouts of this execution add up to that took effect, may have, or are about to be sent.
	 * @param besides first keys of those that do not count
	 * @returns centavos
	 */
	spentBesides(besides: ReadonlySet<string>): number {
		const acted = Object.values(this.stored.orders).filter(mayHaveActed);
		const spent = acted.map(({ key, cents = 0 }) => [key, cents] as const);
		return [...new Map([...Object.entries(this.stored.reserved ?? {}), ...spent])]
			.filter(([key]) => !besides.has(key))
			.reduce((sum, [, cents]) => sum + cents, 0);
	}

	/**
	 * Counts a payout before it is sent: an agent may call its tool several times at once.
	 * @param cents undefined once it was sent, or is not to be sent
	 */
	reserve(key: string, cents: number | undefined): void {
		const reserved = (this.stored.reserved ??= {});
		if (cents === undefined) delete reserved[key];
		else reserved[key] = cents;
	}
}
