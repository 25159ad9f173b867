import type { INodeProperties } from 'n8n-workflow';
import { BoundedMap } from '../../shared/concurrency/boundedMap';
import { KeyedMutex } from '../../shared/concurrency/sharedCalls';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import type { ExecutionFacts } from '../../shared/orders/executionIdentity';
import { isKeyAlive } from '../../shared/orders/key';
import { DAY_MS, toIso } from '../../shared/text/time';
import { mayHaveActed, type Order, type PaidContent } from '../../shared/orders/order';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import { formatReais, type Cents } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import type { ItemResult } from '../execution/draft';
import type { OrderItem, OrderRun } from '../execution/orderProcessor';
import { looksLike, hidesContent, isLiving } from './samePayout';
import { MAX_HISTORY_ROWS, type AccountHistory } from '../ledger/accountHistory';
import { claimantsOf, type LedgerStore } from '../ledger/ledger';
import { referenceOf } from '../ledger/ledgerRun';
import { LAG_MS, PROOF_MS } from '../ledger/protocol';
import { ledgerUnavailable } from '../ledger/texts';
import { paidWithoutReference, stillUnclear } from './texts';

export const duplicateGuardOption: INodeProperties = {
	displayName: 'Duplicate Guard',
	name: 'duplicateGuard',
	type: 'options',
	noDataExpression: true,
	// What a person who adds the option wants. Without it, the node works as with Automatic.
	default: 'always',
	options: [
		{
			name: 'Always',
			value: 'always',
			description: 'Check before every payout, and refuse it if the list cannot be read',
		},
		{
			name: 'Automatic',
			value: 'automatic',
			description:
				'Check when you press Execute or run an evaluation with a live key, in sub-workflows, and as a tool of an agent',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Check only as a tool of an agent',
		},
	],
	description:
		'Whether to look for withdrawals of the last 24 hours with the same PIX key and amount, and to stop an item with their IDs instead of paying it again. Without this option: Automatic. Requires the scope withdrawals:read. An item with a reference is stopped only if the reference is new and the payout that was found has none: the reference may have been filled in since.',
};

/** What the user chose under Duplicate Guard. */
export type GuardMode = 'automatic' | 'always' | 'never';

/**
 * Why payouts of other executions are looked for before one is sent:
 * - `always`: the user asked for it
 * - `manual`: a person pressed Execute, with a live key
 * - `subExecution`: when the calling workflow is retried, n8n starts this one over and keeps nothing
 *   by which the key of the first attempt could be found
 * - `agentTool`: an agent decides how often it calls its tool
 */
export type GuardReason = 'always' | 'manual' | 'subExecution' | 'agentTool';

/** What to do about a duplicate. */
const IF_PAID =
	'If that was this item, it is paid. Do not add a reference to it now, and remove it from the list.';
const ON_PURPOSE = `${IF_PAID} If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Give the payouts of the next list a reference before its first run.`;
const IF_FOUND: Record<GuardReason, string> = {
	always: ON_PURPOSE,
	manual: ON_PURPOSE,
	subExecution: `This workflow was called by another one. When that one is retried, nothing distinguishes a repetition from a new payment. ${IF_PAID} If this is a new payment, run it with Never in Options > Duplicate Guard. For the payments after it, fill in Reference, for example with the invoice number.`,
	agentTool:
		'Tell the requester. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it. To pay it once more, pay it in a workflow without an agent.',
};

/** @throws InputError for any other value */
export function parseGuardMode(value: unknown): GuardMode {
	if (value === undefined) return 'automatic';
	if (value === 'automatic' || value === 'always' || value === 'never') return value;
	throw new InputError(
		'Duplicate Guard must be Automatic, Always or Never',
		'Choose one of them in Options > Duplicate Guard.',
	);
}

/** What decides whether the guard looks, besides the order and the execution. */
interface GuardSettings {
	readonly mode: GuardMode;
	readonly isLive: boolean;
	/** The order has a reference that the ledger has never seen: it may have been paid before somebody filled it in. */
	readonly isNewReference?: boolean;
}

