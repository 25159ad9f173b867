import type { IDataObject } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../../../shared/failures/failure';
import { centsOfAnswer } from '../../../../shared/validation/money';
import { toText } from '../../../../shared/validation/text';
import { toFailure } from '../../../../shared/failures/itemError';
import { KeyedMutex } from '../../../../shared/concurrency/keyedMutex';
import { hasDurableStore } from '../../../../shared/n8n/durableStore';
import { planLookUps, type GuardMode } from '../../../../shared/orders/duplicateCheck';
import { fingerprint } from '../../../../shared/orders/key';
import { getLastAccount } from '../../../../shared/orders/orderMemory';
import type { ApiRecord } from '../../../../shared/transport/schemas';
import {
	CHANGED_AFTER_SUCCESS,
	madeInOtherEnvironment,
	type OrderDesk,
	type OrderItem,
	type OrderRun,
} from '../../../execution/orderRun';
import type { ItemResult } from '../../../execution/operation';
import { DuplicateGuard, parseGuardMode } from './duplicates/duplicateGuard';
import { isFailed, isPaid, showsPayout } from './duplicates/duplicates';
import { OwnPayouts } from './ownPayouts';
import {
	inDoubt,
	notPaid,
	overLimit,
	notShown,
	usedByOtherAccount,
	referenceMismatch,
	stopped,
} from './payoutFailures';
import { judgeLimits, LIMIT_CODE, parseNodeLimits } from './limits/payoutLimits';
import { isReplayed } from './replay';
import { PayoutHistory } from './history/payoutHistory';
import { getOrderName } from './orderName';
import { ReferenceJournal } from './referenceJournal';
import { Spending } from './limits/spending';
import type { Cents } from '../../../../shared/validation/money';
import { omitUndefined } from '../../../../shared/text/omitUndefined';

export const spending = new Spending();

/**
 * One payout at a time for each order, over all executions of this process: what one of them finds out
 * about the keys of an order, the next one has to know.
 */
const turns = new KeyedMutex();

/** After this many refusals by the bank under one reference, a person has to look at it. */
const MAX_REFUSALS = 20;

/**
 * Settles the payouts of one run of the node. Three ledgers know what was paid before: the memory of
 * the execution, the journal of references, and the service with its list.
 */
export class PayoutDesk implements OrderDesk {
	private readonly history: PayoutHistory;
	private readonly journal: ReferenceJournal;
	private readonly own: OwnPayouts;
	private readonly guard: DuplicateGuard;
	/** For each item whose reference an earlier item has: that earlier item. */
	private readonly leaders = new Map<OrderItem, OrderItem>();
	private readonly results = new Map<OrderItem, Promise<ItemResult>>();
	private readonly refusals = new Map<OrderItem, Failure>();
	/** What this run may pay: centavos, by idempotency key. */
	private readonly reserved = new Map<string, Cents>();

	constructor(private readonly run: OrderRun) {
		this.history = new PayoutHistory(run);
		this.journal = new ReferenceJournal(run, this.history);
		this.own = new OwnPayouts(run, this.history, this.journal);
		this.guard = new DuplicateGuard(run, this.history);
	}

	async begin(items: readonly OrderItem[]): Promise<ReadonlyArray<Failure | undefined>> {
		const { context } = this.run.run;
		const limits = parseNodeLimits(context.getNode().parameters as IDataObject);
		for (const item of items) this.getGuardMode(item);
		this.findLeaders(items);

		const candidates = items.filter(
			(item) => !this.leaders.has(item) && !this.refusals.has(item) && !item.order.isDone,
		);
		const refused = await this.journal.begin(candidates.filter(isRemembered));
		for (const [item, failure] of refused) this.refusals.set(item, failure);
		await this.findLaterKeys(candidates);

		const payouts = items.map((item) =>
			this.refusals.has(item) ||
			this.leaders.has(item) ||
			this.isPaidBefore(item) ||
			item.order.isUnclear
				? undefined
				: item.draft.payout,
		);
		const { identity, spent } = this.run.book.memory;
		const overs = judgeLimits(payouts, limits, spending.total(identity, spent));
		items.forEach((item, index) => {
			const over = overs[index];
			if (over) this.refusals.set(item, overLimit(item.order, LIMIT_CODE, over));
			else if (payouts[index]) this.reserved.set(item.order.record.key, payouts[index].amount);
		});
		spending.reserve(identity, this.reserved);
		this.own.noteRequested(items);
		for (const item of candidates) {
			const { match } = this.lookUpsFor(item);
			if (match && !this.refusals.has(item)) this.own.expect(item);
		}
		return items.map((item) => this.refusals.get(item));
	}

