import type { INodeProperties } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import { InputError } from '../../shared/validation/inputError';
import { KeyedMutex } from '../../shared/concurrency/keyedMutex';
import { getBirth, type ExecutionFacts } from '../../shared/orders/executionIdentity';
import { isKeyAlive } from '../../shared/orders/keyExpiry';
import type { Order } from '../../shared/orders/order';
import type { ApiRecord } from '../../shared/transport/schemas';
import type { ItemResult } from '../execution/operation';
import type { OrderItem, OrderRun } from '../execution/orderRun';
import { toFailure } from '../../shared/failures/itemError';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { formatReais } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import type { Payout } from './payout';
import { isPaid, isSamePayout, isUnclear } from './samePayout';
import type { PayoutHistory } from './history';
import { RecentPayouts, type RecentPayout } from './recentPayouts';
import { stillUnclear } from './texts';
import { LATE_BOOKING_MS, UnclearPayouts } from './unclearPayouts';
import { MAX_HISTORY_PAGES } from './history';

export const duplicateGuardOption: INodeProperties = {
	displayName: 'Duplicate Guard',
	name: 'duplicateGuard',
	type: 'options',
	noDataExpression: true,
	default: 'automatic',
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
		'Whether to look for withdrawals of the last 24 hours with the same PIX key and amount, and to stop an item with their IDs instead of paying it again. Requires the scope withdrawals:read. Items with a reference need no guard: each reference is paid once.',
};

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a repetition whose age is unknown: n8n keeps executions for this long by default. */
export const EXECUTIONS_KEPT_MS = 14 * DAY_MS;

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

/** Looks for equal payouts of other executions, and stops at one. */
export interface Guard {
	readonly reason: GuardReason;
	/** Start of the period, epoch ms. */
	readonly since: number;
	/** Length of the period in days, rounded up. */
	readonly days: number;
	/** What to do where the list cannot be read completely. */
	readonly ifUnreadable: 'send' | 'refuse';
}

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
 * Decides whether payouts of other executions are looked for before one is sent. Not called for what is
 * known to be done.
 * @param now epoch ms
 */
export function planGuard(
	{ kind, record, place }: Pick<Order, 'kind' | 'record' | 'place'>,
	facts: ExecutionFacts,
	{ mode, isLive, allowLate }: GuardSettings,
	now: number,
): Guard | undefined {
	const lookingBack = (
		reason: GuardReason,
		ifUnreadable: Guard['ifUnreadable'],
		ms = DAY_MS,
	): Guard => ({ reason, since: now - ms, days: Math.ceil(ms / DAY_MS), ifUnreadable });
	const hasName = kind === 'reference' || kind === 'ownKey';

	// Not even a reference is trusted there: it may well come from the agent.
	if (facts.isAgentTool) {
		// This order may have paid already: the service recognizes its key, and a look-up would take it
		// for a duplicate of itself. A success is no such case: an agent that calls again wants to pay
		// again.
		const isOwn = record.unclear !== undefined && record.agentKnows !== true;
		return isOwn && record.firstUsedAt !== undefined && isKeyAlive(record.firstUsedAt, now)
			? undefined
			: lookingBack('agentTool', 'refuse');
	}
	const isUntraced =
		record.firstUsedAt === undefined &&
		record.sent !== true &&
		facts.mode === 'retry' &&
		getBirth(facts) === undefined;
	if (isUntraced && kind !== 'reference' && !allowLate) {
		return lookingBack('retriedWithoutTrace', 'refuse', EXECUTIONS_KEPT_MS);
	}
	// The payout that would be found may be the one that this order has sent.
	if (kind === 'reference' || record.unclear !== undefined) return undefined;
	if (mode === 'never') return undefined;
	if (mode === 'always') return lookingBack('always', 'refuse');
	if (kind === 'adopted' && place !== 'new') return undefined;
	if (facts.isSubExecution && !hasName) return lookingBack('subExecution', 'refuse');
	if (facts.isStartedByHand && isLive && !hasName) return lookingBack('manual', 'send');
	return undefined;
}

/**
 * Held from the check until the server responds: of two equal payouts, the second must find the
 * first.
 */
const equalPayouts = new KeyedMutex();
/** What this process has paid: another execution may have paid after this run read the list. */
export const recent = new RecentPayouts();
export const unclear = new UnclearPayouts();

/** Stops an item where another execution has paid the same. */
export class DuplicateGuard {
	private readonly mark = recent.mark();
	private isBlind = false;

	constructor(
		private readonly run: OrderRun,
		private readonly history: PayoutHistory,
	) {}

	/** Whether it let a payout through without having seen all that it should have been compared with. */
	get wasBlind(): boolean {
		return this.isBlind;
	}

