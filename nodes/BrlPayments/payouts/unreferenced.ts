import { getBirth, type ExecutionFacts } from '../../shared/orders/executionIdentity';
import { isKeyAlive } from '../../shared/orders/keyExpiry';
import type { Order } from '../../shared/orders/order';
import { getLastAccount } from '../../shared/orders/orderMemory';
import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, formatReais } from '../../shared/validation/money';
import type { OrderItem, OrderRun } from '../execution/orderRun';
import { looksLike, searchList, type Finding } from './absence';
import { EXECUTIONS_KEPT_MS } from './guard';
import type { PayoutHistory } from './history';
import { PROOF_MS } from './protocol';
import { isPaid, isSamePayout, type PaidContent } from './samePayout';
import { inDoubt, listIds } from './texts';

/**
 * What has to be known before a payout without a reference is sent. Its key protects it for 24 hours,
 * whatever else is known: while it lives and the content is the same, the service is asked.
 * - `send`: under its key
 * - `prove`: an earlier attempt may have paid, and the key does not show it. Only a list proves that
 *   nothing was paid, some time after the last attempt (`triedAt`).
 * - `findEarlierSelf`: n8n was killed and remembers nothing of the first attempt. Before somebody
 *   corrected the amount, this item may have paid another one to the same PIX key.
 * - `stop`: it was sent with another API key, and only that one surely shows it.
 */
export type Before =
	| { readonly do: 'send' }
	| {
			readonly do: 'prove';
			readonly since: number;
			readonly triedAt: number | undefined;
			/** Before somebody corrected it, it may have paid another amount. */
			readonly isChanged: boolean;
	  }
	| { readonly do: 'findEarlierSelf'; readonly since: number }
	| { readonly do: 'stop' };

/** Times in epoch ms. */
export interface KnownOfOrder {
	readonly order: Pick<Order, 'record' | 'place' | 'isCorrected'>;
	/** Whether it was last sent with the API key in use. */
	readonly isSameKey: boolean;
	/** Whether the memory of the execution is that of the one that is retried, see `OrderMemory`. */
	readonly isInherited: boolean;
	/** The user has checked that nothing was paid. */
	readonly allowLate: boolean;
}

const SEND: Before = { do: 'send' };

/** Decides what has to be known first. Not called for what is known to be done. */
export function planBefore(
	{ order, isSameKey, isInherited, allowLate }: KnownOfOrder,
	facts: ExecutionFacts,
	now: number,
): Before {
	const { record, place } = order;
	const { firstUsedAt, unclear, sent } = record;
	if (allowLate) return SEND;
	if (unclear !== undefined) {
		if (!isSameKey) return { do: 'stop' };
		const isAlive = firstUsedAt !== undefined && isKeyAlive(firstUsedAt, now);
		if (isAlive && place !== 'changed') return SEND;
		// A first use in the future was written by a clock that was wrong.
		const isBelievable = firstUsedAt !== undefined && firstUsedAt <= now;
		const since = isBelievable ? firstUsedAt : now - EXECUTIONS_KEPT_MS;
		return { do: 'prove', since, triedAt: unclear, isChanged: false };
	}
	const birth = getBirth(facts);
	if (facts.mode !== 'retry' || facts.isAgentTool || birth === undefined) return SEND;
	// Another retry may have sent it, under the same key.
	const isKnown = sent === true || (isInherited && !order.isCorrected);
	if (!isKeyAlive(firstUsedAt ?? birth, now)) {
		const isChanged = !isKnown;
		return { do: 'prove', since: birth, triedAt: undefined, isChanged };
	}
	return isKnown ? SEND : { do: 'findEarlierSelf', since: birth };
}

/** What the list of withdrawals shows about payouts without a reference, in one run of the node. */
export class UnreferencedPayouts {
	/** How many items ask for each payout. */
	private readonly requested = new Map<string, number>();

	constructor(
		private readonly run: OrderRun,
		private readonly history: PayoutHistory,
	) {}

	/** To be called for all items of the run, before the first is looked for. */
	noteRequested(items: readonly OrderItem[]): void {
		for (const item of items) {
			const name = nameOf(getContent(item));
			this.requested.set(name, (this.requested.get(name) ?? 0) + 1);
		}
	}