	async settle(item: OrderItem): Promise<ItemResult> {
		const leader = this.leaders.get(item);
		if (leader !== undefined) return await this.follow(leader);
		const result = this.inTurn(item, async () => await this.settleOnce(item, 0));
		this.results.set(item, result);
		return await result;
	}

	/** The turn of another execution may take minutes; an execution that is stopped does not wait for it. */
	private async inTurn(item: OrderItem, work: () => Promise<ItemResult>): Promise<ItemResult> {
		const { call, order } = item;
		let hasBegun = false;
		const turn = turns.run(getOrderName(item), async () => {
			if (call.isCancelled) throw stopped(order);
			hasBegun = true;
			return await work();
		});
		const stop = call.cancelled.then(async () => {
			if (!hasBegun) throw stopped(order);
			// What has begun is awaited: it may take effect.
			return await turn;
		});
		return await Promise.race([turn, stop]);
	}

	async end(): Promise<void> {
		// The execution itself remembers what took effect, or may have.
		spending.release(this.run.book.memory.identity, this.reserved.keys());
		await this.journal.end();
	}

	/**
	 * Whether Duplicate Guard would stop the same payouts if Execute were pressed again: with a live
	 * key it is on unless turned off, and it could read the list in this run.
	 */
	stopsNextPress(): boolean {
		const { context, client } = this.run.run;
		const options = (context.getNode().parameters.options ?? {}) as IDataObject;
		const isOn =
			(options.duplicateGuard ?? 'automatic') !== 'never' && options.idempotencyKey === undefined;
		const isLive = client.connection.environment === 'production';
		return isOn && isLive && context.getMode() === 'manual' && !this.guard.wasBlind;
	}

	/** An execution that is retried more than once: the other retry may have used later keys. */
	private async findLaterKeys(items: readonly OrderItem[]): Promise<void> {
		if (this.run.book.facts.mode !== 'retry') return;
		const automatic = items.filter(({ order }) => !order.isDurable && !order.hasOwnKey);
		// Without the journal, the list of withdrawals and the memory of the execution protect them.
		await this.journal.laterKeys.find(automatic).catch(() => undefined);
	}

	/** Two items of one run with the same reference are one payout. */
	private findLeaders(items: readonly OrderItem[]): void {
		const first = new Map<string, OrderItem>();
		for (const item of items) {
			const { reference } = item.order;
			if (reference === undefined) continue;
			if (!hasDurableStore(item.call.context)) {
				item.call.hint(
					'This n8n cannot remember references. The idempotency key protects these payouts for 24 hours, and not longer.',
				);
			}
			if (reference.isNormalized) {
				item.call.hint(
					'References are compared without blanks at the ends and in Unicode form NFC. At least one was entered in another form.',
				);
			}
			const leader = first.get(reference.value);
			if (leader === undefined) first.set(reference.value, item);
			else if (getContent(leader) === getContent(item)) this.leaders.set(item, leader);
			else this.refusals.set(item, referenceMismatch(item.order).failure);
		}
	}

	private async follow(leader: OrderItem): Promise<ItemResult> {
		leader.call.hint(
			'Items with the same reference were paid once, and all return the same withdrawal.',
		);
		const result = this.results.get(leader);
		if (result === undefined) throw new ApiFailure(this.refusals.get(leader) ?? LEADER_NOT_STARTED);
		const { json } = await result;
		return { json: { ...json, alreadyPaid: true } };
	}

	/** @param refusals how many payouts under this reference the bank has refused */
	private async settleOnce(item: OrderItem, refusals: number): Promise<ItemResult> {
		const { order } = item;
		const { match, guard } = this.lookUpsFor(item);
		if (order.isDone) {
			const answer = async () => await this.answerDone(item, refusals);
			// An agent that calls again wants to pay again, and has to learn that nothing was paid.
			return guard?.reason === 'agentTool'
				? await this.guard.pass(item, guard, answer)
				: await answer();
		}
		if (this.journal.isRefusedByBank(item)) return await this.payAgain(item, refusals + 1);
		const settled = this.journal.settled(item);
		if (settled !== undefined)
			return await this.answerPaid(item, settled.id, refusals, settled.row);

		if (match) {
			const found = await this.own.find(item, match, async () => await this.send(item, refusals));
			if ('row' in found) return await this.answerFound(item, found.row, refusals);
			if ('sent' in found) return found.sent;
		}
		if (order.place === 'changed')
			return await this.settleOnce(await this.replaced(item), refusals);
		if (guard)
			return await this.guard.pass(item, guard, async () => await this.send(item, refusals));
		return await this.send(item, refusals);
	}

