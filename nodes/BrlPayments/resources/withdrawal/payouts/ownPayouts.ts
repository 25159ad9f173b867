import { ApiFailure } from '../../../../shared/failures/failure';
import { centsOfAnswer } from '../../../../shared/validation/money';
import { KeyedMutex } from '../../../../shared/concurrency/keyedMutex';
import type { Match } from '../../../../shared/orders/duplicateCheck';
import { getLastAccount } from '../../../../shared/orders/orderMemory';
import type { ApiRecord } from '../../../../shared/transport/schemas';
import type { ItemResult } from '../../../execution/operation';
import type { OrderItem, OrderRun } from '../../../execution/orderRun';
import { isPaid, isSamePayout, showsPayout, type PaidContent } from './duplicates/duplicates';
import { inDoubt, referenceMismatch, SENT_WITH_OTHER_KEY } from './payoutFailures';
import type { PayoutHistory } from './history/payoutHistory';
import type { ReferenceJournal } from './referenceJournal';
import { MAX_HISTORY_PAGES } from './history/withdrawalHistory';

/**
 * Items of one run that pay the same: how many of them were paid before can be found out, but not
 * which.
 */
interface Group {
	/** Items that are yet to be settled. */
	readonly waiting: Set<OrderItem>;
	/** Payouts of an earlier attempt that no item has been given yet. */
	found: ApiRecord[] | undefined;
}

type Found = { row: ApiRecord } | { sent: ItemResult } | { none: true };

/**
 * Finds in the list of withdrawals what an earlier attempt of this execution has paid, after n8n
 * was killed or where the outcome stayed unknown.
 *
 * Equal items are counted: of three that pay the same, where two payouts are found, one is sent. As
 * the key of an item may turn out to be one of the two, such items are sent one after the other.
 */
export class OwnPayouts {
	private readonly requested = new Set<string>();
	private readonly groups = new Map<string, Group>();
	private readonly turns = new KeyedMutex();

	constructor(
		private readonly run: OrderRun,
		private readonly history: PayoutHistory,
		private readonly journal: ReferenceJournal,
	) {}

	/**
	 * To be called for all items of the run: a payout that one of them requests is not a stray
	 * payout.
	 */
	noteRequested(items: readonly OrderItem[]): void {
		for (const item of items) this.requested.add(getName(item));
	}

	/** To be called for each item that will be looked for, before the first look-up. */
	expect(item: OrderItem): void {
		this.toGroup(item).waiting.add(item);
	}

	/**
	 * @param send pays the item where payouts were found, but fewer than equal items; else the caller
	 * pays
	 * @throws ApiFailure where it stays in doubt
	 */
	async find(
		item: OrderItem,
		match: Match,
		send: (() => Promise<ItemResult>) | undefined,
	): Promise<Found> {
		const group = this.toGroup(item);
		group.waiting.add(item);
		return await this.turns.run(getName(item), async () => {
			try {
				group.found ??= await this.candidates(item, match);
			} finally {
				group.waiting.delete(item);
			}
			const { found, waiting } = group;
			const [row, ...others] = found;
			if (row !== undefined && found.length > waiting.size) {
				group.found = others;
				return { row };
			}
			if (!item.order.isAlive(item.call.now())) item.order.noteLookedUp();
			if (row === undefined || send === undefined || item.order.place === 'changed') {
				return { none: true };
			}
			const sent = await send();
			group.found = found.filter(({ id }) => id !== item.order.doneId);
			return { sent };
		});
	}

	private toGroup(item: OrderItem): Group {
		const name = getName(item);
		const group = this.groups.get(name) ?? { waiting: new Set<OrderItem>(), found: undefined };
		this.groups.set(name, group);
		return group;
	}