/**
 * Decides whether payouts of other executions are looked for before one is sent, and why.
 * @param now epoch ms
 */
export function planGuard(
	{ kind, record }: Pick<Order, 'kind' | 'record'>,
	facts: ExecutionFacts,
	{ mode, isLive, isNewReference = false }: GuardSettings,
	now: number,
): GuardReason | undefined {
	const { state, firstUsedAt } = record;
	// This order may have paid already, and would be found itself: the service is asked under its key.
	const isAsked = state === 'unclear' && isKeyAlive(firstUsedAt, now);
	// Not even a reference is trusted there, as it may come from the agent, nor what is done: an agent that
	// calls again wants to pay again.
	if (facts.isAgentTool) return isAsked ? undefined : 'agentTool';
	if (mayHaveActed(record) || mode === 'never') return undefined;
	if (kind === 'reference' && !isNewReference) return undefined;
	if (mode === 'always') return 'always';
	if (kind === 'ownKey') return undefined;
	if (facts.isSubExecution) return 'subExecution';
	return facts.isStartedByHand && isLive ? 'manual' : undefined;
}

/** A payout that this process has sent. */
interface SentPayout {
	readonly key: string;
	/** ID of the withdrawal; undefined if it is not known whether there is one. */
	readonly id: string | undefined;
	/** Names the API key that it was sent with. */
	readonly keyId: string;
	/** Names the execution and its retries. */
	readonly execution: string;
	/** When its last attempt ended, epoch ms. */
	readonly at: number;
}

/**
 * Held from the check until the server responds: of two equal payouts, the second must find the
 * first.
 */
const equalPayouts = new KeyedMutex();
/** What this process has sent, by what it pays: the list may not show it yet. */
export const recentPayouts = new BoundedMap<string, SentPayout[]>(20_000);

/** Stops an item if another execution has paid the same. */
export class DuplicateGuard {
	private readonly begunAt: number;
	/** Whether it let a payout through without having seen all that it should have been compared with. */
	wasBlind = false;

	constructor(
		private readonly orders: OrderRun,
		private readonly history: AccountHistory,
	) {
		this.begunAt = orders.node.client.now();
	}

	/** @throws ApiFailure if the same was paid, or if that cannot be determined and has to be */
	async pass(
		item: OrderItem,
		reason: GuardReason,
		pay: () => Promise<ItemResult>,
	): Promise<ItemResult> {
		return await equalPayouts.run(getPayout(item), async () => {
			const found = await this.find(item, reason);
			if (found.length > 0) throw this.toDuplicate(item, reason, found);
			return await pay();
		});
	}

	/**
	 * Stops payouts whose references are new if they may have been paid without one. Asks the ledger, in one
	 * call, whose the withdrawals are.
	 * @param items with a reference that the ledger has never seen
	 * @param inDoubt the other items with a reference: each may have made one of the withdrawals
	 * @returns why items are not sent
	 */
	async findLate(
		items: ReadonlyMap<OrderItem, GuardReason>,
		inDoubt: readonly OrderItem[],
		store: Pick<LedgerStore, 'findWithdrawals'>,
	): Promise<Map<OrderItem, Failure>> {
		const refusals = new Map<OrderItem, Failure>();
		const found = new Map<OrderItem, readonly ApiRecord[]>();
		for (const [item, reason] of items) {
			const rows = await this.find(item, reason).catch(toFailure);
			if (!('length' in rows)) refusals.set(item, rows);
			else if (rows.length > 0) found.set(item, rows);
		}
		const ids = [...found.values()].flat().map(({ id }) => toText(id));
		const named = ids.length === 0 ? [] : await store.findWithdrawals(ids).catch(toError);
		for (const [item, rows] of found) {
			if (named instanceof Error) {
				refusals.set(item, ledgerUnavailable(item.order, named, false).failure);
				continue;
			}
			const isFree = ({ id }: ApiRecord) =>
				claimantsOf(named, toText(id), referenceOf(item), ['paid']).length === 0;
			const free = rows.filter(isFree);
			const name = getPayout(item);
			const lost = inDoubt.filter((other) => getPayout(other) === name).length;
			if (free.length <= lost) continue;
			const mayBeOwn = !this.orders.book.memory.isComplete;
			const [order, { cents }] = [item.order, askedPayout(item)];
			refusals.set(
				item,
				paidWithoutReference(order, cents, free, item.call.now(), mayBeOwn).failure,
			);
		}
		return refusals;
	}