	/** @throws ApiFailure where the same was paid, or where that cannot be determined and has to be */
	async pass(item: OrderItem, guard: Guard, send: () => Promise<ItemResult>): Promise<ItemResult> {
		const { payout } = item.draft;
		if (payout === undefined) return await send();
		return await equalPayouts.run(getPayout(item), async () => {
			const rows = await this.read(item, guard);
			const listed = rows.filter(
				(row) =>
					isPaid(row) &&
					isSamePayout(row, { cents: payout.amount, pixKey: payout.pixKey }) &&
					!this.isOwn(row),
			);
			const seen = new Set(rows.map(({ id }) => id));
			const recents = await this.findRecent(item, seen);
			const duplicates = [
				...listed,
				...recents.map(({ id }) => ({
					id,
					netAmount: payout.amount / 100,
					pixKey: payout.pixKey.value,
				})),
			];
			if (duplicates.length > 0) {
				throw duplicateFound(duplicates, payout, guard, item.order, this.mayBeOwn(item));
			}
			const late = unclear.findOther(getPayout(item), this.getSender(item), item.call.now());
			// In a retry without a trace, this may be its own first attempt, and the list was searched
			// for it.
			if (late && guard.reason !== 'retriedWithoutTrace')
				throw stillUnclear(item.order, payout.amount, late.at, late.at + LATE_BOOKING_MS);
			if (guard.reason === 'retriedWithoutTrace') item.order.noteLookedUp();
			return await send();
		});
	}

	/** Whether what is found may be what an earlier attempt of the item has paid. */
	private mayBeOwn({ order }: OrderItem): boolean {
		const { facts, memory } = this.run.book;
		return order.isUnclear || (facts.mode === 'retry' && !memory.isInherited);
	}

	/**
	 * What other executions of this process have just paid, and the list does not show.
	 * @param seen IDs that the list shows
	 */
	private async findRecent(item: OrderItem, seen: ReadonlySet<unknown>): Promise<RecentPayout[]> {
		const others = recent
			.after(this.mark, item.call.now() - LATE_BOOKING_MS, getPayout(item))
			.filter(({ id }) => !seen.has(id) && !this.isOwn({ id }))
			.filter(({ execution }) => !this.isOwnExecution(execution));
		const found: RecentPayout[] = [];
		for (const payout of others) if (await this.isOfSameAccount(item, payout)) found.push(payout);
		return found;
	}

	/** @throws ApiFailure where that cannot be determined */
	private async isOfSameAccount(
		item: OrderItem,
		{ id, account, at }: RecentPayout,
	): Promise<boolean> {
		const { order, draft, request, call } = item;
		if (account === request.account || draft.current === undefined) return true;
		try {
			await draft.current(id);
			return true;
		} catch (error) {
			if (toFailure(error).code === 'NOT_FOUND') return false;
			call.hint(
				'Another API key has just paid the same, and the API key in use could not look that up: give it the scope withdrawals:read.',
			);
			throw stillUnclear(order, draft.payout?.amount ?? 0, at, at + LATE_BOOKING_MS);
		}
	}

	/** Remembers a payout, whether it was guarded or not. */
	note(item: OrderItem): void {
		const { doneId } = item.order;
		unclear.settle(getPayout(item), item.order.key);
		if (doneId === undefined || item.draft.payout === undefined) return;
		const execution = this.run.book.facts.executionId;
		const { account } = item.request;
		recent.add(getPayout(item), { id: doneId, account, execution, at: item.call.now() });
	}

	/** Remembers that the outcome of a payout is unknown. */
	noteUnclear(item: OrderItem): void {
		unclear.note(getPayout(item), { ...this.getSender(item), at: item.call.now() });
	}

	/** To an agent, another call is another payout. */
	private getSender({ order }: OrderItem): { idempotencyKey: string; identity: string } {
		const { facts, memory } = this.run.book;
		const identity = facts.isAgentTool ? `${memory.identity} ${order.key}` : memory.identity;
		return { idempotencyKey: order.key, identity };
	}

	/** To an agent, what it paid earlier in the same execution is a duplicate as well. */
	private isOwn({ id }: ApiRecord): boolean {
		const { facts, memory } = this.run.book;
		return !facts.isAgentTool && memory.doneIds.has(String(id));
	}

	private isOwnExecution(execution: string): boolean {
		const { facts } = this.run.book;
		return !facts.isAgentTool && execution === facts.executionId;
	}

