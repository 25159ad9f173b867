import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../retry/errors';
import type { Outcome } from '../transport/outcome';
import { idOfAnswer } from '../validation/answerId';
import { getBirth, type ExecutionFacts } from './executionIdentity';
import { keyOfGeneration } from './key';
import { checkKeyLifetime, isKeyAlive, keyExpiresAt } from './keyExpiry';
import type { OrderMemory, OrderRecord } from './orderMemory';
import type { Reference } from './reference';

/** Where the key of an order comes from; the first that applies. */
export type OrderKind = 'reference' | 'ownKey' | 'adopted' | 'automatic';

/** What the user decided about one order. */
export interface OrderSettings {
	/** The user allows sending after the key's 24 hours. */
	readonly allowLate: boolean;
	/** Names the API key in use, see `toAccount`. */
	readonly account: string;
}

/** What the client asks and tells the order whose key it sends. Times in epoch ms. */
export interface KeyedOrder {
	readonly key: string;
	/** Whether an attempt under the key may have taken effect, and it is not known whether it did. */
	readonly isUnclear: boolean;
	/** Whether an attempt has surely taken effect. */
	readonly isDone: boolean;
	/** The user chose the key, so only the user may choose another one. */
	readonly hasOwnKey: boolean;
	readonly firstUsedAt: number | undefined;
	/** Undefined where the first use of the key is not known. */
	readonly retrySafeUntil: number | undefined;
	readonly reference: Reference | undefined;
	/** Immediately before each attempt. Nothing is sent if it throws or rejects. */
	beforeAttempt(now: number): void | Promise<void>;
	/** @param body of the response */
	noteSuccess(now: number, body: unknown): void;
	noteOutcome(outcome: Outcome, effect: Effect, now: number): void;
	/** The service keeps a failure under the key, and nothing took effect under it. */
	useNextKey(): void;
	/** The same, where the next key is not for this run of the node. */
	noteUsedUp(): void;
}

/**
 * One payout, charge, refund or product that is to come into being once, however often it is tried.
 * Its key is bound to it; the record that holds the key lives in the memory of the execution.
 */
export class Order implements KeyedOrder {
	private isLookedUp = false;
	/** When this run of the node first sent it, epoch ms. */
	private sentInRunAt: number | undefined;
	/** Its place asked for something else in an earlier attempt, which had no effect that is known here. */
	isCorrected = false;

	constructor(
		readonly kind: OrderKind,
		readonly reference: Reference | undefined,
		readonly record: OrderRecord,
		private readonly memory: OrderMemory,
		private readonly facts: ExecutionFacts,
		private readonly settings: OrderSettings,
		/**
		 * `changed`: the place of this item is bound to this order, but the item asks for something
		 * else now. `bound`: the place is bound to it. `new`: nothing of this execution asked for it
		 * before.
		 */
		readonly place: 'new' | 'bound' | 'changed',
	) {}

	/** The key of the current generation. */
	get key(): string {
		return keyOfGeneration(this.record.key, this.record.generation);
	}

	get generation(): number {
		return this.record.generation;
	}

	/** Whether an attempt before the current one may have taken effect. */
	get isUnclear(): boolean {
		return this.record.unclear !== undefined;
	}

	/** When the last attempt ended that may have taken effect without showing it, epoch ms. */
	get lastTriedAt(): number | undefined {
		return this.record.unclear;
	}

	/** Whether an attempt has surely taken effect. */
	get isDone(): boolean {
		return this.record.doneAt !== undefined;
	}

	/** The ID of what came into being. */
	get doneId(): string | undefined {
		return this.record.doneId;
	}

	/** Whether an earlier attempt of this execution sent it. */
	get wasSent(): boolean {
		return this.record.sent === true;
	}

	get hasOwnKey(): boolean {
		return this.kind === 'ownKey';
	}

	/** When the first key was first sent, epoch ms. */
	get firstUsedAt(): number | undefined {
		return this.record.firstUsedAt;
	}

	/** When this run of the node first sent it, epoch ms; undefined until it has. */
	get firstSentInRunAt(): number | undefined {
		return this.sentInRunAt;
	}

	/**
	 * Until when a retry is surely recognized as one, epoch ms. Undefined where the first use of the
	 * key is not known: another execution may have used a key of the user's own before.
	 */
	get retrySafeUntil(): number | undefined {
		const { firstUsedAt } = this.record;
		if (firstUsedAt === undefined || this.kind === 'ownKey') return undefined;
		return keyExpiresAt(firstUsedAt);
	}

