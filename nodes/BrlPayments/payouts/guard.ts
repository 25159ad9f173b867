import type { INodeProperties } from 'n8n-workflow';
import { BoundedMap } from '../../shared/concurrency/boundedMap';
import { KeyedMutex } from '../../shared/concurrency/keyedMutex';
import { ApiFailure } from '../../shared/failures/failure';
import { getBirth, type ExecutionFacts } from '../../shared/orders/executionIdentity';
import { isKeyAlive } from '../../shared/orders/keyExpiry';
import type { Order } from '../../shared/orders/order';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { ApiRecord } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import { formatReais, type Cents } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import type { ItemResult } from '../execution/operation';
import type { OrderItem, OrderRun } from '../execution/orderRun';
import { looksLike } from './absence';
import { MAX_HISTORY_ROWS, type PayoutHistory } from './history';
import { isPaid, isUnclear } from './samePayout';
import { stillUnclear } from './texts';

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
				'Check when you press Execute with a live key, in sub-workflows, as a tool of an agent, and in retries without a record',
		},
		{
			name: 'Never',
			value: 'never',
			description: 'Check only as a tool of an agent and in retries without a record',
		},
	],
	description:
		'Whether to look for withdrawals of the last 24 hours with the same PIX key and amount, and to stop an item with their IDs instead of paying it again. Without this option: Automatic. Requires the scope withdrawals:read. Items with a reference need no guard: each reference is paid once.',
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a repetition whose age is unknown: n8n keeps executions for this long by default. */
export const EXECUTIONS_KEPT_MS = 14 * DAY_MS;
/**
 * How long the service may take to book a payout whose response never arrived, and its list to show
 * one that it has booked. Milliseconds.
 */
const LATE_BOOKING_MS = 2 * 60_000;

/** What the user chose under Duplicate Guard. */
export type GuardMode = 'automatic' | 'always' | 'never';

/**
 * Why payouts of other executions are looked for before one is sent:
 * - `always`: the user asked for it
 * - `manual`: a person pressed Execute, with a live key
 * - `subExecution`: when the calling workflow is retried, n8n starts this one over and keeps nothing
 *   by which the key of the first attempt could be found
 * - `retriedWithoutTrace`: no record of the first attempt is left, not even its time
 * - `agentTool`: an agent decides how often it calls its tool
 */
export type GuardReason =
	'always' | 'manual' | 'subExecution' | 'retriedWithoutTrace' | 'agentTool';

interface GuardRule {
	readonly lookBackMs: number;
	/** The same in words. */
	readonly period: string;
	/** Whether a payout is sent that could not be compared with the whole list. */
	readonly sendsBlind: boolean;
	/** What to do about a duplicate. */
	readonly ifFound: string;
	/** What to do about a list that is too long. */
	readonly ifTooLong: string;
}

const BY_HAND: GuardRule = {
	lookBackMs: DAY_MS,
	period: '24 hours',
	sendsBlind: false,
	ifFound:
		'If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Next time, give each payout a reference.',
	ifTooLong:
		'Give each payout a reference: then nothing has to be looked up. Or choose Never in Options > Duplicate Guard.',
};
const RULES: Record<GuardReason, GuardRule> = {
	always: BY_HAND,
	manual: { ...BY_HAND, sendsBlind: true },
	subExecution: {
		...BY_HAND,
		ifFound:
			'This workflow was called by another one. When that one is retried, nothing distinguishes a repetition from a new payment. If this is a new one, fill in Reference, for example with the invoice number.',
	},
	retriedWithoutTrace: {
		lookBackMs: EXECUTIONS_KEPT_MS,
		period: '14 days',
		sendsBlind: false,
		ifFound:
			'This is a retried execution, and its first attempt may have paid. If it did not, turn on Options > Allow Retry After 24 Hours and retry again.',
		ifTooLong:
			'Check what was paid with Withdrawal > Get Many. Then turn on Options > Allow Retry After 24 Hours and retry again.',
	},
	agentTool: {
		...BY_HAND,
		ifFound:
			'Tell the requester. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it. To pay it once more, pay it in a workflow without an agent.',
		ifTooLong: 'Tell the requester. Pay it in a workflow without an agent.',
	},
};

interface GuardSettings {
	readonly mode: GuardMode;
	readonly isLive: boolean;
	/** The user has checked that the first attempt took no effect. */
	readonly allowLate: boolean;
}