	private async send(item: OrderItem, refusals: number): Promise<ItemResult> {
		const { order } = item;
		await this.journal.laterKeys.takeOver(item);
		order.onNextKey = async (generation) => await this.journal.laterKeys.note(item, generation);
		if (isRemembered(item)) {
			order.onStoredRefusal = async (generation, isLastWord) =>
				await this.journal.noteRefusal(item, generation, isLastWord);
			order.onSuspectedRefusal = async (generation) =>
				await this.journal.noteSuspicion(item, generation);
		}
		return await this.sendOnce(item, refusals).catch(async (error: unknown) => {
			const { code, effect } = toFailure(error);
			if (effect === 'unknown' && order.isUnclear) {
				this.guard.noteUnclear(item);
				this.journal.laterKeys.noteUnclear(item);
			}
			if (code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') {
				return await this.answerMismatch(item, error, refusals);
			}
			const isUsedUp = code === 'WITHDRAWAL_PROVIDER_UNAVAILABLE' && order.isUnclear;
			if (!isUsedUp || order.hasOwnKey) throw error;
			return await this.answerUsedUp(item, error, refusals);
		});
	}

	private async sendOnce(item: OrderItem, refusals: number): Promise<ItemResult> {
		const { call, draft, order } = item;
		const wasInDoubt = order.isUnclear;
		const { body, date } = await call.sendOrder(draft, order);
		const withdrawal = body as ApiRecord;
		if (order.doneId !== undefined) this.journal.note(item, order.doneId, true);
		this.guard.note(item);
		if (wasInDoubt && order.doneId !== undefined) {
			// A stored response of an earlier attempt says PENDING forever.
			const current = await this.read(item, order.doneId);
			if (current && isFailed(current)) {
				return await this.answerPaid(item, order.doneId, refusals, current);
			}
		}
		if (isReplayed(withdrawal, order, date, call.now(), wasInDoubt)) {
			return await this.answerPaid(item, order.doneId, refusals, undefined, withdrawal);
		}
		if (isFailed(withdrawal)) {
			order.noteRefusedByBank();
			throw notPaid(order, withdrawal);
		}
		return { json: this.output(item, withdrawal, false) };
	}

	private async answerDone(item: OrderItem, refusals: number): Promise<ItemResult> {
		const { order, request } = item;
		if ((order.record.isLive ?? false) !== request.isLive) throw madeInOtherEnvironment(order);
		return await this.answerRecorded(item, refusals);
	}

	private async answerFound(
		item: OrderItem,
		row: ApiRecord,
		refusals: number,
	): Promise<ItemResult> {
		const { call, order } = item;
		order.noteSuccess(call.now(), row);
		return await this.answerRecorded(item, refusals, row);
	}

	/** @param row the withdrawal, where the list has just shown it */
	private async answerRecorded(
		item: OrderItem,
		refusals: number,
		row?: ApiRecord,
	): Promise<ItemResult> {
		const { call, order } = item;
		if (order.place === 'changed') {
			this.checkSameReference(item);
			call.hint(CHANGED_AFTER_SUCCESS);
		}
		if (order.doneId !== undefined) this.journal.note(item, order.doneId, false);
		return await this.answerPaid(item, order.doneId, refusals, row);
	}

	/** @throws ApiFailure where the reference stands for another payout */
	private checkSameReference({ order, request, draft }: OrderItem): void {
		const { key, cents, pixKey } = order.record;
		if (key !== this.run.book.referenceKey(request)) return;
		const isSamePayout =
			cents === draft.payout?.amount && pixKey?.value === draft.payout?.pixKey.value;
		if (!isSamePayout) throw referenceMismatch(order, { id: order.doneId });
	}

