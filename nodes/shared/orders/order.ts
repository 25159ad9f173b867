import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../retry/errors';
import { omitUndefined } from '../text/omitUndefined';
import type { Outcome } from '../transport/outcome';
import { idOfAnswer } from '../validation/uuid';
import { InputError } from '../validation/inputError';
import { toBrasiliaTime } from '../text/time';
import type { PixKey } from '../validation/pixKey';
import { getBirth, type ExecutionFacts } from './executionIdentity';
import { isKeyAlive, KEY_LIFE_MS, keyOfGeneration } from './key';
import type { Reference } from './reference';

/** Where the key of an order comes from; the first that applies. */
export type OrderKind = 'reference' | 'ownKey' | 'adopted' | 'automatic';

/**
 * What an execution knows of an order without a reference. (Those with one are in `protocol.ts`.)
 *
 * | state     | what happened                                  | what leads to another state                     |
 * | --------- | ---------------------------------------------- | ----------------------------------------------- |
 * | `new`     | it was not sent                                | first attempt: `sent`, or `unclear` in a retry  |
 * |           |                                                | that does not know what was sent before         |
 * | `sent`    | no attempt had an effect                       | no answer: `unclear`; success: `done`           |
 * | `unclear` | an attempt may have had one                    | success: `done`; a complete list without it, or |
 * |           |                                                | a refusal that the service keeps: `sent`        |
 * | `done`    | the service named what came into being         | it names that for another order too: `unclear`  |
 *
 * In `new`, `sent` and `unclear` it is sent under the same key, and in `done` never again. A refusal that
 * the service keeps ends the key: the next execution, which is a retry, takes the next one. While the key
 * lives, `unclear` needs no more than that. When it is dead, a payout waits for a list, and everything
 * else is refused.
 */
export type OrderState = 'new' | 'sent' | 'unclear' | 'done';

/** What a payout pays, and to whom. */
export interface PaidContent {
	/** Centavos that leave the account. */
	readonly cents: number;
	readonly pixKey: PixKey;
}

/** What the execution remembers of one order. Short: one is stored for each item. Times in epoch ms. */
export interface OrderRecord {
	/** The key of generation 0. Bound once; nothing recomputes it. */
	readonly key: string;
	/** Fingerprint of what was asked for, by which a changed request is recognized. */
	readonly content: string;
	/** Names the API key of the last attempt, or of the first one to come, see `toKeyId`. */
	keyId: string;
	/** A live key; absent for a test key. */
	readonly isLive?: true;
	/** Centavos that leave the account, and where they go; absent for what is no payout. */
	readonly cents?: number;
	readonly pixKey?: PixKey;
	state: OrderState;
	/** Keys used up so far. */
	generation: number;
	/** The execution in which the service kept a refusal under the current key. */
	usedUpIn?: string | undefined;
	/** When the first key was first sent; absent until then, and if unknown. */
	firstUsedAt?: number | undefined;
	/** When the last attempt ended that may have had an effect; for `unclear`. */
	lastTriedAt?: number | undefined;
	/** The ID of what came into being. */
	doneId?: string | undefined;
	/** What the first response showed and no later one will. */
	answer?: IDataObject;
}

/** Whether an attempt took effect, or may have. */
export function mayHaveActed({ state }: Pick<OrderRecord, 'state'>): boolean {
	return state === 'unclear' || state === 'done';
}

export interface OrderSettings {
	/** The user allows sending after the key's 24 hours. */
	readonly allowLate: boolean;
	/** Names the API key in use, see `toKeyId`. */
	readonly keyId: string;
}

/**
 * How an item differs from what its row asked for in an earlier attempt:
 * - `changed`: that may have taken effect, so the item still stands for that order
 * - `corrected`: as far as is known here, that had no effect, so the item is an order of its own
 */
export type RowChange = 'none' | 'changed' | 'corrected';

