import type { IExecuteFunctions } from 'n8n-workflow';
import { BoundedMap } from '../concurrency/boundedMap';
import { omitUndefined } from '../text/omitUndefined';
import { InputError } from '../validation/inputError';
import type { PixKey } from '../validation/pixKey';
import {
	chooseExecutionIdentity,
	executionFacts,
	identityOfDelivery,
	type ExecutionFacts,
} from './executionIdentity';
import { isKeyAlive } from './keyExpiry';
import {
	checkOwnKey,
	deriveKey,
	deriveReferenceKey,
	fingerprint,
	namedValues,
	type Identity,
} from './key';
import { Order, type OrderKind, type OrderSettings } from './order';
import { OrderMemory, type OrderRecord } from './orderMemory';
import type { Reference } from './reference';
import { subjectOfItem } from './startingDelivery';

/** The key of an item that failed before and comes back, with when it was first sent (epoch ms). */
export interface AdoptedKey {
	readonly key: string;
	/** Undefined if unknown. */
	readonly firstUsedAt: number | undefined;
	/** Names what was asked for then, see `OrderBook.contentOf`; undefined where the error does not say. */
	readonly content: string | undefined;
	/** Whether that attempt may have taken effect. */
	readonly isUnclear: boolean;
	/** When its last attempt ended, epoch ms; now, where the error does not say. */
	readonly lastTriedAt: number;
}

/** What one item asks for. */
export interface OrderRequest extends OrderSettings {
	/** `withdrawal.create` and the like. */
	readonly operation: string;
	readonly identity: Identity;
	readonly reference?: Reference | undefined;
	/** The key that the user chose; empty for none. */
	readonly ownKey: string;
	readonly adopted?: AdoptedKey | undefined;
	/** For payouts: centavos, and the PIX key in canonical form. */
	readonly payout?: { readonly cents: number; readonly pixKey: PixKey } | undefined;
	/** Names the API key that it is sent with, see `toAccount`. */
	readonly account: string;
	/** Public part of the API key. */
	readonly keyPrefix: string;
	readonly isLive: boolean;
}

/** Names an API key without showing it. @param keyPrefix its public part */
export function toAccount(baseUrl: string, keyPrefix: string): string {
	return fingerprint([baseUrl, keyPrefix]);
}

/** Assigns the orders of one run of the node, item by item in item order. */
export class OrderBook {
	/** Which execution of this process has used which automatic key, see `automaticKey`. */
	private static readonly users = new BoundedMap<string, string>(20_000);

	readonly facts: ExecutionFacts;
	readonly memory: OrderMemory;
	private readonly claimed = new Map<string, number>();
	/** See `findAmbiguous`. */
	private ambiguous: ReadonlySet<string | undefined> = new Set();

	constructor(private readonly context: IExecuteFunctions) {
		this.facts = executionFacts(context);
		// n8n offers the run index to expressions only.
		const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
		this.memory = new OrderMemory(
			context.getContext('flow'),
			context.getNode(),
			runIndex,
			this.facts,
			(stored) => chooseExecutionIdentity(stored, this.facts),
		);
	}

	/**
	 * Whether items of this run may have been sent before: by an earlier try of Retry On Fail, or by the
	 * execution that this one retries.
	 */
	get isRepetition(): boolean {
		return this.facts.mode === 'retry' || this.memory.isSameRunAgain;
	}

	/**
	 * Refuses all items of a run that share an own key. If one of them were sent, it would be sent again
	 * as soon as its key is corrected.
	 * @returns by item index, why it is not to be sent
	 */
	static sharedOwnKeys(
		requests: ReadonlyArray<Pick<OrderRequest, 'ownKey' | 'reference'> | undefined>,
	): Map<number, InputError> {
		const first = new Map<string, number>();
		const shared = new Map<number, InputError>();
		requests.forEach((request, index) => {
			if (request === undefined || request.ownKey === '' || request.reference) return;
			const other = first.get(request.ownKey);
			if (other === undefined) return first.set(request.ownKey, index);
			const error = shared.get(other) ?? sameKey(other, index);
			return shared.set(other, error).set(index, error);
		});
		return shared;
	}

	/** The order that an earlier attempt bound this item to, if there was one. */
	boundTo(itemIndex: number): OrderRecord | undefined {
		return this.facts.isAgentTool ? undefined : this.memory.boundTo(itemIndex);
	}