	private async candidates(item: OrderItem, match: Match): Promise<ApiRecord[]> {
		const content = getContent(item);
		const reading = await this.history.until(match.since);
		const doubt = (reason: string, retryable = false): ApiRecord[] => {
			if (match.ifUnreadable === 'doubt') {
				throw inDoubt(item.order, content.cents, reason, retryable);
			}
			item.call.hint(
				`Could not check whether an earlier attempt had paid: ${reason} The idempotency key protects these items for 24 hours.`,
			);
			return [];
		};
		if ('failure' in reading) {
			const { message, description, retryable } = reading.failure;
			const why = `The list of withdrawals cannot be read: ${message}. ${description}`;
			return doubt(why, retryable);
		}
		const mine = this.run.book.memory.doneIds;
		const others = reading.rows.filter((row) => isPaid(row) && !mine.has(String(row.id)));
		const matching = others.filter((row) => isSamePayout(row, content));
		const owned = await this.journal.ownedByOthers(item, matching);
		const rows = matching.filter(({ id }) => !owned.has(String(id)));
		if (rows.some((row) => !showsPayout(row))) {
			return doubt('The list does not show the amount or the PIX key of every withdrawal.');
		}
		if (!reading.isComplete && rows.length < this.toGroup(item).waiting.size) {
			if (!reading.isTooLong) return doubt(LIST_CHANGES, true);
			return doubt(
				`The list is too long: only its first ${MAX_HISTORY_PAGES * 100} withdrawals are searched.`,
			);
		}
		if (match.isUntraced && rows.length === 0) {
			const strays = others.filter((row) => this.isStray(row, content));
			const ownedStrays = await this.journal.ownedByOthers(item, strays);
			const stray = strays.find(({ id }) => !ownedStrays.has(String(id)));
			if (stray !== undefined) {
				throw inDoubt(
					item.order,
					content.cents,
					`Since this execution began, another amount was paid to the same PIX key (ID ${String(stray.id)}): perhaps by an earlier attempt of this item, before it was changed.`,
				);
			}
		}
		if (rows.length === 0 && this.journal.hasOtherContent(item)) {
			const earlier = await this.journal.findEarlier(item, others);
			if (earlier) throw referenceMismatch(item.order, { id: String(earlier.id) });
		}
		const isNamed = item.order.kind === 'reference';
		const ids = rows.map(({ id }) => String(id)).join(', ');
		// Another company may have paid the same to the same supplier.
		const needsProof = match.needsSameAccount && (isNamed || rows.length === 0);
		if (needsProof && !(await this.isSameAccount(item, reading.rows))) {
			const equal =
				rows.length === 0
					? ''
					: ` The list shows an equal payout (ID ${ids}), perhaps of another company.`;
			throw inDoubt(
				item.order,
				content.cents,
				`It was sent with another API key, and nothing shows that both belong to the same account.${equal} Choose the credential it was sent with, and run this again.`,
			);
		}
		// It is unknown when it was sent: last month's rent has the same amount and PIX key.
		const likely =
			rows.length > 0 && isNamed && match.since === -Infinity
				? await this.journal.madeWhileAlive(item, rows)
				: rows;
		if (rows.length > 0 && likely.length === 0) {
			throw inDoubt(
				item.order,
				content.cents,
				`The list shows the same amount to the same PIX key (ID ${ids}), but nothing shows that it was paid by the earlier attempt of this reference.`,
			);
		}
		if (rows.length > 0 && isNamed) {
			item.call.hint(
				`At least one reference was recognized in the list of withdrawals by PIX key and amount (ID ${ids}). Check that it is the payout of that reference.`,
			);
		}
		if (match.needsSameAccount && rows.length === 0) item.call.hint(SENT_WITH_OTHER_KEY);
		return [...likely, ...rows.filter((row) => !likely.includes(row))];
	}

	/** Whether the list, read with this API key, shows what was paid with the one it was sent with. */
	async isSameAccount(item: OrderItem, rows: readonly ApiRecord[]): Promise<boolean> {
		const ids = rows.map(({ id }) => String(id));
		const sentWith = getLastAccount(item.order.record);
		if (sentWith === item.request.account) return await this.journal.sharesAccount(item, ids);
		const others = this.run.book.memory.doneIdsWith(sentWith);
		return ids.some((id) => others.has(id));
	}

	/** A payout to the same PIX key that no item of this run asks for. */
	private isStray(row: ApiRecord, { pixKey }: PaidContent): boolean {
		const cents = centsOfAnswer(row.netAmount);
		if (cents === null || this.requested.has(`${cents} ${pixKey.value}`)) return false;
		return showsPayout(row) && isSamePayout(row, { cents, pixKey });
	}
}

const LIST_CHANGES =
	'The list shows fewer withdrawals than it counts: payouts were made while it was read, or something between n8n and the service changed it.';

/** What the order was sent with, which may differ from what is requested now. */
function getContent({ order, draft }: OrderItem): PaidContent {
	const { cents, pixKey } = order.record;
	if (cents !== undefined && pixKey !== undefined) return { cents, pixKey };
	if (draft.payout === undefined) throw new ApiFailure(inDoubt(order, 0, '').failure);
	return { cents: draft.payout.amount, pixKey: draft.payout.pixKey };
}

function getName(item: OrderItem): string {
	const { cents, pixKey } = getContent(item);
	return `${cents} ${pixKey.value}`;
}