	/**
	 * Remembers a payout, whether it was guarded or not.
	 * @param id undefined if it is not known whether it was made
	 */
	remember({ order, request, call, draft }: OrderItem, id: string | undefined): void {
		const name = getPayout({ request, draft });
		const others = (recentPayouts.get(name) ?? []).filter(({ key }) => key !== order.key);
		const execution = this.orders.book.memory.identity;
		const sent = { key: order.key, id, keyId: request.keyId, execution, at: call.now() };
		recentPayouts.delete(name);
		recentPayouts.set(name, [...others, sent]);
	}

	/**
	 * The living withdrawals that pay the same, and that this execution has not made.
	 * @throws ApiFailure if that is not known yet, or cannot be determined and has to be
	 */
	private async find(item: OrderItem, reason: GuardReason): Promise<readonly ApiRecord[]> {
		const rows = await this.read(item, reason);
		const { cents, pixKey } = askedPayout(item);
		const { facts, memory } = this.orders.book;
		const now = item.call.now();
		const sent = this.sentByOthers(item);
		// Before anything is called a duplicate: of two equal payouts without an answer, the list may show one
		// while the other is still under way.
		const late = sent.findLast(({ id, at }) => id === undefined && now - at < PROOF_MS);
		if (late) throw stillUnclear(item.order, cents, late.at, late.at + PROOF_MS);
		// To an agent, what it paid earlier in the same execution is a duplicate as well.
		const own = facts.isAgentTool ? new Set<unknown>() : memory.doneIds;
		const isSame = looksLike(cents, pixKey);
		const shown = rows.filter((row) => isLiving(row) && isSame(row) && !own.has(toText(row.id)));
		const known = new Set([...own, ...rows.map(({ id }) => id)]);
		const since = Math.min(this.begunAt, now - LAG_MS);
		const unseen = sent
			.filter(({ id, at }) => id !== undefined && at >= since && !known.has(id))
			.map(({ id, at }) => ({
				...{ id, netAmount: cents / 100, pixKey: pixKey.value, createdAt: toIso(at) },
			}));
		return [...shown, ...unseen];
	}

	private toDuplicate(
		item: OrderItem,
		reason: GuardReason,
		found: readonly ApiRecord[],
	): ApiFailure {
		// What is found may be what an earlier attempt of the item has paid.
		const mayBeOwn = item.order.isUnclear || !this.orders.book.memory.isComplete;
		return duplicateFound(found, askedPayout(item).cents, reason, item.order, mayBeOwn);
	}

	/** The same payouts that other executions of this process have sent with this API key; to an agent, other calls. */
	private sentByOthers(item: OrderItem): SentPayout[] {
		const { facts, memory } = this.orders.book;
		return (recentPayouts.get(getPayout(item)) ?? []).filter(({ key, id, execution, keyId }) => {
			if (keyId !== item.request.keyId) return false;
			// Under the same key, the service says what became of it.
			if (id === undefined && key === item.order.key) return false;
			return facts.isAgentTool || execution !== memory.identity;
		});
	}

