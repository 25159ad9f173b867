import type { IDataObject } from 'n8n-workflow';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import { omitUndefined } from '../../shared/text/omitUndefined';
import type { ApiRecord } from '../../shared/transport/schemas';
import { toText } from '../../shared/validation/text';
import { ItemCall } from '../execution/itemCall';
import type { ItemResult } from '../execution/draft';
import { CHANGED_AFTER_SUCCESS, madeInOtherEnvironment } from '../execution/orderRun';
import type { OrderItem, OrderProcessor, OrderRun, TakenBack } from '../execution/orderProcessor';
import { UNKNOWN_STATUS } from '../execution/runSummary';
import type { Finding } from '../ledger/absence';
import { claimWithdrawal, isReplayed } from '../ledger/origin';
import { openLedger } from '../ledger/dataTable';
import {
	DuplicateGuard,
	parseGuardMode,
	planGuard,
	type GuardMode,
	type GuardReason,
} from './guard';
import { AccountHistory } from '../ledger/accountHistory';
import { withoutOthers, type LedgerStore } from '../ledger/ledger';
import { referenceOf } from '../ledger/ledgerRun';
import { ledgerUnavailable } from '../ledger/texts';
import { checkLimits, LIMIT_CODE, parseNodeLimits, type PayoutLimits } from './limits';
import { PAYOUT } from './payoutKind';
import { ReferencedOrders } from '../ledger/referencedOrders';
import { isFailed } from './samePayout';
import { SharedReferences } from '../ledger/sharedReferences';
import { belongsToOther, NOT_SHOWN, notPaid, overLimit, sharedReference, untraced } from './texts';
import { getContent, UnreferencedPayouts } from './unreferenced';

/**
 * The payouts of one run of the node: those with a reference follow the ledger, the others their key and
 * what the execution remembers.
 */
export class PayoutRun implements OrderProcessor {
	private readonly store: LedgerStore;
	private readonly referenced: ReferencedOrders;
	private readonly unreferenced: UnreferencedPayouts;
	private readonly guard: DuplicateGuard;
	private limits: PayoutLimits | undefined;
	private mode: GuardMode | undefined;
	private readonly shared = new SharedReferences(asksForSame, ({ order }, first) =>
		sharedReference(order, first.index + 1),
	);
	/** First keys of the payouts that are counted before they are sent. */
	private readonly reserved = new Set<string>();

	constructor(private readonly orders: OrderRun) {
		const history = new AccountHistory(new ItemCall(orders.node, 0));
		this.store = openLedger(orders.node.context);
		this.referenced = new ReferencedOrders(orders, this.store, PAYOUT);
		this.unreferenced = new UnreferencedPayouts(orders, history);
		this.guard = new DuplicateGuard(orders, history);
	}

	async begin(items: readonly OrderItem[]): Promise<ReadonlyArray<Failure | undefined>> {
		const { context } = this.orders.node;
		this.limits = parseNodeLimits(context.getNode().parameters as IDataObject);
		this.guardMode();
		this.unreferenced.begin(items);
		if (items.some(({ order }) => order.reference?.isNormalized))
			this.orders.node.hints.add(NORMALIZED);
		const { shared } = this;
		shared.begin(items);
		const findNamed = () => shared.open.filter(({ order }) => order.kind === 'reference');
		shared.refuse(await this.referenced.ask(findNamed()));
		shared.refuse(await this.refuseUntraced(await this.findUntraced(findNamed())));
		shared.refuse(await this.refuseLate(findNamed()));
		const toBeSent = shared.open.filter((item) => this.isToBeSent(item));
		shared.refuse(this.reserveWithinLimits(toBeSent, this.limits));
		shared.refuse(await this.referenced.claim(findNamed()));
		return shared.outcomes;
	}

	async settle(item: OrderItem): Promise<ItemResult> {
		const start = async (first: OrderItem) => await this.start(first);
		const { json, isShared } = await this.shared.settle(item, start);
		if (!isShared) return { json };
		item.call.hint(
			'Items with the same reference were paid once, and all return the same withdrawal.',
		);
		return { json: { ...json, alreadyPaid: true } };
	}

	async end(): Promise<TakenBack | undefined> {
		// The memory counts what took effect. What was not sent must not use up Largest Total.
		for (const key of this.reserved) this.orders.book.memory.reserve(key, undefined);
		return await this.referenced.end();
	}

	/**
	 * Whether Duplicate Guard would stop the same payouts if Execute were pressed again: with a live
	 * key it is on unless turned off, and it could read the list in this run.
	 */
	stopsNextPress(): boolean {
		const { context, client } = this.orders.node;
		const isOn = this.guardMode() !== 'never' && this.options.idempotencyKey === undefined;
		const isLive = client.connection.environment === 'production';
		return isOn && isLive && context.getMode() === 'manual' && !this.guard.wasBlind;
	}

	private get options(): IDataObject {
		return (this.orders.node.context.getNode().parameters.options ?? {}) as IDataObject;
	}

