import type { IExecuteFunctions } from 'n8n-workflow';
import { BoundedMap } from '../concurrency/boundedMap';
import { omitUndefined } from '../text/omitUndefined';
import { cleanName } from '../validation/cleanText';
import { InputError } from '../validation/inputError';
import {
	chooseExecutionIdentity,
	executionFacts,
	identityOfDelivery,
	type ExecutionFacts,
	subjectOfItem,
} from './executionIdentity';
import {
	checkOwnKey,
	deriveKey,
	deriveReferenceKey,
	fingerprint,
	firstReferenceKey,
	namedValues,
	type Identity,
} from './key';
import { matchRows } from './matchRows';
import {
	mayHaveActed,
	Order,
	type OrderKind,
	type OrderRecord,
	type OrderSettings,
	type PaidContent,
	type RowChange,
} from './order';
import { OrderMemory } from './orderMemory';
import type { Reference } from './reference';

/** The key of an item that failed before and comes back, with when it was first sent (epoch ms). */
export interface AdoptedKey {
	readonly key: string;
	/** Undefined if unknown. */
	readonly firstUsedAt: number | undefined;
	/** Names what was asked for then, see `OrderBook.contentOf`; undefined if the error does not say. */
	readonly content: string | undefined;
	/** Under which reference it was sent; undefined if without one. */
	readonly reference?: string | undefined;
	/** Whether that attempt may have taken effect. */
	readonly isUnclear: boolean;
	/** When its last attempt ended, epoch ms; now if the error does not say. */
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
	readonly payout?: PaidContent | undefined;
	/** Public part of the API key. */
	readonly keyPrefix: string;
	readonly isLive: boolean;
}

/** Assigns the orders of one run of the node, item by item in item order. */
export class OrderBook {
	/** Which execution of this process has used which automatic key, see `refuseIfUsed`. */
	private static readonly users = new BoundedMap<string, string>(20_000);

	readonly facts: ExecutionFacts;
	readonly memory: OrderMemory;
	/**
	 * Whether items of this run may have been sent before: by an earlier try of Retry On Fail, or by the
	 * execution that this one retries.
	 */
	readonly isRepetition: boolean;
	private ambiguous: ReadonlySet<string> = new Set();

	constructor(private readonly context: IExecuteFunctions) {
		this.facts = executionFacts(context);
		this.memory = new OrderMemory(
			context.getContext('flow'),
			context.getNode(),
			this.facts.run,
			this.facts,
			(stored) => chooseExecutionIdentity(stored, this.facts),
		);
		this.isRepetition = this.facts.mode === 'retry' || this.memory.boundItems.size > 0;
	}

	/**
	 * To be called with all items of the run before the first is assigned. Follows rows that have changed
	 * places. Refuses all items that share an own or adopted key: if one of them were sent, it would be sent
	 * again as soon as its key is corrected.
	 * @returns by item index, why it is not to be sent
	 */
	begin(requests: ReadonlyArray<OrderRequest | undefined>): Map<number, InputError> {
		if (this.isRepetition && !this.facts.isAgentTool) this.followRows(requests);
		const first = new Map<string, number>();
		const shared = new Map<number, InputError>();
		requests.forEach((request, index) => {
			if (request === undefined || request.reference || this.isOfOtherContent(request)) return;
			const key = request.ownKey || request.adopted?.key;
			if (key === undefined) return;
			const other = first.get(key);
			if (other === undefined) return first.set(key, index);
			const error = shared.get(other) ?? sharedKey(other, index);
			return shared.set(other, error).set(index, error);
		});
		return shared;
	}

	private followRows(requests: ReadonlyArray<OrderRequest | undefined>): void {
		const before = this.memory.boundItems;
		const contents = requests.map((request) => request && this.contentOf(request));
		const { orders, ambiguous } = matchRows(contents, before);
		this.ambiguous = ambiguous;
		for (const index of contents.keys()) {
			if (orders.get(index) !== before.get(index)) this.memory.bind(index, orders.get(index));
		}
	}