	/**
	 * An item that was paid before, with the withdrawal as it is now.
	 * @param row the withdrawal, where the list has just shown it
	 * @param earlier the withdrawal as in the response to the request that made it
	 */
	private async answerPaid(
		item: OrderItem,
		id: string | undefined,
		refusals: number,
		row?: ApiRecord,
		earlier?: ApiRecord,
	): Promise<ItemResult> {
		const { call, draft, order } = item;
		const found = row ?? (await this.findPaid(item, id));
		const current = typeof found === 'string' ? undefined : found;
		if (current !== undefined && isFailed(current)) {
			order.noteRefusedByBank();
			if (order.reference === undefined || refusals >= MAX_REFUSALS) throw notPaid(order, current);
			return await this.payAgain(item, refusals + 1);
		}
		if (current === undefined) {
			// What the service has just returned under this key belongs to this account.
			const mayBeForeign = order.kind === 'reference' && earlier === undefined;
			if (mayBeForeign && (await this.journal.isFromOtherGroup(item))) {
				throw found === 'absent' ? usedByOtherAccount(order, id) : notShown(order, id);
			}
			call.hint(
				`At least one payout was made before, and its current state cannot be shown: the API key requires the scope withdrawals:read and has to belong to the account that paid, and only the newest withdrawals are searched.`,
			);
		}
		const known = current ?? earlier ?? (id === undefined ? {} : { id });
		if (order.reference !== undefined && current && !isSame(current, draft.payout?.amount)) {
			throw referenceMismatch(order, { id });
		}
		return { json: this.output(item, known, true) };
	}

	/** The bank refused the payout under this reference: the next one has its own key. */
	private async payAgain(item: OrderItem, refusals: number): Promise<ItemResult> {
		const order = this.run.book.nextGeneration(item.index, item.request, refusals);
		const next = { ...item, order };
		const [refused] = await this.journal.begin(order.isDone ? [] : [next]);
		if (refused) throw new ApiFailure(refused[1]);
		return await this.settleOnce(next, refusals);
	}

	/**
	 * What was sent before under this key had other content. If the service keeps a refusal of it,
	 * the next key may be used. Otherwise the list shows whether it was this payout.
	 */
	private async answerMismatch(
		item: OrderItem,
		error: unknown,
		refusals: number,
	): Promise<ItemResult> {
		const { order, call } = item;
		const since = (order.firstSentInRunAt ?? call.now()) - DAY_MS;
		if (isRemembered(item) && (await this.holdsRefusal(item, since))) {
			await order.useNextKey();
			return await this.send(item, refusals);
		}
		if (order.reference !== undefined) {
			const history = new PayoutHistory(this.run);
			const row = await this.findNow(item, since, history);
			if (row !== undefined) return await this.answerFound(item, row, refusals);
			const reading = await history.until(since);
			const rows = 'failure' in reading ? [] : reading.rows;
			const earlier = await this.journal.findEarlier(item, rows);
			// The service has accepted the other content, and may be about to pay it.
			if (earlier === undefined) throw referenceMismatch(order, { isOpen: true });
			throw referenceMismatch(order, { id: toText(earlier.id) });
		}
		// The error already says that the outcome is unknown.
		const row = await this.findNow(item, since).catch(() => undefined);
		if (row === undefined) throw error;
		return await this.answerFound(item, row, refusals);
	}

	/**
	 * The service keeps a refusal under the key, and an earlier response was lost. The list shows
	 * whether that attempt paid. If it did not, the next key may be used.
	 */
	private async answerUsedUp(
		item: OrderItem,
		error: unknown,
		refusals: number,
	): Promise<ItemResult> {
		const { order, call } = item;
		const now = call.now();
		let row: ApiRecord | undefined;
		try {
			row = await this.findNow(item, Math.min(order.firstUsedAt ?? now - DAY_MS, now));
		} catch (found) {
			throw toFailure(found).code === 'REFERENCE_MISMATCH' ? found : error;
		}
		if (row !== undefined) return await this.answerFound(item, row, refusals);
		await order.noteStoredRefusal(true);
		await order.useNextKey();
		return await this.send(item, refusals);
	}

	/**
	 * Whether the service keeps a refusal under the key, of content other than what is requested now,
	 * and nothing was paid under it before.
	 * @param since epoch ms
	 */
	private async holdsRefusal(item: OrderItem, since: number): Promise<boolean> {
		const { isRefused, isDoubtful } = await this.journal.findUsedUp(item);
		if (!isRefused) return false;
		// A refusal of an earlier run says nothing about an attempt since, whose outcome is not known.
		if (!isDoubtful && !item.order.isUnclear) return true;
		const reading = await new PayoutHistory(this.run).until(since);
		if ('failure' in reading || !reading.isComplete) return false;
		const paid = reading.rows.filter(isPaid);
		if (!paid.every(showsPayout)) return false;
		// What the order was sent with before, whatever this key has answered since.
		if ((await this.journal.findEarlier(item, paid)) !== undefined) return false;
		const amounts = paid.flatMap(({ netAmount }) => centsOfAnswer(netAmount) ?? []);
		return !(await this.journal.mayHavePaid(item, amounts));
	}

