import type { IExecuteFunctions } from 'n8n-workflow';
import { isAgentTool } from '../agentTool';
import type { Effect } from '../errors';
import { InputError } from '../input/inputError';
import { checkNotDone, idOfAnswer } from './done';
import { checkOwnKey, deriveKey, keyOfGeneration, type Identity, type KeyParts } from './key';
import { KeyOwners } from './keyOwners';
import { lookUpBefore, type LookUp } from './lookUp';
import { OperationMemory, type OperationRecord } from './memory';
import { chooseRoot, lastingMoment, type ExecutionFacts } from './root';
import { findStartingDelivery } from './startingDelivery';
import { checkKeyLifetime, KEY_LIFETIME_MS } from './window';

type KeyPlace = Pick<KeyParts, 'runIndex' | 'itemIndex'>;

/** What the user decided about one operation. */
export interface OperationSettings {
	/** The key that the user chose; empty for an automatic one. */
	readonly ownKey: string;
	/** The user allows sending after the key's 24 hours. */
	readonly allowLate: boolean;
	/** It can be looked up, and is where the key alone may not keep it from being done twice. */
	readonly isGuarded?: boolean;
}

/** One payment, refund, withdrawal or product that is to come into being once, however often it is tried. */
export class LogicalOperation {
	private isLookedUp = false;

	/**
	 * @param name what the memory knows the operation by
	 * @param firstKey the key of generation 0; differs from `name` where two executions would share it
	 */
	constructor(
		private readonly name: string,
		private readonly firstKey: string,
		private readonly record: OperationRecord,
		private readonly memory: OperationMemory,
		private readonly facts: ExecutionFacts,
		private readonly settings: OperationSettings,
	) {}

	/** The key of the current generation. */
	get key(): string {
		return keyOfGeneration(this.firstKey, this.record.generation);
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

	/** Whether the user chose the key. */
	get hasOwnKey(): boolean {
		return this.settings.ownKey !== '';
	}

	/** When the first key was first sent, milliseconds since 1970. */
	get firstUsedAt(): number | undefined {
		return this.record.firstUsedAt;
	}

	/** Until when the server recognises a repetition, milliseconds since 1970; null before the first attempt. */
	get retrySafeUntil(): number | null {
		const { firstUsedAt } = this.record;
		return firstUsedAt === undefined ? null : firstUsedAt + KEY_LIFETIME_MS;
	}

	/**
	 * Why it has to be looked up before it is sent, and from when on; null where it need not be.
	 * @param isWanted the user asks for it
	 */
	lookUp(isWanted: boolean, now: number): LookUp | null {
		const { hasOwnKey } = this;
		const { allowLate } = this.settings;
		const { isSameRunAgain } = this.memory;
		const settings = { isWanted, hasOwnKey, allowLate, isSameRunAgain };
		return lookUpBefore(this.record, this.facts, settings, now);
	}

	/** To be called when it was looked up and not found. */
	noteLookedUp(): void {
		this.isLookedUp = true;
	}

	/**
	 * To be called before each attempt: remembers the first use and refuses a use after the key's life.
	 * @throws InputError see `checkKeyLifetime`; ApiFailure see `checkNotDone`
	 */
	beforeAttempt(now: number): void {
		checkNotDone(this.record, this.key, now);
		checkKeyLifetime(this.record.firstUsedAt, this.facts, now, {
			isAllowed: this.settings.allowLate,
			isLookedUp: this.isLookedUp,
		});
		this.record.firstUsedAt ??= now;
		this.remember();
	}

	/** Moves on to the next key, and has that remembered before anything is sent under it. */
	useNextKey(): void {
		this.record.generation += 1;
		this.remember();
	}

	/**
	 * Keeps in mind that it took effect: a repetition that is turned away does not undo it.
	 * @param body what the service answered
	 */
	noteSuccess(now: number, body: unknown): void {
		this.record.unclear = true;
		if (!this.isDone) {
			this.record.doneAt = now;
			const id = idOfAnswer(body);
			if (id !== undefined) this.record.doneId = id;
		}
		if (this.facts.isAgentTool) this.record.isDone = true;
		this.remember();
	}

	/** Keeps in mind what an unsuccessful attempt told about the effect of the operation. */
	noteEffect(effect: Effect): void {
		if (effect === 'notReached') return;
		this.record.unclear = effect === 'unknown' || this.isDone ? true : undefined;
		this.remember();
	}

	private remember(): void {
		this.memory.store(this.name, this.record);
	}
}

/** Opens the logical operations of one run of the node. Implements design section 3. */
export class LogicalOperations {
	private static readonly owners = new KeyOwners();