	/**
	 * Resolves when nothing that may have been paid stands in the way.
	 * @throws ApiFailure where it is in doubt
	 */
	async clear(item: OrderItem): Promise<void> {
		const before = planBefore(this.known(item), this.run.book.facts, item.call.now());
		if (before.do === 'send') return;
		if (before.do === 'stop') throw inDoubt(item.order, getContent(item).cents, OTHER_KEY);
		if (before.do === 'prove') await this.prove(item, before);
		if (before.do === 'findEarlierSelf' || before.isChanged) {
			await this.findEarlierSelf(item, before.since);
		}
	}

	/** What the list shows that may be this payout, since the execution began. */
	async findSinceBirth(item: OrderItem): Promise<Finding> {
		const { cents, pixKey } = getContent(item);
		const birth = getBirth(this.run.book.facts) ?? item.call.now() - EXECUTIONS_KEPT_MS;
		const reading = await this.history.since(birth);
		return searchList(reading, looksLike(cents, pixKey), (id) => this.isOthers(item, id));
	}

	private known({ order, request }: OrderItem): KnownOfOrder {
		return {
			order,
			isSameKey: getLastAccount(order.record) === request.account,
			isInherited: this.run.book.memory.isInherited,
			allowLate: request.allowLate,
		};
	}

	private async prove(
		item: OrderItem,
		{ since, triedAt }: Extract<Before, { do: 'prove' }>,
	): Promise<void> {
		const { order, call } = item;
		const { cents, pixKey } = getContent(item);
		const from = triedAt === undefined ? -Infinity : triedAt + PROOF_MS;
		if (call.now() < from) {
			const reason = `An earlier attempt may have paid, and the list of withdrawals shows for sure after ${new Date(from).toISOString()} whether one did. Run this again then.`;
			throw inDoubt(order, cents, reason, { retryable: true });
		}
		const reading = await this.history.since(since, from);
		const finding = searchList(reading, looksLike(cents, pixKey), (id) => this.isOthers(item, id));
		if (finding.state !== 'absent') throw toDoubt(item, cents, finding);
		order.noteLookedUp();
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
		const stray = this.findStray(
			reading.rows.filter((row) => isPaid(row) && !this.isOthers(item, String(row.id))),
			content,
		);
		if (stray === undefined) return;
		const id = String(stray.id);
		throw inDoubt(
			order,
			content.cents,
			`Since this execution began, another amount was paid to the same PIX key (ID ${id}): perhaps by an earlier attempt of this item, before it was changed.`,
			{ ids: [id] },
		);
	}

	/** A payout of another amount to the same PIX key, beyond those that the items of this run ask for. */
	private findStray(rows: readonly ApiRecord[], content: PaidContent): ApiRecord | undefined {
		const { pixKey } = content;
		const left = new Map(this.requested);
		return rows.find((row) => {
			const cents = centsOfAnswer(row.netAmount);
			if (cents === null || cents === content.cents) return false;
			if (!isSamePayout(row, { cents, pixKey })) return false;
			const name = nameOf({ cents, pixKey });
			left.set(name, (left.get(name) ?? 0) - 1);
			return (left.get(name) ?? 0) < 0;
		});
	}

	/** Whether this execution knows that a withdrawal was made by another one of its orders. */
	private isOthers({ order }: OrderItem, id: string): boolean {
		return order.doneId !== id && this.run.book.memory.doneIds.has(id);
	}
}

const UNSEEN = 'n8n remembers nothing of the first attempt, and the list of withdrawals';
const PROTECTED = 'The idempotency key protects rows that were not changed since.';
const OTHER_KEY =
	'It was sent with another API key, and nothing shows that both belong to the same account. Choose the credential that it was sent with, and retry this execution. If that key no longer works, look the payout up.';

function toDoubt(
	{ order }: OrderItem,
	cents: number,
	finding: Exclude<Finding, { state: 'absent' }>,
): Error {
	if (finding.state === 'unreadable') {
		return inDoubt(order, cents, finding.reason, { retryable: finding.retryable });
	}
	const { ids } = finding;
	const reason = `The list of withdrawals shows ${formatReais(cents)} to the same PIX key (${listIds(ids)}), and nothing shows whose payout that is.`;
	return inDoubt(order, cents, reason, { ids });
}

/** What the order was sent with, which may differ from what is asked for now. */
export function getContent({ order, draft }: OrderItem): PaidContent {
	const { cents, pixKey } = order.record;
	if (cents !== undefined && pixKey !== undefined) return { cents, pixKey };
	if (draft.payout === undefined) throw new TypeError('This is no payout');
	return { cents: draft.payout.amount, pixKey: draft.payout.pixKey };
}

function nameOf({ cents, pixKey }: PaidContent): string {
	return `${cents} ${pixKey.value}`;
}