	/** Whether the server surely recognizes a repetition under the key. */
	isAlive(now: number): boolean {
		const { firstUsedAt } = this.record;
		return firstUsedAt !== undefined && isKeyAlive(firstUsedAt, now);
	}

	/** To be called when nothing of an earlier attempt was found: the key starts over. */
	noteLookedUp(): void {
		this.isLookedUp = true;
		if (this.isDone) return;
		this.record.unclear = undefined;
		this.record.firstUsedAt = undefined;
		this.record.birthUnknown = undefined;
		this.remember();
	}

	/**
	 * To be called before each attempt: remembers the first use, refuses a use after the key's life.
	 * @throws InputError see `checkKeyLifetime`
	 */
	beforeAttempt(now: number): void {
		const { record } = this;
		// What was sent and had no effect may be sent again at any later time.
		const isHarmless = this.wasSent && !this.isUnclear && !this.isDone;
		if (isHarmless && !this.isAlive(now)) record.firstUsedAt = undefined;
		if (!this.settings.allowLate && !this.isLookedUp && !isHarmless) {
			checkKeyLifetime(record.firstUsedAt, this.facts, now);
		}
		if (record.birthUnknown !== true) record.firstUsedAt ??= this.earliestUse(now);
		record.sent = true;
		record.sentWith = this.settings.account === record.account ? undefined : this.settings.account;
		// The first attempt may have taken effect, and a refusal of this one would not show it.
		if (this.isUntraced && !this.isDone) record.unclear ??= now;
		this.sentInRunAt ??= now;
		this.remember();
	}

	/** It is sent under a key that others decide about. */
	noteSent(now: number): void {
		this.record.firstUsedAt ??= now;
		this.record.sent = true;
		this.remember();
	}

	/** The service keeps a failure under the key, and nothing took effect under it. */
	useNextKey(): void {
		this.record.generation += 1;
		this.record.usedUpIn = undefined;
		this.remember();
	}

	/**
	 * The service refused it for good under this key. The next key is for a retry of this execution,
	 * which begins with what this one saves: if n8n is killed before that, the retry begins with this
	 * key, and nothing may have been paid under a later one.
	 */
	noteUsedUp(): void {
		if (this.isDone) return;
		this.record.usedUpIn = this.facts.executionId;
		this.record.unclear = undefined;
		this.remember();
	}

	/**
	 * Remembers that it took effect: a repetition that is refused does not undo it.
	 * @param body of the response
	 */
	noteSuccess(now: number, body: unknown): void {
		const { record } = this;
		record.sent = true;
		record.unclear = undefined;
		if (!this.isDone) {
			const id = idOfAnswer(body);
			// One withdrawal belongs to one order: this is another one's, and says nothing about this one.
			if (id !== undefined && this.memory.doneIds.has(id)) {
				record.unclear = now;
				return this.remember();
			}
			record.doneAt = now;
			if (id !== undefined) record.doneId = id;
		}
		if (this.facts.isAgentTool) record.agentKnows = true;
		this.remember();
	}

	/** Remembers what an unsuccessful attempt showed about the effect of the order. */
	noteOutcome(_outcome: Outcome, effect: Effect, now: number): void {
		// A refusal after a lost response says nothing about the attempt whose response was lost.
		if (effect !== 'unknown' || this.isDone) return;
		this.record.unclear = now;
		this.record.usedUpIn = undefined;
		this.remember();
	}

	/** What the service named for it was named for another order before: nobody knows which one it is. */
	noteDisputed(now: number): void {
		delete this.record.doneAt;
		delete this.record.doneId;
		this.record.unclear = now;
		this.remember();
	}

	/** Keeps what the first response showed and no later one will. */
	noteAnswer(answer: IDataObject): void {
		this.record.answer = answer;
		this.remember();
	}

	/** Whether this is a retry that knows nothing of the first attempt, as after kill -9. */
	private get isUntraced(): boolean {
		return this.facts.mode === 'retry' && !this.memory.isInherited && !this.isLookedUp;
	}

	/** A retry after kill -9 has no record: its first attempt may have used the key from the beginning on. */
	private earliestUse(now: number): number {
		const { facts } = this;
		const isUntraced = facts.mode === 'retry' && !this.wasSent && !this.isLookedUp;
		return isUntraced ? Math.min(now, getBirth(facts) ?? now) : now;
	}

	private remember(): void {
		this.memory.store(this.record);
	}
}