	/** @throws ApiFailure if the list cannot be read completely and has to be */
	private async read(item: OrderItem, reason: GuardReason): Promise<readonly ApiRecord[]> {
		const reading = await this.history.since(item.call.now() - DAY_MS);
		// With a reference, a second payout requires that somebody has filled it in since the first one.
		const isNamed = item.order.kind === 'reference' && reason === 'subExecution';
		const mayBeBlind = reason === 'manual' || isNamed;
		const goBlind = (hint: string, rows: readonly ApiRecord[]) => {
			this.wasBlind = true;
			item.call.hint(hint);
			return rows;
		};
		if ('failure' in reading) {
			if (mayBeBlind && reading.failure.code === 'FORBIDDEN') return goBlind(NO_SCOPE, []);
			const message = `Nothing was paid, because the check for duplicates failed: ${reading.failure.message}`;
			throw new ApiFailure({ ...reading.failure, message, effect: 'none' });
		}
		if (reading.isComplete) return reading.rows;
		if (!reading.isTooLong) throw new ApiFailure(HAS_GAPS);
		if (mayBeBlind) return goBlind(`${TOO_LONG}: older ones were not compared.`, reading.rows);
		throw new ApiFailure({
			code: 'TOO_MANY_WITHDRAWALS',
			message: `Not paid: ${TOO_LONG}`,
			description:
				reason === 'agentTool'
					? 'Tell the requester. Pay it in a workflow without an agent.'
					: 'Compare these payouts with the list of withdrawals yourself. Then choose Never in Options > Duplicate Guard for this run.',
			effect: 'none',
		});
	}
}

const NO_SCOPE =
	'Duplicate Guard did not check these payouts: the API key lacks the scope withdrawals:read.';
const TOO_LONG = `Duplicate Guard reads at most ${MAX_HISTORY_ROWS} withdrawals, and there are more`;
/**
 * Payouts made while the list was read are read in a second pass. Here rows are missing even after
 * that.
 */
const HAS_GAPS = {
	code: 'INCOMPLETE_LIST',
	message:
		'Not paid: the list of withdrawals shows fewer than it counts, so a duplicate may be missing',
	description:
		'Run this again later. If it stays like this, ask the administrator of the proxy between n8n and the service what it does with the responses.',
	retryable: true,
	effect: 'none',
} as const;

/** @throws TypeError for what is no payout */
function askedPayout({ draft: { payout } }: Pick<OrderItem, 'draft'>): PaidContent {
	if (payout === undefined) throw new TypeError('This is no payout');
	return payout;
}

const toError = (error: unknown): Error =>
	error instanceof Error ? error : new Error(String(error));

/** Identifies a payout by its content, not by the API key: two keys may belong to one account. */
function getPayout({ draft, request }: Pick<OrderItem, 'draft' | 'request'>): string {
	const { cents = 0, pixKey } = draft.payout ?? {};
	return `${request.isLive ? 'live' : 'test'} ${cents} ${pixKey?.value ?? ''}`;
}

/** Stops an item because the same was paid already. */
export function duplicateFound(
	duplicates: readonly ApiRecord[],
	amount: Cents,
	reason: GuardReason,
	{ reference }: Pick<Order, 'reference'>,
	mayBeOwn: boolean,
): ApiFailure {
	const ids = duplicates.map(({ id }) => toText(id));
	const doubtful = duplicates.filter(hidesContent).map(({ id }) => toText(id));
	const isOne = ids.length === 1;
	const found = isOne ? 'There is a withdrawal' : `There are ${ids.length} withdrawals`;
	const payout = `${formatReais(amount)} to this PIX key`;
	const isClear = doubtful.length === 0;
	const what = isClear
		? `${found} of ${payout} from the last 24 hours`
		: `${found} from the last 24 hours that may have paid ${payout}`;
	const why = `The service does not show clearly how much ${doubtful.join(' and ')} paid, or to whom. `;
	return new ApiFailure({
		code: 'POSSIBLE_DUPLICATE',
		message: `${what}, so it was not paid again`,
		description: `${isOne ? 'Its ID' : 'Their IDs'}: ${ids.join(', ')}. ${isClear ? '' : why}${IF_FOUND[reason]}`,
		effect: mayBeOwn ? 'unknown' : 'none',
		withdrawalIds: ids,
		...omitUndefined({ reference: reference?.shown }),
		concernsItemOnly: true,
	});
}
