import { getBirth, type ExecutionFacts } from '../../shared/orders/executionIdentity';
import { isKeyAlive } from '../../shared/orders/key';
import type { Order, PaidContent } from '../../shared/orders/order';
import type { ApiRecord } from '../../shared/transport/schemas';
import { DAY_MS, toBrasiliaTime } from '../../shared/text/time';
import { centsOfAnswer, formatReais } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import type { OrderItem, OrderRun } from '../execution/orderProcessor';
import type { Finding } from '../ledger/absence';
import { looksLike, searchList, isLiving, isSamePayout } from './samePayout';
import { CLOCKS_DIFFER_MS, type AccountHistory } from '../ledger/accountHistory';
import { PROOF_MS } from '../ledger/protocol';
import { inDoubt } from './texts';
import { listIds } from '../ledger/texts';

/** How far back a list is read if nothing shows when it was first sent: n8n keeps executions so long. */
const EXECUTIONS_KEPT_MS = 14 * DAY_MS;

/**
 * What has to be known before a payout without a reference is sent, see the states of `OrderRecord`.
 * - `send`: nothing. While its key lives and the content is the same, the service is asked under it.
 * - `prove`: an earlier attempt may have paid, and the key does not show it. Only a list proves that
 *   nothing was paid, some time after the last attempt (`triedAt`).
 * - `findEarlierSelf`: n8n remembers nothing of the first attempt. Before somebody corrected the amount,
 *   this item may have paid another one to the same PIX key.
 * - `stop`: it was sent with another API key, and only that one certainly shows it.
 */
export type Before =
	| { readonly do: 'send' }
	| { readonly do: 'stop' }
	| { readonly do: 'findEarlierSelf'; readonly since: number }
	| {
			readonly do: 'prove';
			readonly since: number;
			readonly triedAt: number | undefined;
			/** As for `findEarlierSelf`. */
			readonly mayDiffer: boolean;
	  };

/** Times in epoch ms. */
export interface KnownOfOrder {
	readonly order: Pick<Order, 'record' | 'change'>;
	/** Names the API key in use. */
	readonly keyId: string;
	/** Whether the execution remembers what was sent, see `OrderMemory`. */
	readonly isComplete: boolean;
	/** The user has checked that nothing was paid. */
	readonly allowLate: boolean;
}

/** Decides what has to be known first. Not called for what is known to be done. */
export function planBefore(
	{ order: { record, change }, keyId, isComplete, allowLate }: KnownOfOrder,
	facts: ExecutionFacts,
	now: number,
): Before {
	const { state, firstUsedAt, lastTriedAt } = record;
	// A time in the future was written by a clock that was wrong.
	const sinceBegin = (time: number | undefined) =>
		time !== undefined && time <= now ? time : now - EXECUTIONS_KEPT_MS;
	if (allowLate) return { do: 'send' };
	if (state === 'unclear') {
		if (record.keyId !== keyId) return { do: 'stop' };
		if (isKeyAlive(firstUsedAt, now) && change !== 'changed') return { do: 'send' };
		const since = sinceBegin(firstUsedAt);
		return { do: 'prove', since, triedAt: lastTriedAt, mayDiffer: false };
	}
	if (facts.mode !== 'retry' || facts.isAgentTool) return { do: 'send' };
	// Another retry may have sent it, under the same key.
	const birth = getBirth(facts);
	const usedAt = firstUsedAt ?? birth;
	const isKnown = state === 'sent' || (isComplete && change !== 'corrected');
	if (usedAt === undefined && state === 'sent') return { do: 'send' };
	if (!isKeyAlive(usedAt, now)) {
		const mayDiffer = !isKnown && usedAt !== undefined;
		return { do: 'prove', since: sinceBegin(birth), triedAt: undefined, mayDiffer };
	}
	return isKnown ? { do: 'send' } : { do: 'findEarlierSelf', since: sinceBegin(birth) };
}

/** What the list of withdrawals shows about payouts without a reference, in one run of the node. */
export class UnreferencedPayouts {
	/** How many items ask for each payout. */
	private readonly requested = new Map<string, number>();

	constructor(
		private readonly orders: OrderRun,
		private readonly history: AccountHistory,
	) {}

	/** To be called with all items of the run, before the first is settled. */
	begin(items: readonly OrderItem[]): void {
		for (const item of items) {
			const name = payoutName(getContent(item));
			this.requested.set(name, (this.requested.get(name) ?? 0) + 1);
		}
	}

	/**
	 * Resolves if nothing that may have been paid stands in the way.
	 * @throws ApiFailure if it is in doubt
	 */
	async clear(item: OrderItem): Promise<void> {
		const { order, request, call } = item;
		const { facts, memory } = this.orders.book;
		const known = { order, ...request, isComplete: memory.isComplete };
		const before = planBefore(known, facts, call.now());
		if (before.do === 'send') return;
		if (before.do === 'stop') throw inDoubt(order, getContent(item).cents, OTHER_KEY);
		if (before.do === 'prove') await this.prove(item, before);
		if (before.do === 'findEarlierSelf' || (before.do === 'prove' && before.mayDiffer)) {
			await this.findEarlierSelf(item, before.since);
		}
	}