	/**
	 * Follows rows that have changed places since an earlier attempt: an item whose own place is bound to
	 * something else, or to nothing in a longer list, gets the order of the place that asked for the same,
	 * where that asks for something else now, or is gone from a shorter list. To be called for all items
	 * before the first is assigned.
	 */
	followRows(requests: ReadonlyArray<OrderRequest | undefined>): void {
		if (this.facts.isAgentTool || !this.isRepetition) return;
		const contents = requests.map((request) => request && this.contentOf(request));
		const before = new Map(
			this.memory.boundItems.flatMap((index) => {
				const record = this.boundTo(index);
				return record ? [[index, record] as const] : [];
			}),
		);
		this.ambiguous = findAmbiguous(contents, [...new Set(before.values())]);
		const left = new Map(before);
		const take = (index: number, from: number | undefined): boolean => {
			const record = from === undefined ? undefined : left.get(from);
			if (from === undefined || record === undefined) return false;
			left.delete(from);
			if (from !== index) this.memory.bind(index, record);
			return true;
		};
		const moved = [...contents.keys()].filter(
			(index) => before.get(index)?.content !== contents[index] || !take(index, index),
		);
		const homeless = moved.filter((index) => {
			const content = contents[index];
			return !take(index, [...left].find(([, record]) => record.content === content)?.[0]);
		});
		// What is left over goes to those that found nothing, place by place.
		for (const index of homeless) {
			if (!before.has(index)) continue;
			const [next] = left.has(index) ? [index] : left.keys();
			if (!take(index, next)) this.memory.unbind(index);
		}
	}

	/**
	 * The order of an item. To be called for all items in item order before the first one is sent.
	 * @throws InputError for an own key that is unusable, or that another place uses as well
	 */
	assign(itemIndex: number, given: OrderRequest): Order {
		const request = this.withoutForeignKey(given);
		const bound = this.boundTo(itemIndex);
		const content = this.contentOf(request);
		if (this.ambiguous.has(content)) {
			throw new InputError(
				'This list had more rows with this amount and PIX key, and it cannot be told which of them was removed or changed',
				'At least one of the equal rows was paid, and at least one may not have been. Restore the rows and retry. Or look up what was paid, and send only the rest in a new execution.',
				'unknown',
			);
		}
		if (bound !== undefined) {
			const isSame =
				bound.content === content ||
				bound.key === toReferenceKey(request, 0) ||
				this.isReferenceAdded(bound, request);
			// What surely had no effect may be replaced by what is asked for now.
			if (isSame || bound.doneAt !== undefined || bound.unclear !== undefined) {
				return this.open(request, bound, isSame ? 'bound' : 'changed');
			}
		}
		const order = this.assignNew(itemIndex, request);
		order.isCorrected = bound !== undefined;
		return order;
	}

	/**
	 * Whether the item asks for what it was bound to, and only its reference is new. It stays the order it
	 * was: another retry may have paid it under the key without the reference.
	 */
	private isReferenceAdded({ content }: OrderRecord, request: OrderRequest): boolean {
		const without = { ...request, reference: undefined };
		return request.reference !== undefined && content === this.contentOf(without);
	}

	/** Names what a request asks for. */
	contentOf({ operation, identity, reference, ownKey, isLive }: OrderRequest): string {
		const name = reference?.value ?? null;
		return fingerprint([operation, isLive, namedValues(identity), name, ownKey]);
	}

	/** A new order for an item whose earlier order, of another content, turned out to have had no effect. */
	assignNew(itemIndex: number, request: OrderRequest): Order {
		const key = this.getKey(itemIndex, request);
		const known = this.memory.find(key);
		const isSame = known?.content === this.contentOf(request) || getKind(request) === 'reference';
		const mayHaveActed = known?.doneAt !== undefined || known?.unclear !== undefined;
		// The row was corrected on its way back: what is asked for now is another order.
		if (known && !isSame && !mayHaveActed && getKind(request) === 'adopted') {
			return this.assignNew(itemIndex, { ...request, adopted: undefined });
		}
		const record =
			known && (isSame || mayHaveActed)
				? known
				: { ...this.newRecord(itemIndex, key, request), generation: unusedGeneration(known) };
		if (!this.facts.isAgentTool) this.memory.bind(itemIndex, record);
		if (record !== known) return this.open(request, record, 'new');
		return this.open(request, record, isSame ? 'bound' : 'changed');
	}