	/**
	 * The order of an item. To be called for all items in item order before the first one is sent.
	 * @throws InputError for an own key that is unusable, and if nothing shows which order it is
	 */
	assign(itemIndex: number, given: OrderRequest): Order {
		if (isUnderOtherName(given)) throw OTHER_NAME;
		const isForeign = this.isOfOtherContent(given);
		// The item may as well be the corrected row of that other payment.
		if (isForeign && given.adopted?.isUnclear) throw FOREIGN_KEY;
		const request = isForeign ? { ...given, adopted: undefined } : given;
		const bound = this.boundTo(itemIndex);
		const content = this.contentOf(request);
		if (this.ambiguous.has(content)) throw AMBIGUOUS;
		if (bound === undefined) return this.assignNew(itemIndex, request);
		const isSame =
			bound.content === content ||
			bound.key === firstReferenceKey(request) ||
			// Another retry may have paid it under the key without the reference.
			bound.content === this.contentOf({ ...request, reference: undefined });
		if (isSame) return this.open(request, bound, 'none');
		return mayHaveActed(bound)
			? this.open(request, bound, 'changed')
			: this.assignNew(itemIndex, request, 'corrected');
	}

	/** A new order for an item that is bound to none, or whose earlier order had no effect. */
	assignNew(itemIndex: number, request: OrderRequest, change: RowChange = 'none'): Order {
		const kind = getKind(request);
		const key = this.getKey(itemIndex, request);
		const known = this.memory.find(key);
		const isSame = known?.content === this.contentOf(request) || kind === 'reference';
		const isOther = known !== undefined && !isSame;
		// The row was corrected on its way back: what is asked for now is another order.
		if (isOther && !mayHaveActed(known) && kind === 'adopted') {
			return this.assignNew(itemIndex, { ...request, adopted: undefined }, change);
		}
		const record = isOther && !mayHaveActed(known) ? undefined : known;
		const bound = record ?? this.newRecord(key, request);
		if (!this.facts.isAgentTool) this.memory.bind(itemIndex, bound);
		return this.open(request, bound, record && isOther ? 'changed' : change);
	}

	contentOf({ operation, identity, reference, ownKey, isLive }: OrderRequest): string {
		const name = reference?.value ?? null;
		return fingerprint([operation, isLive, namedValues(identity), name, ownKey]);
	}

	/** What an earlier attempt may have done to an item that now fails before it is sent. */
	effectBefore(itemIndex: number): {
		readonly effect: 'none' | 'unknown' | 'done';
		readonly doneId?: string | undefined;
	} {
		const record = this.boundTo(itemIndex);
		if (record?.state === 'done') return { effect: 'done', doneId: record.doneId };
		return { effect: this.mayHaveUnknownEffect(record) ? 'unknown' : 'none' };
	}

	/** Whether an attempt that nothing is known of here may have taken effect. */
	mayHaveUnknownEffect(record: OrderRecord | undefined): boolean {
		if (!this.memory.isComplete || record?.state === 'unclear') return true;
		// Another retry may have sent again what was refused.
		return this.facts.mode === 'retry' && record?.state === 'sent';
	}

	private boundTo(itemIndex: number): OrderRecord | undefined {
		return this.facts.isAgentTool ? undefined : this.memory.boundTo(itemIndex);
	}

	/** Whether the error that was left on the item belongs to another payment. */
	private isOfOtherContent(request: OrderRequest): boolean {
		const { adopted } = request;
		if (adopted?.content === undefined || getKind(request) !== 'adopted') return false;
		const isKnown = this.memory.find(adopted.key) !== undefined;
		return !isKnown && adopted.content !== this.contentOf(request);
	}

	private open(request: OrderRequest, record: OrderRecord, change: RowChange): Order {
		const kind = getKind(request);
		// A reference that was filled in for a retry does not change the order that was sent before.
		const isAdded = kind === 'reference' && record.key !== firstReferenceKey(request);
		const isReference = kind === 'reference' && !isAdded;
		const order = new Order(
			isAdded ? 'automatic' : kind,
			isAdded ? undefined : request.reference,
			isReference && record.state !== 'done' ? this.corrected(record, request) : record,
			this.memory,
			this.facts,
			request,
			change,
		);
		const { usedUpIn } = record;
		const isUsedUp = usedUpIn !== undefined && usedUpIn !== this.facts.executionId;
		if (isUsedUp && !mayHaveActed(record) && !order.hasOwnKey) order.useNextKey();
		return order;
	}

	/** The content of a row with a reference may be corrected: the ledger decides what follows. */
	private corrected(record: OrderRecord, request: OrderRequest): OrderRecord {
		const content = this.contentOf(request);
		const corrected = { ...record, content, ...omitUndefined({ ...request.payout }) };
		this.memory.store(corrected);
		return corrected;
	}