	/** The default of the option is for a person who adds it: without it, Automatic applies. */
	private guardMode(): GuardMode {
		return (this.mode ??= parseGuardMode(this.options.duplicateGuard));
	}

	private async start(item: OrderItem): Promise<ItemResult> {
		const { order, request, call } = item;
		const settings = { mode: this.guardMode(), isLive: request.isLive };
		const reason = planGuard(order, this.orders.book.facts, settings, call.now());
		const pay = async () => await this.pay(item);
		// The guard stops at an equal payout of another execution.
		return await (reason === undefined ? pay() : this.guard.pass(item, reason, pay));
	}

	/**
	 * A retry that remembers nothing: another node failed before this one, or n8n was killed. If the
	 * ledger does not know a reference either, the first attempt may have paid before it was filled in,
	 * unless the list shows no such payout.
	 */
	private async findUntraced(items: readonly OrderItem[]): Promise<Map<OrderItem, Finding>> {
		const { facts, memory } = this.orders.book;
		const found = new Map<OrderItem, Finding>();
		if (memory.isComplete || facts.isAgentTool) return new Map();
		for (const item of items) {
			if (item.request.allowLate || !this.referenced.isUnknown(item)) continue;
			found.set(item, await this.unreferenced.findSinceBirth(item));
		}
		return found;
	}

	/**
	 * Asks the ledger, in one call, whose the withdrawals are that may be these items.
	 * @param found what the list shows of items that the ledger does not know
	 * @returns why items are not sent
	 */
	private async refuseUntraced(
		found: ReadonlyMap<OrderItem, Finding>,
	): Promise<Map<OrderItem, Failure>> {
		const toIds = (finding: Finding) => (finding.state === 'candidates' ? finding.ids : []);
		const named = this.store.findWithdrawals([...found.values()].flatMap(toIds));
		const rows = await named.catch((error: Error) => error);
		const refuse = (item: OrderItem, finding: Finding): ApiFailure | undefined => {
			if (finding.state === 'absent') return undefined;
			if (finding.state === 'candidates') {
				if (rows instanceof Error) return ledgerUnavailable(item.order, rows, true);
				if (withoutOthers(finding.ids, rows, referenceOf(item)).length === 0) return undefined;
			}
			return untraced(item.order, finding);
		};
		const refusals = [...found].map(([item, finding]) => [item, refuse(item, finding)] as const);
		return new Map(
			refusals.flatMap(([item, refusal]) => (refusal ? [[item, refusal.failure]] : [])),
		);
	}

	/** A reference that the ledger has never seen may have been filled in after its payout was made without it. */
	private async refuseLate(items: readonly OrderItem[]): Promise<Map<OrderItem, Failure>> {
		const { facts } = this.orders.book;
		// To an agent, each payout is compared when its turn comes, with a reference or without.
		if (facts.isAgentTool) return new Map();
		const mode = this.guardMode();
		const reasons = new Map<OrderItem, GuardReason>();
		for (const item of items) {
			const settings = { mode, isLive: item.request.isLive, isNewReference: true };
			const reason = planGuard(item.order, facts, settings, item.call.now());
			if (reason !== undefined && this.referenced.isUnknown(item)) reasons.set(item, reason);
		}
		if (reasons.size === 0) return new Map();
		const inDoubt = items.filter((item) => this.referenced.mayHavePaid(item));
		return await this.guard.findLate(reasons, inDoubt, this.store);
	}

	/** In doubt without a reference: it was within the limits before, and is asked about under its key. */
	private isToBeSent(item: OrderItem): boolean {
		const { kind, isDone, isUnclear } = item.order;
		return kind === 'reference' ? this.referenced.isToBeSent(item) : !isDone && !isUnclear;
	}

	/** Reserves what is within the limits. @returns why the others are not sent */
	private reserveWithinLimits(
		items: readonly OrderItem[],
		limits: PayoutLimits,
	): Map<OrderItem, Failure> {
		const { memory } = this.orders.book;
		const refusals = new Map<OrderItem, Failure>();
		// What this execution has tried before is about to be tried again, and counts once.
		const spent = memory.spentBesides(new Set(items.map(({ order }) => order.record.key)));
		const payouts = items.map(({ draft }) => draft.payout);
		const overs = checkLimits(payouts, limits, spent);
		items.forEach((item, index) => {
			const over = overs[index];
			const { order, draft } = item;
			if (over) {
				refusals.set(item, overLimit(order, LIMIT_CODE, over, this.mayHavePaid(item)));
			} else if (draft.payout) {
				memory.reserve(order.record.key, draft.payout.cents);
				this.reserved.add(order.record.key);
			}
		});
		return refusals;
	}

	/** For a payout that turned out only now not to have been paid: the bank refused the earlier one. */
	private allow(item: OrderItem): void {
		if (this.reserved.has(item.order.record.key) || this.limits === undefined) return;
		const refusal = this.reserveWithinLimits([item], { ...this.limits, refuses: 'item' }).get(item);
		if (refusal) throw new ApiFailure(refusal);
	}