	/**
	 * The request without the key of an error that was left on the item and belongs to another payment.
	 * @throws InputError where that other payment is in doubt: the item may as well be its corrected row
	 */
	private withoutForeignKey(request: OrderRequest): OrderRequest {
		const { adopted } = request;
		if (adopted?.content === undefined || getKind(request) !== 'adopted') return request;
		const isKnown = this.memory.find(adopted.key) !== undefined;
		if (isKnown || adopted.content === this.contentOf(request)) return request;
		if (!adopted.isUnclear) return { ...request, adopted: undefined };
		throw new InputError(
			'This item carries the error of an attempt with other content, and it is not known whether that attempt took effect',
			'Look up whether it did. If this item is something else, remove its field "error".',
			'unknown',
		);
	}

	private open(request: OrderRequest, record: OrderRecord, place: Order['place']): Order {
		const { usedUpIn, unclear, doneAt } = record;
		const isUsedUp = usedUpIn !== undefined && usedUpIn !== this.facts.executionId;
		const isNext = isUsedUp && unclear === undefined && doneAt === undefined;
		const kind = getKind(request);
		// A reference that was filled in for a retry does not change the order that was sent before.
		const isOther = kind === 'reference' && record.key !== toReferenceKey(request, 0);
		const isReference = kind === 'reference' && !isOther;
		const order = new Order(
			isOther ? 'automatic' : kind,
			isOther ? undefined : request.reference,
			isReference && doneAt === undefined ? this.corrected(record, request) : record,
			this.memory,
			this.facts,
			request,
			place,
		);
		if (isNext && !order.hasOwnKey) order.useNextKey();
		return order;
	}

	/** The content of a row with a reference may be corrected: the ledger decides what follows. */
	private corrected(record: OrderRecord, request: OrderRequest): OrderRecord {
		const { cents, pixKey } = request.payout ?? {};
		const content = this.contentOf(request);
		const corrected = { ...record, content, ...omitUndefined({ cents, pixKey }) };
		this.memory.store(corrected);
		return corrected;
	}

	private getKey(itemIndex: number, request: OrderRequest): string {
		const { operation, identity, ownKey, adopted } = request;
		switch (getKind(request)) {
			case 'reference':
				return toReferenceKey(request, 0) ?? '';
			case 'ownKey':
				this.claim(checkOwnKey(ownKey), itemIndex, adopted);
				return ownKey;
			case 'adopted':
				this.claim(adopted?.key ?? '', itemIndex, adopted);
				return adopted?.key ?? '';
			case 'automatic':
				return this.automaticKey(itemIndex, operation, identity);
		}
	}

	/**
	 * The calls of an agent are not distinguished: one payment too many is the worst outcome, some
	 * versions of n8n count each try of Retry On Fail as a separate run, and a retried agent calls in
	 * another order.
	 */
	private automaticKey(itemIndex: number, operation: string, identity: Identity): string {
		const root = this.getRoot(itemIndex);
		const isOwnRoot = root !== this.memory.identity;
		const nth = this.facts.isAgentTool
			? 0
			: this.memory.countOne(
					fingerprint([operation, namedValues(identity), ...(isOwnRoot ? [root] : [])]),
				);
		const key = deriveKey({
			instanceId: this.context.getInstanceId(),
			workflowId: this.context.getWorkflow().id ?? '',
			root,
			operation,
			identity,
			nth,
		});
		const { establishedAt, token, delivery } = this.facts;
		// Executions that copies of one delivery have started share their keys on purpose.
		const isNamedByTime = establishedAt !== undefined && !token && delivery === undefined;
		if (isNamedByTime && !this.memory.find(key)) this.refuseIfUsed(key);
		return key;
	}

	/**
	 * Without a token, nothing tells two executions of one millisecond apart: the second would show what
	 * the first has paid as its own.
	 */
	private refuseIfUsed(key: string): void {
		const { executionId } = this.facts;
		const user = OrderBook.users.get(key) ?? executionId;
		OrderBook.users.set(key, user);
		if (user === executionId) return;
		throw new InputError(
			`Execution ${user} has asked for the same, and this n8n does not show whether this is the same execution or another one that began in the same millisecond`,
			`This item was not sent. Look at execution ${user}. If this is something else, run a new execution with only this item.`,
			'unknown',
		);
	}

	/** A poll may bring several events, and each is also known on its own when its webhook arrives. */
	private getRoot(itemIndex: number): string {
		const { delivery } = this.facts;
		if (delivery?.triggerOfSeveral === undefined) return this.memory.identity;
		const subject = subjectOfItem(this.context, delivery, itemIndex);
		return subject === delivery.subject ? this.memory.identity : identityOfDelivery(subject);
	}