	private getKey(itemIndex: number, request: OrderRequest): string {
		const { operation, isLive, reference, ownKey, adopted } = request;
		if (reference !== undefined) return deriveReferenceKey(operation, isLive, reference.value, 0);
		if (ownKey !== '') {
			if (adopted?.key !== ownKey && !this.facts.isAgentTool) this.refuseInLoop(ownKey);
			return checkOwnKey(ownKey);
		}
		return adopted?.key ?? this.automaticKey(itemIndex, request);
	}

	/**
	 * The calls of an agent are not distinguished: one payment too many is the worst outcome, some
	 * versions of n8n count each try of Retry On Fail as a separate run, and a retried agent calls in
	 * another order.
	 */
	private automaticKey(itemIndex: number, { operation, identity }: OrderRequest): string {
		const { context, memory } = this;
		const { establishedAt, token, delivery, isAgentTool } = this.facts;
		// A poll may bring several events, and each is also known on its own when its webhook arrives.
		const root =
			delivery?.triggerOfSeveral === undefined
				? memory.identity
				: identityOfDelivery(subjectOfItem(context, delivery, itemIndex));
		const same = fingerprint([root, operation, namedValues(identity)]);
		const key = deriveKey({
			instanceId: context.getInstanceId(),
			workflowId: context.getWorkflow().id ?? '',
			root,
			operation,
			identity,
			nth: isAgentTool ? 0 : memory.countOne(same),
		});
		// Executions that copies of one delivery have started share their keys on purpose.
		const isNamedByTime = establishedAt !== undefined && !token && delivery === undefined;
		if (isNamedByTime && !memory.find(key)) this.refuseIfUsed(key);
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

	/** One key stands for one order: in the next round of a loop, it would get the result of the first. */
	private refuseInLoop(ownKey: string): void {
		const known = this.memory.find(ownKey);
		if (known === undefined || !mayHaveActed(known)) return;
		throw new InputError(
			'An earlier round of this execution used the same idempotency key, so this item would not take effect',
			DIFFERENT_KEYS,
		);
	}

	private newRecord(key: string, request: OrderRequest): OrderRecord {
		const adopted = request.adopted?.key === key ? request.adopted : undefined;
		// In a retry without memory, an earlier attempt may have paid: `sent` would claim that none did.
		const isSent = adopted !== undefined && this.memory.isComplete;
		return {
			key,
			content: this.contentOf(request),
			keyId: request.keyId,
			...(request.isLive ? { isLive: true } : {}),
			...request.payout,
			state: adopted?.isUnclear ? 'unclear' : isSent ? 'sent' : 'new',
			generation: 0,
			...(adopted ? { firstUsedAt: adopted.firstUsedAt } : {}),
			...(adopted?.isUnclear ? { lastTriedAt: adopted.lastTriedAt } : {}),
		};
	}
}

function getKind({ reference, ownKey, adopted }: OrderRequest): OrderKind {
	if (reference !== undefined) return 'reference';
	if (ownKey !== '') return 'ownKey';
	return adopted === undefined ? 'automatic' : 'adopted';
}

const DIFFERENT_KEYS =
	'Use an expression that differs per item, such as an invoice number, or leave the key empty.';

function sharedKey(one: number, other: number): InputError {
	return new InputError(
		`Rows ${one + 1} and ${other + 1} have the same idempotency key, so only one of them would take effect`,
		DIFFERENT_KEYS,
	);
}

const AMBIGUOUS = new InputError(
	'This list had more rows with this amount and PIX key, and nothing shows which of them was removed or changed',
	'At least one of the equal rows was paid, and at least one may not have been. Restore the rows and retry. Or look up what was paid, and send only the rest in a new execution.',
	'unknown',
);

/** An attempt without this reference is under another key: under the reference it would be made again. */
function isUnderOtherName({ reference, adopted }: OrderRequest): boolean {
	if (reference === undefined || adopted?.isUnclear !== true) return false;
	return cleanName(adopted.reference ?? '') !== reference.value;
}

const OTHER_NAME = new InputError(
	'This item carries the error of an attempt without this reference or External ID, and it is not known whether that attempt took effect',
	'Look up whether it did. If it did not, remove its field "error".',
	'unknown',
);

const FOREIGN_KEY = new InputError(
	'This item carries the error of an attempt with other content, and it is not known whether that attempt took effect',
	'Look up whether it did. If this item is something else, remove its field "error".',
	'unknown',
);
