import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../retry/errors';
import { idOfAnswer } from '../validation/answerId';
import { InputError } from '../validation/inputError';
import { getBirth, type ExecutionFacts } from './identity/executionIdentity';
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

/**
 * One payout, charge, refund or product that is to come into being once, however often it is tried.
 * Its key is bound to it; the record that holds the key lives in the memory of the execution.
 */
export class Order {
	private isLookedUp = false;
	/** When this run of the node first sent it, epoch ms. */
	private sentInRunAt: number | undefined;
	/**
	 * Called for each generation under whose key the service keeps a refusal. `isLastWord`: no
	 * earlier response was lost, so nothing took effect under that key. Resolves to whether an
	 * earlier run knew it.
	 */
	onStoredRefusal: ((generation: number, isLastWord: boolean) => Promise<boolean>) | undefined;
	/** Called for each generation under whose key the service may keep a refusal. */
	onSuspectedRefusal: ((generation: number) => Promise<void>) | undefined;
	/** Called for each later key before it is used. If it fails, the key is not used. */
	onNextKey: ((generation: number) => Promise<void>) | undefined;

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
		return this.record.unclear === true;
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

	/**
	 * Whether it is to be known beyond this execution: by its reference, or by the delivery of which a
	 * late copy may start another execution.
	 */
	get isDurable(): boolean {
		const isOfDelivery = this.kind === 'automatic' && this.facts.delivery !== undefined;
		return this.kind === 'reference' || isOfDelivery;
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
		this.checkSleep(now);
		// What was sent and had no effect may be sent again at any later time.
		const isHarmless = this.wasSent && !this.isUnclear && !this.isDone;
		if (isHarmless && !this.isAlive(now)) record.firstUsedAt = undefined;
		checkKeyLifetime(record.firstUsedAt, this.facts, now, {
			isAllowed: this.settings.allowLate || this.hasKnownHistory,
			isLookedUp: this.isLookedUp || isHarmless,
		});
		if (record.birthUnknown !== true) record.firstUsedAt ??= this.earliestUse(now);
		record.sent = true;
		record.sentWith = this.settings.account === record.account ? undefined : this.settings.account;
		this.sentInRunAt ??= now;
		this.remember();
	}

	/** Another execution may have sent it, at an unknown time. */
	noteInDoubt(): void {
		this.record.firstUsedAt = undefined;
		this.record.birthUnknown = true;
		this.record.unclear = true;
		this.remember();
	}

	/**
	 * Moves on to the next key. Resolves when that is remembered; nothing may be sent under it before.
	 * @throws what `onNextKey` throws: the key stays
	 */
	async useNextKey(): Promise<void> {
		const next = this.generation + 1;
		await this.onNextKey?.(next);
		this.skipTo(next);
	}

	/** Skips the keys before that of a generation that another run has moved on to. */
	skipTo(generation: number): void {
		this.record.generation = generation;
		this.remember();
	}

	/**
	 * The service keeps a refusal under the key. Resolves when that is remembered; only then may the next
	 * key be used.
	 * @param isLastWord no response under this key was lost, so nothing took effect under it
	 * @returns whether an earlier run knew that
	 */
	async noteStoredRefusal(isLastWord: boolean): Promise<boolean> {
		if (this.isDone) return false;
		const wasKnown = this.record.refused === this.generation;
		if (isLastWord) {
			this.record.unclear = undefined;
			this.record.refused = this.generation;
			this.remember();
		}
		const isKnown = await this.onStoredRefusal?.(this.generation, isLastWord);
		return isKnown ?? wasKnown;
	}

	/** The service may keep a refusal under the key. Resolves when that is remembered. */
	async noteSuspectedRefusal(): Promise<void> {
		if (!this.isDone) await this.onSuspectedRefusal?.(this.generation);
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
			record.doneAt = now;
			const id = idOfAnswer(body);
			if (id !== undefined) record.doneId = id;
		}
		if (this.facts.isAgentTool) record.agentKnows = true;
		this.remember();
	}

	/** Remembers what an unsuccessful attempt showed about the effect of the order. */
	noteEffect(effect: Effect): void {
		// A refusal after a lost response says nothing about the attempt whose response was lost.
		if (effect !== 'unknown' || this.isDone) return;
		this.record.unclear = true;
		this.remember();
	}

	/** The bank refused what the service had accepted: nothing was paid. */
	noteRefusedByBank(): void {
		this.record.bankRefused = true;
		this.remember();
	}

	/** Keeps what the first response showed and no later one will. */
	noteAnswer(answer: IDataObject): void {
		this.record.answer = answer;
		this.remember();
	}

	/** The journal knows what happened before, so nothing has to be refused for its age. */
	private get hasKnownHistory(): boolean {
		return this.kind === 'reference';
	}

	/**
	 * The computer may have slept while a response was on its way. This run looked the reference up
	 * before it sent it, so only another run can look it up again.
	 * @throws InputError where the key has expired since this run sent it
	 */
	private checkSleep(now: number): void {
		const { sentInRunAt } = this;
		if (!this.hasKnownHistory || !this.isUnclear || sentInRunAt === undefined) return;
		if (isKeyAlive(sentInRunAt, now)) return;
		throw new InputError(
			`This was sent on ${new Date(sentInRunAt).toISOString()}, no response arrived, and the server recognizes a repetition for 24 hours only`,
			'Nothing more was sent. Run the workflow again: the reference is looked up first.',
			'unknown',
		);
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