	/**
	 * One key stands for one order: of two items that share it, the second would only get the result
	 * of the first, in the same run as well as in the next round of a loop.
	 */
	private claim(key: string, itemIndex: number, adopted: AdoptedKey | undefined): void {
		const other = this.claimed.get(key);
		if (other !== undefined && other !== itemIndex) throw sameKey(other, itemIndex);
		this.claimed.set(key, itemIndex);
		const record = this.memory.find(key);
		const isElsewhere =
			record?.place !== undefined && record.place !== this.memory.getPlace(itemIndex);
		const mayHaveActed = record?.unclear !== undefined || record?.doneAt !== undefined;
		const comesBack = adopted?.key === key;
		if (!isElsewhere || !mayHaveActed || comesBack || this.facts.isAgentTool) return;
		throw new InputError(
			'An earlier round of this execution used the same idempotency key, so this item would not take effect',
			DIFFERENT_KEYS,
		);
	}

	private newRecord(itemIndex: number, key: string, request: OrderRequest): OrderRecord {
		const { adopted, payout } = request;
		const isAdopted = adopted !== undefined && adopted.key === key;
		const isClaimed = getKind(request) === 'ownKey';
		return {
			key,
			content: this.contentOf(request),
			account: request.account,
			...(request.isLive ? { isLive: true } : {}),
			...(payout === undefined ? {} : { cents: payout.cents, pixKey: payout.pixKey }),
			...(isClaimed ? { place: this.memory.getPlace(itemIndex) } : {}),
			generation: 0,
			...(isAdopted ? { firstUsedAt: adopted.firstUsedAt, sent: true } : {}),
			...(isAdopted && adopted.firstUsedAt === undefined ? { birthUnknown: true } : {}),
			...(isAdopted && adopted.isUnclear ? { unclear: adopted.lastTriedAt } : {}),
		};
	}
}

/** Under keys that were used up, the service keeps responses to the earlier content. */
function unusedGeneration(known: OrderRecord | undefined): number {
	return known === undefined || known.generation === 0 ? 0 : known.generation + 1;
}

/**
 * Contents of which the list has fewer rows than before, and some of those were done and others not.
 * @param contents of the items
 * @param before the orders that the items had
 */
function findAmbiguous(
	contents: ReadonlyArray<string | undefined>,
	before: readonly OrderRecord[],
): ReadonlySet<string | undefined> {
	const rows = countBy(contents);
	const orders = countBy(before.map(({ content }) => content));
	const done = countBy(before.filter(({ doneAt }) => doneAt).map(({ content }) => content));
	const isAmbiguous = (content: string | undefined) => {
		const [left = 0, all = 0, paid = 0] = [rows, orders, done].map((count) => count.get(content));
		return left < all && paid > 0 && paid < all;
	};
	return new Set(contents.filter(isAmbiguous));
}

function countBy<T>(values: readonly T[]): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

const DIFFERENT_KEYS =
	'Use an expression that differs per item, such as an invoice number, or leave the key empty.';

function sameKey(one: number, other: number): InputError {
	return new InputError(
		`Rows ${one + 1} and ${other + 1} have the same idempotency key, so only one of them would take effect`,
		DIFFERENT_KEYS,
	);
}

/** The key of a generation of an order with a reference; undefined where the request has none. */
export function toReferenceKey(
	{ operation, isLive, reference }: Pick<OrderRequest, 'operation' | 'isLive' | 'reference'>,
	generation: number,
): string | undefined {
	return reference && deriveReferenceKey(operation, isLive, reference.value, generation);
}

function getKind({ reference, ownKey, adopted }: OrderRequest): OrderKind {
	if (reference !== undefined) return 'reference';
	if (ownKey !== '') return 'ownKey';
	return adopted === undefined ? 'automatic' : 'adopted';
}

/**
 * What an earlier attempt may have done to an item that now fails before it is sent.
 * @param record of the order that the item is bound to
 */
export function effectBefore(
	record: OrderRecord | undefined,
	{ mode }: Pick<ExecutionFacts, 'mode'>,
	{ isInherited }: Pick<OrderMemory, 'isInherited'>,
	now: number,
): 'none' | 'unknown' | 'done' {
	if (record?.doneAt !== undefined) return 'done';
	// Only a memory that is inherited knows every item that was sent.
	if (mode === 'retry' && !isInherited) return 'unknown';
	if (record === undefined) return 'none';
	const isForgotten = record.firstUsedAt !== undefined && !isKeyAlive(record.firstUsedAt, now);
	return record.unclear !== undefined || (isForgotten && mode === 'retry') ? 'unknown' : 'none';
}