/** @throws InputError for any other value */
export function parseGuardMode(value: unknown): GuardMode {
	if (value === undefined) return 'automatic';
	if (value === 'automatic' || value === 'always' || value === 'never') return value;
	throw new InputError(
		'Duplicate Guard must be Automatic, Always or Never',
		'Choose one of them in Options > Duplicate Guard.',
	);
}

/**
 * Decides whether payouts of other executions are looked for before one is sent, and why. Not called
 * for what is known to be done.
 * @param now epoch ms
 */
export function planGuard(
	{ kind, record, place }: Pick<Order, 'kind' | 'record' | 'place'>,
	facts: ExecutionFacts,
	{ mode, isLive, allowLate }: GuardSettings,
	now: number,
): GuardReason | undefined {
	const { firstUsedAt, sent, unclear, agentKnows } = record;
	// Not even a reference is trusted there: it may well come from the agent.
	if (facts.isAgentTool) {
		// This order may have paid already: the service recognizes its key, and a look-up would take it
		// for a duplicate of itself. After a success, an agent that calls again wants to pay again.
		const isAsked = unclear !== undefined && agentKnows !== true && firstUsedAt !== undefined;
		return isAsked && isKeyAlive(firstUsedAt, now) ? undefined : 'agentTool';
	}
	if (kind === 'reference') return undefined;
	const isTraced = firstUsedAt !== undefined || sent === true || getBirth(facts) !== undefined;
	if (facts.mode === 'retry' && !isTraced && !allowLate) return 'retriedWithoutTrace';
	// The payout that would be found may be the one that this order has sent.
	if (unclear !== undefined || mode === 'never') return undefined;
	if (mode === 'always') return 'always';
	if (kind === 'ownKey' || (kind === 'adopted' && place !== 'new')) return undefined;
	if (facts.isSubExecution) return 'subExecution';
	return facts.isStartedByHand && isLive ? 'manual' : undefined;
}

/** A payout that this process has sent. */
interface SentPayout {
	readonly key: string;
	/** ID of the withdrawal; undefined where it is not known whether there is one. */
	readonly id: string | undefined;
	/** Names the API key that it was sent with. */
	readonly account: string;
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
export const recent = new BoundedMap<string, SentPayout[]>(20_000);

/** Stops an item where another execution has paid the same. */
export class DuplicateGuard {
	private readonly begunAt: number;
	private isBlind = false;

	constructor(
		private readonly run: OrderRun,
		private readonly history: PayoutHistory,
	) {
		this.begunAt = run.run.client.now();
	}

	/** Whether it let a payout through without having seen all that it should have been compared with. */
	get wasBlind(): boolean {
		return this.isBlind;
	}

	/** @throws ApiFailure where the same was paid, or where that cannot be determined and has to be */
	async pass(
		item: OrderItem,
		reason: GuardReason,
		send: () => Promise<ItemResult>,
	): Promise<ItemResult> {
		const { payout } = item.draft;
		if (payout === undefined) return await send();
		const { amount, pixKey } = payout;
		const { facts, memory } = this.run.book;
		// To an agent, what it paid earlier in the same execution is a duplicate as well.
		const own = facts.isAgentTool ? new Set<unknown>() : memory.doneIds;
		const isSame = looksLike(amount, pixKey);
		return await equalPayouts.run(getPayout(item), async () => {
			const rows = await this.read(item, reason);
			const now = item.call.now();
			const found = rows.filter((row) => isPaid(row) && isSame(row) && !own.has(String(row.id)));
			const known = new Set([...own, ...rows.map(({ id }) => id)]);
			const sent = this.sentByOthers(item);
			for (const { id, at } of sent) {
				const isUnseen = at >= Math.min(this.begunAt, now - LATE_BOOKING_MS);
				if (id === undefined || known.has(id) || !isUnseen) continue;
				found.push({ id, netAmount: amount / 100, pixKey: pixKey.value });
			}
			const late = sent
				.filter(({ id, at }) => id === undefined && now - at < LATE_BOOKING_MS)
				.at(-1);
			// In a retry without a trace, this may be its own first attempt, and the list was searched
			// for it. Before anything is called a duplicate: of two equal payouts without an answer, the
			// list may show one while the other is still under way.
			if (late && reason !== 'retriedWithoutTrace') {
				throw stillUnclear(item.order, amount, late.at, late.at + LATE_BOOKING_MS);
			}
			if (found.length > 0) {
				throw duplicateFound(found, amount, reason, item.order, this.mayBeOwn(item));
			}
			if (reason === 'retriedWithoutTrace') item.order.noteLookedUp();
			return await send();
		});
	}