	/** Whether an attempt may have paid that this run knows nothing of. */
	private mayHavePaid(item: OrderItem): boolean {
		const { kind, record } = item.order;
		if (kind === 'reference') return this.referenced.mayHavePaid(item);
		return this.orders.book.mayHaveUnknownEffect(record);
	}

	private async pay(item: OrderItem): Promise<ItemResult> {
		const { kind, isDone } = item.order;
		if (kind === 'reference') return await this.payNamed(item);
		return isDone ? await this.answerDone(item) : await this.send(item);
	}

	/** An agent may name the same payout twice, by two references, before the list shows the first one. */
	private async payNamed(item: OrderItem): Promise<ItemResult> {
		const settled = this.referenced.settle(item, () => this.allow(item));
		if (!this.orders.book.facts.isAgentTool) return await settled;
		const result = await settled.catch((error: unknown): never => {
			if (toFailure(error).effect === 'unknown') this.guard.remember(item, undefined);
			throw error;
		});
		this.guard.remember(item, toText(result.json.id));
		return result;
	}

	private async send(item: OrderItem): Promise<ItemResult> {
		await this.unreferenced.clear(item);
		const { order } = item;
		if (order.change !== 'changed') return await this.sendOnce(item);
		// The order that the row was bound to had no effect: what is asked for now is another one.
		const next = { ...item, order: this.orders.book.assignNew(item.index, item.request) };
		if (next.order.kind === 'reference') return await this.payByReference(next);
		this.allow(next);
		await this.unreferenced.clear(next);
		return await this.sendOnce(next);
	}

	/** An item that was sent without its reference, which certainly had no effect. */
	private async payByReference(item: OrderItem): Promise<ItemResult> {
		const refusal = (await this.referenced.ask([item])).get(item);
		if (refusal) throw new ApiFailure(refusal);
		return await this.payNamed(item);
	}

	private async sendOnce(item: OrderItem): Promise<ItemResult> {
		const { call, draft, order } = item;
		const wasInDoubt = order.isUnclear;
		const { body, date } = await call.sendOrder(draft, order).catch((error: unknown): never => {
			const { effect } = toFailure(error);
			if (effect === 'unknown' && order.isUnclear) this.guard.remember(item, undefined);
			throw error;
		});
		const withdrawal = body as ApiRecord;
		const id = toText(withdrawal.id);
		// Of two retries at once, each gets the answer to the request of both, and one of them has paid.
		const { wasNamed, others } = claimWithdrawal(id, order.key, call.now());
		// Something on the way may mix up the answers of two executions.
		if (others.length > 0) order.recordDisputed(call.now());
		if (!order.isDone) throw belongsToOther(order, getContent(item).cents, id);
		this.guard.remember(item, id);
		const isReplay = wasNamed || isReplayed(withdrawal, order, date, call.now());
		// A stored response to an earlier attempt says PENDING forever.
		const isOld = wasInDoubt || isReplay;
		const current = isOld ? await read(item, id) : undefined;
		const shown = current ?? withdrawal;
		if (isFailed(shown)) throw notPaid(order, shown);
		const isStale = isOld && current === undefined;
		if (isStale) call.hint(NOT_SHOWN);
		await this.referenced.recordAdded(item, id);
		const json: IDataObject = {
			...(shown as IDataObject),
			...(isStale ? { status: UNKNOWN_STATUS } : {}),
			...(isReplay ? { alreadyPaid: true } : {}),
		};
		return { json };
	}

	/** What this execution has paid, as it is now. */
	private async answerDone(item: OrderItem): Promise<ItemResult> {
		const { order, request, call } = item;
		if ((order.record.isLive ?? false) !== request.isLive) throw madeInOtherEnvironment(order);
		if (order.change === 'changed') call.hint(CHANGED_AFTER_SUCCESS);
		const { doneId } = order;
		const current = doneId === undefined ? undefined : await read(item, doneId);
		if (current && isFailed(current)) throw notPaid(order, current);
		if (current === undefined) call.hint(NOT_SHOWN);
		if (doneId !== undefined) await this.referenced.recordAdded(item, doneId);
		const known = current ?? omitUndefined({ id: doneId, status: UNKNOWN_STATUS });
		return { json: { ...(known as IDataObject), alreadyPaid: true } };
	}
}

/** The withdrawal, which is known to have been made; undefined if it cannot be read. */
async function read({ draft }: OrderItem, id: string): Promise<ApiRecord | undefined> {
	return await draft.current?.(id).catch(() => undefined);
}

/**
 * Whether two items ask for one payout. A recipient document that is filled in does not make it another
 * one.
 */
function asksForSame({ draft: one }: OrderItem, { draft: other }: OrderItem): boolean {
	const isSameKey = one.payout?.pixKey.value === other.payout?.pixKey.value;
	return isSameKey && one.payout?.cents === other.payout?.cents;
}

const NORMALIZED =
	'References are compared without blanks at the ends, without invisible characters and in Unicode form NFC. At least one was entered in another form.';