	private readonly facts: ExecutionFacts;
	private readonly memory: OperationMemory;
	private readonly runIndex: number;
	private readonly ownKeys = new Map<string, number>();

	constructor(private readonly context: IExecuteFunctions) {
		this.facts = executionFacts(context);
		// n8n offers the run index to expressions only.
		const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
		this.memory = new OperationMemory(context.getContext('node'), runIndex, (stored) =>
			chooseRoot(stored, this.facts),
		);
		this.runIndex = this.memory.relativeRunIndex(runIndex);
	}

	/**
	 * Whether items of this run may have been sent before: by an earlier try of Retry On Fail, or by the
	 * execution that this one retries.
	 */
	get isRepetition(): boolean {
		return this.facts.mode === 'retry' || this.memory.isSameRunAgain;
	}

	/** How many items have a key that the user chose, of those that claimed theirs. */
	get ownKeyCount(): number {
		return this.ownKeys.size;
	}

	/**
	 * @throws InputError for an unusable own key, or one that another item of this run has claimed
	 */
	open(itemIndex: number, identity: Identity, settings: OperationSettings): LogicalOperation {
		const { ownKey } = settings;
		this.claimOwnKey(ownKey, itemIndex);
		const place = this.placeOf(itemIndex, settings.isGuarded === true);
		const name =
			ownKey === '' ? this.automaticKey(place, identity, this.memory.root) : checkOwnKey(ownKey);
		const record = this.memory.find(name) ?? this.newRecord(name, ownKey === '');
		const firstKey =
			record.owner === undefined
				? name
				: this.automaticKey(place, identity, `${this.memory.root}/${record.owner}`);
		return new LogicalOperation(name, firstKey, record, this.memory, this.facts, settings);
	}

	/**
	 * Notes whose key this is. To be called for all items before any is sent: of two that share a key,
	 * the second would only be answered with the result of the first.
	 * @throws InputError when another item has claimed it
	 */
	claimOwnKey(key: string, itemIndex: number): void {
		if (key === '') return;
		const other = this.ownKeys.get(key);
		if (other !== undefined && other !== itemIndex) {
			throw new InputError(
				`Items ${other} and ${itemIndex} have the same idempotency key, so only one of them would take effect`,
				'Use an expression that differs per item, such as an invoice number, or leave the key empty.',
			);
		}
		this.ownKeys.set(key, itemIndex);
	}

	/**
	 * What tells equal operations of one execution apart. The calls of an agent are not told apart where
	 * one payment too many is the worst outcome: some n8n count each try of Retry On Fail as a run of its
	 * own, and a retried agent calls its tools in another order.
	 */
	private placeOf(itemIndex: number, isGuarded: boolean): KeyPlace {
		return this.facts.isAgentTool && isGuarded
			? { runIndex: 0, itemIndex: 0 }
			: { runIndex: this.runIndex, itemIndex };
	}

	private automaticKey(place: KeyPlace, identity: Identity, root: string): string {
		return deriveKey({
			...place,
			instanceId: this.context.getInstanceId(),
			workflowId: this.context.getWorkflow().id ?? '',
			nodeId: this.context.getNode().id,
			root,
			identity,
		});
	}

	private newRecord(name: string, isAutomatic: boolean): OperationRecord {
		const { executionId, mode, delivery } = this.facts;
		// A retry has another execution id by nature and must find the keys of the execution it retries.
		// Without a record, n8n may have been killed right after that one had sent this.
		if (mode === 'retry') return { generation: 0, unclear: true };
		// Executions that copies of one delivery have started share their keys on purpose.
		const isShared =
			isAutomatic &&
			delivery === undefined &&
			LogicalOperations.owners.isTakenByOther(name, executionId);
		return isShared ? { generation: 0, owner: executionId } : { generation: 0 };
	}
}

function executionFacts(context: IExecuteFunctions): ExecutionFacts {
	// Absent before n8n 1.121.
	const established = (
		context as Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>
	).getExecutionContext?.();
	return {
		executionId: context.getExecutionId(),
		mode: context.getMode(),
		establishedAt: lastingMoment(established),
		delivery: findStartingDelivery(context),
		isSubExecution:
			context.getMode() === 'integrated' || established?.parentExecutionId !== undefined,
		isAgentTool: isAgentTool(context),
	};
}