	/**
	 * Reads the list once more, after the service has responded.
	 * @param since epoch ms
	 * @throws ApiFailure where it stays in doubt
	 */
	private async findNow(
		item: OrderItem,
		since: number,
		history = new PayoutHistory(this.run),
	): Promise<ApiRecord | undefined> {
		const own = new OwnPayouts(this.run, history, this.journal);
		const found = await own.find(
			item,
			{ since, ifUnreadable: 'doubt', needsSameAccount: false, isUntraced: false },
			undefined,
		);
		return 'row' in found ? found.row : undefined;
	}

	/** The order that the place was bound to had no effect: what is requested now is a separate order. */
	private async replaced(item: OrderItem): Promise<OrderItem> {
		const order = this.run.book.assignNew(item.index, item.request);
		if (order.place === 'changed') {
			throw inDoubt(order, order.record.cents ?? 0, 'This item was changed after it was sent.');
		}
		const next = { ...item, order };
		if (isRemembered(next) && !order.isDone) {
			const [refused] = await this.journal.begin([next]);
			if (refused) throw new ApiFailure(refused[1]);
		}
		return next;
	}

	/** The withdrawal, which is known to have been made; undefined where it cannot be read. */
	private async read({ draft }: OrderItem, id: string): Promise<ApiRecord | undefined> {
		try {
			return await draft.current?.(id);
		} catch {
			return undefined;
		}
	}

	/**
	 * The withdrawal as it is now.
	 * @returns `absent` where the API key surely does not show it
	 */
	private async findPaid(
		item: OrderItem,
		id: string | undefined,
	): Promise<ApiRecord | 'absent' | 'unreadable'> {
		if (id === undefined) return this.journal.isAbsent(item) ? 'absent' : 'unreadable';
		try {
			return (await item.draft.current?.(id)) ?? 'unreadable';
		} catch (error) {
			return toFailure(error).code === 'NOT_FOUND' ? 'absent' : 'unreadable';
		}
	}

	private output({ order }: OrderItem, withdrawal: ApiRecord, alreadyPaid: boolean): IDataObject {
		const { reference } = order;
		return {
			...(withdrawal as IDataObject),
			...omitUndefined({ reference: reference?.value }),
			...(reference === undefined && !alreadyPaid ? {} : { alreadyPaid }),
		};
	}

	private isPaidBefore(item: OrderItem): boolean {
		return item.order.isDone || this.journal.isSettled(item);
	}

	private getGuardMode({ call }: OrderItem): GuardMode {
		return parseGuardMode(call.option('duplicateGuard'));
	}

	private lookUpsFor(item: OrderItem): ReturnType<typeof planLookUps> {
		const { call, order, request } = item;
		return planLookUps(
			{
				kind: order.kind,
				record: order.record,
				place: order.place,
				isSameAccount:
					getLastAccount(order.record) === request.account && this.journal.isSameAccount(item),
				isInherited: this.run.book.memory.isInherited,
			},
			this.run.book.facts,
			{
				mode: this.getGuardMode(item),
				isLive: request.isLive,
				allowLate: request.allowLate,
				journal: this.journal.getDoubt(item),
			},
			call.now(),
		);
	}
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What a reference stands for. A recipient document that is filled in later does not make it
 * another payout.
 */
function getContent({ draft }: OrderItem): string {
	return fingerprint([draft.payout?.amount, draft.payout?.pixKey.value]);
}

function isSame({ netAmount }: ApiRecord, cents: number | undefined): boolean {
	const paid = centsOfAnswer(netAmount);
	return paid === null || paid === cents;
}

const LEADER_NOT_STARTED: Failure = {
	code: 'NOT_STARTED',
	message: 'Another item with the same reference was not started, so this one was not either',
	description: 'Nothing was sent. Run the workflow again.',
	httpStatus: null,
	retryable: true,
	effect: 'none',
};

function isRemembered({ order, call }: OrderItem): boolean {
	return hasDurableStore(call.context) && order.isDurable;
}
