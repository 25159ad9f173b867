import type { INodeProperties } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../../../../shared/failures/failure';
import { InputError } from '../../../../../shared/validation/inputError';
import { KeyedMutex } from '../../../../../shared/concurrency/keyedMutex';
import type { Guard, GuardMode } from '../../../../../shared/orders/duplicateCheck';
import type { ApiRecord } from '../../../../../shared/transport/schemas';
import type { ItemResult } from '../../../../execution/operation';
import type { OrderItem, OrderRun } from '../../../../execution/orderRun';
import { toFailure } from '../../../../../shared/failures/itemError';
import { duplicateFound, isPaid, isSamePayout } from './duplicates';
import type { PayoutHistory } from '../history/payoutHistory';
import { RecentPayouts, type RecentPayout } from '../history/recentPayouts';
import { stillUnclear } from '../payoutFailures';
import { LATE_BOOKING_MS, UnclearPayouts } from '../history/unclearPayouts';
import { MAX_HISTORY_PAGES } from '../history/withdrawalHistory';

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
			if (duplicates.length > 0) throw duplicateFound(duplicates, payout, guard, item.order);
			const late = unclear.findOther(getPayout(item), this.getSender(item), item.call.now());
			// In a retry without a trace, this may be its own first attempt, and the list was searched
			// for it.
			if (late && guard.reason !== 'retriedWithoutTrace')
				throw stillUnclear(item.order, payout.amount, late.at, late.at + LATE_BOOKING_MS);
			if (guard.reason === 'retriedWithoutTrace') item.order.noteLookedUp();
			return await send();
		});
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
		const reading = await this.history.until(since);
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