	/**
	 * Remembers a payout, whether it was guarded or not.
	 * @param id undefined where it is not known whether it was made
	 */
	note(item: OrderItem, id: string | undefined): void {
		const { order, request, call } = item;
		const name = getPayout(item);
		const others = (recent.get(name) ?? []).filter(({ key }) => key !== order.key);
		const execution = this.run.book.memory.identity;
		const sent = { key: order.key, id, account: request.account, execution, at: call.now() };
		recent.delete(name);
		recent.set(name, [...others, sent]);
	}

	/** Whether what is found may be what an earlier attempt of the item has paid. */
	private mayBeOwn({ order }: OrderItem): boolean {
		const { facts, memory } = this.run.book;
		return order.isUnclear || (facts.mode === 'retry' && !memory.isInherited);
	}

	/** The same payouts that other executions of this process have sent with this API key; to an agent, other calls. */
	private sentByOthers(item: OrderItem): SentPayout[] {
		const { facts, memory } = this.run.book;
		return (recent.get(getPayout(item)) ?? []).filter(({ key, id, execution, account }) => {
			if (account !== item.request.account) return false;
			// Under the same key, the service says what became of it.
			if (id === undefined && key === item.order.key) return false;
			return facts.isAgentTool || execution !== memory.identity;
		});
	}

	/** @throws ApiFailure where the list cannot be read completely and has to be */
	private async read(item: OrderItem, reason: GuardReason): Promise<readonly ApiRecord[]> {
		const { lookBackMs, sendsBlind, ifTooLong } = RULES[reason];
		const reading = await this.history.since(item.call.now() - lookBackMs);
		const effect = reason === 'retriedWithoutTrace' ? 'unknown' : 'none';
		const failure = { httpStatus: null, retryable: false, effect } as const;
		const goBlind = <T>(hint: string, rows: T[] | readonly T[]) => {
			this.isBlind = true;
			item.call.hint(hint);
			return rows;
		};
		if ('failure' in reading) {
			if (sendsBlind && reading.failure.code === 'FORBIDDEN') return goBlind(NO_SCOPE, []);
			const message = `Nothing was paid, because the check for duplicates failed: ${reading.failure.message}`;
			throw new ApiFailure({ ...reading.failure, message, effect });
		}
		if (reading.isComplete) return reading.rows;
		if (!reading.isTooLong) throw new ApiFailure({ ...failure, ...HAS_GAPS });
		if (sendsBlind) return goBlind(`${TOO_LONG}: older ones were not compared.`, reading.rows);
		throw new ApiFailure({
			...failure,
			code: 'TOO_MANY_WITHDRAWALS',
			message: `Not paid: ${TOO_LONG}`,
			description: ifTooLong,
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
};

/** Identifies a payout by its content, not by the API key: two keys may belong to one account. */
function getPayout({ draft, request }: OrderItem): string {
	const { amount = 0, pixKey } = draft.payout ?? {};
	return `${request.isLive ? 'live' : 'test'} ${amount} ${pixKey?.value ?? ''}`;
}

/** Stops an item because the same was paid already. */
export function duplicateFound(
	duplicates: readonly ApiRecord[],
	amount: Cents,
	reason: GuardReason,
	{ reference }: Pick<Order, 'reference'>,
	mayBeOwn: boolean,
): ApiFailure {
	const { period, ifFound } = RULES[reason];
	const ids = duplicates.map(({ id }) => toText(id));
	const doubtful = duplicates.filter(isUnclear).map(({ id }) => toText(id));
	const isOne = ids.length === 1;
	const found = isOne ? 'There is a withdrawal' : `There are ${ids.length} withdrawals`;
	const payout = `${formatReais(amount)} to this PIX key`;
	const [what, why] =
		doubtful.length === 0
			? [`${found} of ${payout} from the last ${period}`, '']
			: [
					`${found} from the last ${period} that may have paid ${payout}`,
					`The service does not show clearly how much ${doubtful.join(' and ')} paid, or to whom. `,
				];
	return new ApiFailure({
		code: 'POSSIBLE_DUPLICATE',
		message: `${what}, so it was not paid again`,
		description: `${isOne ? 'Its ID' : 'Their IDs'}: ${ids.join(', ')}. ${why}${ifFound}`,
		httpStatus: null,
		retryable: false,
		effect: mayBeOwn ? 'unknown' : 'none',
		withdrawalIds: ids,
		...omitUndefined({ reference: reference?.shown }),
		concernsItemOnly: true,
	});
}