	private async read(
		item: OrderItem,
		{ since, ifUnreadable, reason }: Guard,
	): Promise<readonly ApiRecord[]> {
		const reading = await this.history.since(since);
		if ('failure' in reading) {
			const { failure } = reading;
			if (ifUnreadable === 'send' && failure.code === 'FORBIDDEN') {
				this.isBlind = true;
				item.call.hint(
					'Duplicate Guard did not check these payouts: the API key lacks the scope withdrawals:read.',
				);
				return [];
			}
			throw unreadable(
				`Nothing was paid, because the check for duplicates failed: ${failure.message}`,
				failure,
				reason,
			);
		}
		if (!reading.isComplete && !reading.isTooLong)
			throw unreadable(HAS_GAPS.message, HAS_GAPS, reason);
		if (!reading.isComplete) {
			const pages = `Duplicate Guard reads at most ${MAX_HISTORY_PAGES * 100} withdrawals, and there are more`;
			if (ifUnreadable === 'send') {
				this.isBlind = true;
				item.call.hint(`${pages}: older ones were not compared.`);
				return reading.rows;
			}
			throw unreadable(`Not paid: ${pages}`, tooMany(reason), reason);
		}
		return reading.rows;
	}
}

/**
 * Payouts made while the list was read are read in a second pass. Here rows are missing even after
 * that.
 */
const HAS_GAPS: Failure = {
	code: 'INCOMPLETE_LIST',
	message:
		'Not paid: the list of withdrawals shows fewer than it counts, so a duplicate may be missing',
	description:
		'Run this again later. If it stays like this, ask the administrator of the proxy between n8n and the service what it does with the responses.',
	httpStatus: null,
	retryable: true,
	effect: 'none',
};

function tooMany(reason: Guard['reason']): Failure {
	return {
		code: 'TOO_MANY_WITHDRAWALS',
		message: '',
		description: INSTEAD[reason],
		httpStatus: null,
		retryable: false,
		effect: 'none',
	};
}

const BY_REFERENCE =
	'Give each payout a reference: then nothing has to be looked up. Or choose Never in Options > Duplicate Guard.';
const INSTEAD: Record<Guard['reason'], string> = {
	always: BY_REFERENCE,
	manual: BY_REFERENCE,
	subExecution: BY_REFERENCE,
	retriedWithoutTrace:
		'Check what was paid with Withdrawal > Get Many. Then turn on Options > Allow Retry After 24 Hours and retry again.',
	agentTool: 'Tell the requester. Pay it in a workflow without an agent.',
};

function unreadable(message: string, failure: Failure, reason: Guard['reason']): ApiFailure {
	return new ApiFailure({
		...failure,
		message,
		effect: reason === 'retriedWithoutTrace' ? 'unknown' : 'none',
	});
}

/** Identifies a payout by its content, not by the API key: two keys may belong to one account. */
function getPayout({ draft, request }: OrderItem): string {
	const { amount = 0, pixKey } = draft.payout ?? {};
	return `${request.isLive ? 'live' : 'test'} ${amount} ${pixKey?.value ?? ''}`;
}

/** Stops an item because the same was paid already. */
export function duplicateFound(
	duplicates: readonly ApiRecord[],
	{ amount }: Pick<Payout, 'amount'>,
	{ reason, days }: Pick<Guard, 'reason' | 'days'>,
	{ reference }: Pick<Order, 'reference'>,
	mayBeOwn: boolean,
): ApiFailure {
	const ids = duplicates.map(({ id }) => toText(id));
	const period = days === 1 ? '24 hours' : `${days} days`;
	const unclear = duplicates.filter(isUnclear).map(({ id }) => toText(id));
	const found = ids.length === 1 ? 'There is a withdrawal' : `There are ${ids.length} withdrawals`;
	const payout = `${formatReais(amount)} to this PIX key`;
	const what =
		unclear.length === 0
			? `${found} of ${payout} from the last ${period}`
			: `${found} from the last ${period} that may have paid ${payout}`;
	const why =
		unclear.length === 0
			? ''
			: `The service does not show clearly how much ${unclear.join(' and ')} paid, or to whom. `;
	return new ApiFailure({
		code: 'POSSIBLE_DUPLICATE',
		message: `${what}, so it was not paid again`,
		description: `${ids.length === 1 ? 'Its ID' : 'Their IDs'}: ${ids.join(', ')}. ${why}${WHAT_NOW[reason]}`,
		httpStatus: null,
		retryable: false,
		effect: mayBeOwn ? 'unknown' : 'none',
		withdrawalIds: ids,
		...omitUndefined({ reference: reference?.shown }),
		concernsItemOnly: true,
	});
}

const ANOTHER_PAYOUT =
	'If this is another payout of the same amount, run a new execution with only this item, with Never in Options > Duplicate Guard. Next time, give each payout a reference.';
const WHAT_NOW: Record<GuardReason, string> = {
	always: ANOTHER_PAYOUT,
	manual: ANOTHER_PAYOUT,
	subExecution:
		'This workflow was called by another one. When that one is retried, nothing distinguishes a repetition from a new payment. If this is a new one, fill in Reference, for example with the invoice number.',
	agentTool:
		'Tell the requester. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it. To pay it once more, pay it in a workflow without an agent.',
	retriedWithoutTrace:
		'This is a retried execution, and its first attempt may have paid. If it did not, turn on Options > Allow Retry After 24 Hours and retry again.',
};