interface Records {
	store(record: OrderRecord): void;
	readonly doneIds: ReadonlySet<string>;
	readonly isComplete: boolean;
}

/** What the client asks and tells the order whose key it sends. Times in epoch ms. */
export interface KeyedOrder {
	readonly key: string;
	/** Whether an attempt under the key may have taken effect, and it is not known whether it did. */
	readonly isUnclear: boolean;
	/** Whether an attempt has certainly taken effect. */
	readonly isDone: boolean;
	/** The user chose the key, so only the user may choose another one. */
	readonly hasOwnKey: boolean;
	/** Whether the client may go on under the next key. If not, the protocol of references decides. */
	readonly hasNextKey: boolean;
	readonly firstUsedAt: number | undefined;
	/** Undefined if the first use of the key is not known. */
	readonly retrySafeUntil: number | undefined;
	readonly reference: Reference | undefined;
	/** Immediately before each attempt. Nothing is sent if it throws or rejects. */
	beforeAttempt(now: number): void | Promise<void>;
	/** @param body of the response */
	recordSuccess(now: number, body: unknown): void;
	recordOutcome(outcome: Outcome, effect: Effect, now: number): void;
	/** The service keeps a failure under the key, and nothing took effect under it. */
	useNextKey(): void;
	/** The same if the next key is not for this run of the node. */
	recordUsedUp(): void;
}

/**
 * One payout, charge, refund or product that is to come into being once, however often it is tried.
 * Its key is bound to it; the record that holds the key lives in the memory of the execution.
 */
export class Order implements KeyedOrder {
	/** When this run of the node first sent it, epoch ms. */
	firstSentInRunAt: number | undefined;
	readonly hasNextKey = true;

	constructor(
		readonly kind: OrderKind,
		readonly reference: Reference | undefined,
		readonly record: OrderRecord,
		private readonly records: Records,
		private readonly facts: ExecutionFacts,
		private readonly settings: OrderSettings,
		readonly change: RowChange,
	) {}

	/** The key of the current generation. */
	get key(): string {
		return keyOfGeneration(this.record.key, this.record.generation);
	}

	get isUnclear(): boolean {
		return this.record.state === 'unclear';
	}

	get isDone(): boolean {
		return this.record.state === 'done';
	}

	get doneId(): string | undefined {
		return this.record.doneId;
	}

	get hasOwnKey(): boolean {
		return this.kind === 'ownKey';
	}

	get firstUsedAt(): number | undefined {
		return this.record.firstUsedAt;
	}

	/** Another execution may have used a key of the user's own before. */
	get retrySafeUntil(): number | undefined {
		const { firstUsedAt } = this.record;
		return firstUsedAt === undefined || this.hasOwnKey ? undefined : firstUsedAt + KEY_LIFE_MS;
	}

	/** A list has shown that no attempt had an effect: the key starts over. */
	recordAbsent(): void {
		if (this.isDone) return;
		this.record.firstUsedAt = undefined;
		this.become('sent');
	}

	/**
	 * Remembers the first use, and refuses a use after the key's life: to the service, that would be a new
	 * order.
	 * @throws InputError with what to look up before it is done again
	 */
	beforeAttempt(now: number): void {
		const { record, settings, records } = this;
		// Nothing took effect under the key, which has expired: its 24 hours begin again, or the item would be
		// refused for good.
		if (record.state === 'sent' && !isKeyAlive(record.firstUsedAt, now)) {
			record.firstUsedAt = undefined;
		}
		const usedAt = this.earliestUse(now);
		if (!settings.allowLate && !isKeyAlive(usedAt, now)) {
			throw tooOld(record, usedAt, this.facts.mode);
		}
		if (!this.isUnclear) record.firstUsedAt ??= Math.min(now, usedAt ?? now);
		record.keyId = settings.keyId;
		this.firstSentInRunAt ??= now;
		// After a crash, the first attempt may have taken effect, and a refusal of this one would not show it.
		if (record.state === 'new') this.become(records.isComplete ? 'sent' : 'unclear', now);
		else records.store(record);
	}