	/** What the list shows that may be this payout, since the execution began. */
	async findSinceBirth(item: OrderItem): Promise<Finding> {
		const birth = getBirth(this.orders.book.facts) ?? item.call.now() - EXECUTIONS_KEPT_MS;
		return await this.find(item, birth);
	}

	private async find(item: OrderItem, since: number, notBefore?: number): Promise<Finding> {
		const { cents, pixKey } = getContent(item);
		const others = this.othersThan(item);
		const reading = await this.history.since(since, notBefore);
		return searchList(reading, looksLike(cents, pixKey), (id) => others.has(id));
	}

	private async prove(
		item: OrderItem,
		{ since, triedAt }: Extract<Before, { do: 'prove' }>,
	): Promise<void> {
		const { order, call } = item;
		const { cents } = getContent(item);
		const from = triedAt === undefined ? -Infinity : triedAt + PROOF_MS;
		if (call.now() < from) {
			const reason = `An earlier attempt may have paid. Run this again after ${toBrasiliaTime(from, 'up')}: by then, the list of withdrawals shows whether it did.`;
			throw inDoubt(order, cents, reason, { retryable: true });
		}
		const finding = await this.find(item, since - CLOCKS_DIFFER_MS, from);
		if (finding.state === 'absent') return order.recordAbsent();
		if (finding.state === 'unreadable') {
			throw inDoubt(order, cents, finding.reason, { retryable: finding.retryable });
		}
		const { ids } = finding;
		const reason = `The list of withdrawals shows ${formatReais(cents)} to the same PIX key (${listIds(ids)}), and nothing shows whose payout that is.`;
		throw inDoubt(order, cents, triedAt === undefined ? `${FIRST_ATTEMPT} ${reason}` : reason, {
			ids,
		});
	}

	private async findEarlierSelf(item: OrderItem, since: number): Promise<void> {
		const { order, call } = item;
		const content = getContent(item);
		const reading = await this.history.since(since);
		if ('failure' in reading) {
			const { message } = reading.failure;
			call.hint(`${UNSEEN} cannot be read (${message}). ${PROTECTED}`);
			return;
		}
		if (!reading.isComplete) call.hint(`${UNSEEN} cannot be read completely. ${PROTECTED}`);
		const others = this.othersThan(item);
		const rows = reading.rows.filter((row) => isLiving(row) && !others.has(toText(row.id)));
		const stray = findStray(rows, content, this.requested);
		if (stray === undefined) return;
		const id = toText(stray.id);
		throw inDoubt(
			order,
			content.cents,
			`Since this execution began, another amount was paid to the same PIX key (ID ${id}): perhaps by an earlier attempt of this item, before it was changed.`,
			{ ids: [id] },
		);
	}

	/** IDs of the withdrawals that this execution knows to be those of its other orders. */
	private othersThan({ order }: OrderItem): ReadonlySet<string> {
		const ids = this.orders.book.memory.doneIds;
		if (order.doneId !== undefined) ids.delete(order.doneId);
		return ids;
	}
}

/**
 * A payout of another amount to the same PIX key, beyond those that the items of the run ask for.
 * @param requested how many items ask for each payout
 */
function findStray(
	rows: readonly ApiRecord[],
	{ cents: asked, pixKey }: PaidContent,
	requested: ReadonlyMap<string, number>,
): ApiRecord | undefined {
	const paid = new Map<string, number>();
	return rows.find((row) => {
		const cents = centsOfAnswer(row.netAmount);
		if (cents === null || cents === asked || !isSamePayout(row, { cents, pixKey })) return false;
		const name = payoutName({ cents, pixKey });
		paid.set(name, (paid.get(name) ?? 0) + 1);
		return (paid.get(name) ?? 0) > (requested.get(name) ?? 0);
	});
}

const FIRST_ATTEMPT = 'This is a retried execution, and its first attempt may have paid.';
const UNSEEN = 'n8n remembers nothing of the first attempt, and the list of withdrawals';
const PROTECTED = 'The idempotency key protects rows that were not changed since.';
const OTHER_KEY =
	'It was sent with another API key, and nothing shows that both belong to the same account. Choose the credential that it was sent with, and retry this execution. If that key no longer works, look the payout up.';

/** What the order was sent with, which may differ from what is asked for now. */
export function getContent({ order, draft }: OrderItem): PaidContent {
	const { cents, pixKey } = order.record;
	if (cents !== undefined && pixKey !== undefined) return { cents, pixKey };
	if (draft.payout === undefined) throw new TypeError('This is no payout');
	return draft.payout;
}

function payoutName({ cents, pixKey }: PaidContent): string {
	return `${cents} ${pixKey.value}`;
}