	/** It is sent under a key that the protocol of references decides about. */
	recordSent(now: number): void {
		this.record.firstUsedAt ??= now;
		this.firstSentInRunAt ??= now;
		if (this.record.state === 'new') this.become('sent');
	}

	useNextKey(): void {
		this.record.generation += 1;
		this.record.usedUpIn = undefined;
		this.records.store(this.record);
	}

	/**
	 * The next key is for a retry of this execution, which begins with what this one saves. If n8n is killed
	 * before that, the retry begins with this key, and nothing may have been paid under a later one.
	 */
	recordUsedUp(): void {
		if (this.isDone) return;
		this.record.usedUpIn = this.facts.executionId;
		this.become('sent');
	}

	/** A repetition that is refused does not undo it. @param body of the response */
	recordSuccess(now: number, body: unknown): void {
		const { record, records } = this;
		if (!this.isDone) {
			const id = idOfAnswer(body);
			// One withdrawal belongs to one order: this is another one's, and says nothing about this one.
			if (id !== undefined && records.doneIds.has(id)) return this.become('unclear', now);
			record.doneId = id;
		}
		this.become('done');
	}

	/** A refusal after a lost response says nothing about the attempt whose response was lost. */
	recordOutcome(_outcome: Outcome, effect: Effect, now: number): void {
		if (effect !== 'unknown' || this.isDone) return;
		this.record.usedUpIn = undefined;
		this.become('unclear', now);
	}

	/** It was paid before this execution, whose sums it does not count in. @param doneId of what was paid */
	recordPaidBefore(doneId: string): void {
		const record = omitUndefined({ ...this.record, cents: undefined });
		this.records.store({ ...record, state: 'done', doneId });
	}

	/** What the service named for it was named for another order before: nobody knows which one it is. */
	recordDisputed(now: number): void {
		this.record.doneId = undefined;
		this.become('unclear', now);
	}

	/** Keeps what the first response showed and no later one will. */
	recordAnswer(answer: IDataObject): void {
		this.record.answer = answer;
		this.records.store(this.record);
	}

	/** When the key may first have been used, epoch ms; undefined if nobody knows. */
	private earliestUse(now: number): number | undefined {
		const { state, firstUsedAt, isLive } = this.record;
		if (firstUsedAt !== undefined || state === 'unclear') return firstUsedAt;
		if (state !== 'new') return now;
		const { mode, delivery } = this.facts;
		// The execution was killed, or another retry of it has sent this.
		if (mode === 'retry') return getBirth(this.facts);
		// n8n's Debug in Editor runs an old event again: the execution that it started then may have sent this.
		return mode === 'manual' && isLive ? (delivery?.receivedAt ?? now) : now;
	}

	private become(state: OrderState, now?: number): void {
		this.record.state = state;
		this.record.lastTriedAt = state === 'unclear' ? now : undefined;
		this.records.store(this.record);
	}
}

function tooOld(
	{ state, firstUsedAt }: OrderRecord,
	usedAt: number | undefined,
	mode: ExecutionFacts['mode'],
): InputError {
	const birth =
		mode === 'manual' ? 'The event that is run again arrived' : 'This execution started';
	const began = firstUsedAt === undefined ? birth : 'This was first sent';
	const unknown =
		state === 'unclear'
			? 'An earlier attempt may have taken effect, and it is not known when that was'
			: 'This is a retried execution, and it is not known whether its first attempt already sent this';
	return new InputError(
		usedAt === undefined
			? unknown
			: `${began} on ${toBrasiliaTime(usedAt, 'down')}, and the server recognizes a repetition for 24 hours only`,
		'Nothing was sent. Check whether it already took effect (Get Many, with the date of the first attempt). If it did not, run a new execution with only this item. Or turn on Options > Allow Retry After 24 Hours and retry again: that applies to all items of this node.',
		'unknown',
	);
}
