import type { IExecuteFunctions } from 'n8n-workflow';
import {
	forgetGroups,
	getStoreName,
	withDurableStore,
	type StoreAccess,
} from '../../n8n/durableStore';
import {
	findMemberships,
	findSender,
	foundGroup,
	joinGroups,
	KnownKeys,
	witnessEntries,
	senderEntries,
	type AccountGroup,
	SHOWN_WITHDRAWALS,
	WITNESSES,
} from './accountGroups';
import { ActiveOrders } from './activeOrders';
import { getEntries, Inquiry, type Topic } from './facts';
import { toBucket } from './keyLife';
import {
	findLastKeys,
	listLaterKeyEntries,
	noteLaterKeys,
	type LastKey,
	type LaterKey,
} from './laterKeys';
import {
	ENTRIES_PER_ORDER,
	fact,
	firstEntries,
	sendingEntries,
	sentEntry,
	topic,
	type JournalQuery,
} from './orderFacts';
import {
	adoptContent,
	canKnowAll,
	judgeFresh,
	judgeKnown,
	maySend,
	type Begun,
	type JournalState,
} from './orderState';
import {
	findRefusals,
	mayHavePaid,
	noteRefusals,
	type KeyUse,
	type Refusal,
	type UsedKey,
	type UsedUp,
} from './refusals';

export interface JournalResult extends JournalQuery {
	/**
	 * - `paid`: took effect
	 * - `none`: nothing took effect, neither in this run nor before: the order is forgotten. It stays in
	 *   doubt where parallel runs, or the state of the order, do not let this run be sure of that.
	 * - `unknown`: stays in doubt
	 */
	readonly effect: 'paid' | 'none' | 'unknown';
	/** The withdrawal that resulted from the order; only with `paid`. */
	readonly withdrawalId?: string;
	/** Whether this run has sent it; only with `paid`. */
	readonly isMadeNow?: boolean;
	/** Whether it counts although the order was known with other content, of which nothing is known. */
	readonly supersedes?: boolean;
}

/** An order in doubt that is sent once more. */
export interface Resent {
	readonly query: JournalQuery;
	readonly isOtherContent: boolean;
	readonly isOtherKey: boolean;
}

/** A look at the list of withdrawals: which of them are the order's own? */
export interface OwnershipQuestion {
	readonly order: string;
	/** IDs of withdrawals. */
	readonly candidates: readonly string[];
}

export interface Ownership {
	/** The withdrawal that is known to have resulted from the order. */
	readonly own: string | undefined;
	/** Candidates that belong to some order of this journal. */
	readonly owned: ReadonlySet<string>;
}

export const activeOrders = new ActiveOrders();
export const knownKeys = new KnownKeys();

/**
 * Durable memory of orders (payouts with a reference): it survives kill -9, restarts and new
 * executions. One instance serves one run of the node.
 *
 * Few calls of the store are made, however many orders there are; only what takes entries away again
 * takes more of them, see `forgetGroups`.
 *
 * The store cannot be read without writing, and the process can be killed between any two of its
 * calls. What keeps every intermediate state on the safe side:
 *
 * - `new` depends on one entry, `sent`, which is recorded by the call that asks for it and removed only
 *   when the order is forgotten. So no order is new twice, whatever else got lost.
 * - All other facts are positive: one that gets lost leaves an order in doubt, never settled. Each
 *   is stated in one call, and asked through an {@link Inquiry}, which recognizes interrupted
 *   questions.
 * - Content, account and life of the key are stated once `sent` is known to be new; a question
 *   about the life of a key cannot extend it. An order with `sent` that was never `armed` was
 *   interrupted in between: nothing was sent, and what is asked for now becomes its content. It
 *   still counts as in doubt with a dead key, because a parallel process may have lost the entry.
 *
 * Two executions of one process may run the same order at the same time: the second finds it in doubt
 * and sends it under the same key. An execution without effect must not wipe out what the other one has
 * sent, so it forgets the order only if all of this holds, checked in the critical section that also
 * forgets: no other run is active on the order; none that overlapped ended with an unknown effect; the
 * store does not call it settled; the API key is the one that it was first sent with. Otherwise the
 * order stays in doubt.
 */
export class Journal {
	private readonly begun = new Map<string, Begun>();
	/** The entries about later keys, by order. */
	private readonly laterKeyEntries = new Map<string, readonly string[]>();
	private recorded = 0;
	/** Each node has its own memory. */
	private readonly name: string;

	/**
	 * @param remembered how many orders are remembered; beyond it the oldest are forgotten
	 * @param active the orders that runs of this process may be sending; only tests need their own
	 * @param keys what this process knows of API keys; likewise
	 */
	constructor(
		private readonly context: Pick<IExecuteFunctions, 'helpers' | 'getNode' | 'getWorkflow'>,
		private readonly remembered: number,
		private readonly active: ActiveOrders = activeOrders,
		private readonly keys: KnownKeys = knownKeys,
	) {
		this.name = getStoreName(context);
	}

	/**
	 * To be called before orders are sent with an API key. Finds out which group of keys it belongs to,
	 * once in the life of the process: one call of the store, and up to five more for a key that is new
	 * here, or where there are groups that it may belong to.
	 * @param readIds IDs of withdrawals that the key can see, newest first, at least `least` where
	 * there are that many; called only in those cases
	 * @throws what n8n's helper throws: then nothing that is sent can be looked up with another key
	 */
	async meetKey(
		account: string,
		isLive: boolean,
		readIds: (least: number) => Promise<readonly string[]>,
	): Promise<void> {
		if (this.keys.getGroups(this.name, account) !== undefined) return;
		const find = async (inquiry: Inquiry) => await findMemberships(inquiry, account, isLive);
		const met = await this.inStore(find);
		if (met === undefined) return this.keys.learn(this.name, account, []);
		if (met.mine.length > 0 && met.others.length === 0) {
			return this.keys.learn(this.name, account, met.mine);
		}
		// The list is read while others may use the store, and meet keys themselves.
		const ids = await readIds(met.others.length > 0 ? SHOWN_WITHDRAWALS : WITNESSES);
		await this.inStore(async (inquiry) => {
			const found = await find(inquiry);
			if (found === undefined) return this.keys.learn(this.name, account, []);
			const { mine, others } = found;
			const groups = [...mine, ...(await joinGroups(inquiry, account, others, ids))];
			const founded =
				groups.length === 0 ? await foundGroup(inquiry, account, isLive, others, ids) : undefined;
			this.keys.learn(this.name, account, founded ? [founded] : groups);
		});
	}

	/**
	 * Records that a withdrawal was made with an API key, unless this process has done so for the key.
	 * @throws what n8n's helper throws
	 */
	async proveKey(account: string, withdrawalId: string): Promise<void> {
		if (!this.keys.needsProof(this.name, account)) return;
		await this.record(witnessEntries(withdrawalId, this.toGroup(account)));
	}

	/**
	 * Says what is known of each order, and records the new ones as sent. Two calls of the store where
	 * all are new, three where all are settled, four with orders in doubt, at most seven after
	 * interruptions; however many orders there are.
	 * @param now epoch ms
	 * @returns the states, in the order of the queries
	 * @throws what n8n's helper throws: then nothing may be sent
	 */
	async begin(asked: readonly JournalQuery[], now: number): Promise<JournalState[]> {
		const queries = asked.map((query) => ({ ...query, group: this.toGroup(query.account) }));
		return await withDurableStore(this.context, async (store) => {
			const inquiry = this.inquire(store);
			const sent = await inquiry.record(queries.map(sentEntry));
			const known = queries.filter((query) => sent.has(sentEntry(query)));
			const fresh = queries.filter((query) => !sent.has(sentEntry(query)));

			const first = await inquiry.ask(
				known.flatMap((query) => [topic.terms(query), topic.over(query), topic.superseded(query)]),
				fresh.flatMap((query) => firstEntries(query, now)),
			);
			const unsettled = known.filter((query) => first.answers.get(fact.settled(query)) !== true);
			const isSame = (query: JournalQuery) => first.answers.get(fact.content(query)) === true;
			const second = await inquiry.ask(
				unsettled.flatMap((query) => [
					topic.account(query),
					topic.otherKey(query),
					topic.alive(query, now),
					isSame(query) ? topic.several(query) : topic.armed(query),
				]),
			);
			const answers = new Map([...first.answers, ...second.answers]);
			await adoptContent(
				unsettled.filter((query) => answers.get(fact.armed(query)) === false),
				inquiry,
			);
			const begun = queries.map((query) =>
				sent.has(sentEntry(query))
					? judgeKnown(query, answers, now)
					: judgeFresh(query, first.known, inquiry, now),
			);
			await forgetGroups(store, inquiry.leftovers);

			queries.forEach(({ order }, index) => this.note(order, begun[index]));
			return begun.map(({ state }) => state);
		});
	}

	/**
	 * Determines which of the listed withdrawals belong to which order. Two calls of the store, three
	 * after interruptions. A candidate counts as owned only if that is certain.
	 * @returns for each question, in order
	 * @throws what n8n's helper throws
	 */
	async identify(asked: readonly OwnershipQuestion[]): Promise<Ownership[]> {
		const answers = await this.ask(
			asked.flatMap(({ order, candidates }) =>
				candidates.flatMap((id) => [topic.row(id), topic.paid(order, id)]),
			),
		);
		return asked.map(({ order, candidates }) => ({
			own: candidates.find((id) => answers.get(fact.paid(order, id)) === true),
			// Where it is not certain that a withdrawal is not the order's own, it belongs to no other
			// order.
			owned: new Set(
				candidates.filter(
					(id) => answers.get(fact.row(id)) === true && answers.has(fact.paid(order, id)),
				),
			),
		}));
	}

	/**
	 * Whether the first key of an order was alive at these times. False where that was not stored,
	 * and where an interrupted question has destroyed it.
	 * @param timestamps epoch ms
	 * @throws what n8n's helper throws
	 */
	async wasAlive(order: string, timestamps: readonly number[]): Promise<boolean[]> {
		const answers = await this.ask(
			timestamps.map((timestamp) => topic.alive({ order }, timestamp)),
		);
		return timestamps.map(
			(timestamp) => answers.get(fact.alive({ order }, toBucket(timestamp))) === true,
		);
	}

	/**
	 * Whether the API key in use surely sees the account that an order was first sent to. A key that
	 * proves it here belongs to that account's group from now on.
	 * @param ids of withdrawals that the API key in use can see
	 * @param account fingerprint of the API key in use
	 * @throws what n8n's helper throws
	 */
	async sharesAccount(
		order: string,
		ids: readonly string[],
		account: string,
		isLive: boolean,
	): Promise<boolean> {
		return await this.inStore(async (inquiry) => {
			const sender = await findSender(inquiry, order, isLive);
			const mine = this.keys.getGroups(this.name, account) ?? [];
			const isOpen = sender !== undefined && !mine.includes(sender);
			const joined = isOpen ? await joinGroups(inquiry, account, [sender], ids) : [];
			if (joined.length > 0) this.keys.learn(this.name, account, [...mine, ...joined]);
			return sender !== undefined && [...mine, ...joined].includes(sender);
		});
	}

	/**
	 * Whether an order was first sent with an API key that shares no withdrawal with the one in use. Both
	 * may yet see one account.
	 * @param account fingerprint of the API key in use
	 * @throws what n8n's helper throws
	 */
	async isFromOtherGroup(order: string, account: string, isLive: boolean): Promise<boolean> {
		const mine = this.keys.getGroups(this.name, account) ?? [];
		if (mine.length === 0) return false;
		const sender = await this.inStore(async (inquiry) => await findSender(inquiry, order, isLive));
		return sender !== undefined && !mine.includes(sender);
	}

	/**
	 * To be called before orders in doubt are sent with other content, or with another API key, than
	 * before: either attempt may take effect. One call of the store.
	 * @throws what n8n's helper throws: then they must not be sent
	 */
	async noteResent(resent: readonly Resent[]): Promise<void> {
		if (resent.length === 0) return;
		const facts = resent.flatMap(({ query, isOtherContent, isOtherKey }) => [
			...(isOtherContent ? [fact.content(query), fact.several(query)] : []),
			...(isOtherKey ? [fact.otherKey(query)] : []),
		]);
		await this.record(getEntries(facts));
	}

	/** Whether another run of this process may be sending an order right now. */
	isSentElsewhere(order: string): boolean {
		return this.active.isWithOthers(this.getPlace(order), this);
	}

	/**
	 * Which of these contents an order may have been sent with: all that cannot be ruled out for
	 * certain.
	 * @param contents fingerprints, as in {@link JournalQuery}
	 * @throws what n8n's helper throws
	 */
	async findContents(order: string, contents: readonly string[]): Promise<string[]> {
		const answers = await this.ask(contents.map((content) => topic.terms({ order, content })));
		return contents.filter((content) => answers.get(fact.content({ order, content })) !== false);
	}

	/**
	 * Notes that the service keeps refusals. The note outlives the orders: other content that is sent
	 * afterwards meets such a key, and has to get past it. It does not outlive the key. Two calls of
	 * the store.
	 * @param now epoch ms
	 * @returns for each, in order, whether it was known before
	 * @throws what n8n's helper throws
	 */
	async noteRefusals(refusals: readonly Refusal[], now: number): Promise<boolean[]> {
		return await this.inStore(
			async (inquiry) => await noteRefusals(inquiry, 'refused', this.senders(refusals), now),
		);
	}

	/**
	 * Notes that the service may keep refusals: each was received once. Two calls of the store.
	 * @param now epoch ms
	 * @throws what n8n's helper throws
	 */
	async noteSuspicions(suspected: ReadonlyArray<Required<Refusal>>, now: number): Promise<void> {
		await this.inStore(
			async (inquiry) => await noteRefusals(inquiry, 'suspected', this.senders(suspected), now),
		);
	}

	/**
	 * What is known of the refusals under a key. Whether the service keeps one that was received
	 * once, only its response to other content under that key can show.
	 * @param now epoch ms
	 * @throws what n8n's helper throws
	 */
	async findUsedUp(key: KeyUse, now: number): Promise<UsedUp> {
		const mine = [key.account, ...(this.keys.getGroups(this.name, key.account) ?? [])];
		return await this.inStore(async (inquiry) => await findRefusals(inquiry, key, mine, now));
	}

	/**
	 * Whether one of these amounts may have been paid under a key that holds a refusal now.
	 * @param amounts centavos
	 * @throws what n8n's helper throws
	 */
	async mayHavePaid(key: UsedKey, amounts: readonly number[]): Promise<boolean> {
		return await this.inStore(async (inquiry) => await mayHavePaid(inquiry, key, amounts));
	}

	/**
	 * To be called before orders move on to later keys: a key that comes before those must not be sent
	 * any more. One call of the store.
	 * @param now epoch ms
	 * @throws what n8n's helper throws: then the later keys must not be used
	 */
	async noteLaterKeys(keys: readonly LaterKey[], now: number): Promise<void> {
		for (const key of keys) this.laterKeyEntries.set(key.order, listLaterKeyEntries(key, now));
		await this.inStore(async (inquiry) => await noteLaterKeys(inquiry, keys, now));
	}

	/**
	 * The last key that each order has moved on to, in any run. Two calls of the store where none has,
	 * otherwise one more, and one for each later key that one of them has.
	 * @param now epoch ms
	 * @throws what n8n's helper throws
	 */
	async findLastKeys(
		orders: readonly string[],
		now: number,
	): Promise<ReadonlyMap<string, LastKey>> {
		const found = await this.inStore(async (inquiry) => await findLastKeys(inquiry, orders, now));
		for (const [order, { generation }] of found) {
			this.laterKeyEntries.set(order, listLaterKeyEntries({ order, generation }, now));
		}
		return found;
	}

	/**
	 * To be called after the run, however it ended, with the outcome of each order; until then an
	 * order counts as active. One without a result stays in doubt. States everything again, because
	 * parallel executions of other processes may have lost it. One call of the store, two where an
	 * order had no effect, three after interruptions.
	 * @throws what n8n's helper throws: then orders stay in doubt
	 */
	async end(results: readonly JournalResult[]): Promise<void> {
		await withDurableStore(this.context, async (store) => {
			let certain: readonly JournalResult[] = [];
			try {
				const inquiry = this.inquire(store);
				const ineffective = results.filter((result) => this.isForgettable(result));
				const { answers } = await inquiry.ask(
					ineffective.map((result) => topic.terms(result)),
					results
						.filter((result) => !ineffective.includes(result))
						.flatMap((result) => this.lastEntries(result)),
				);
				for (const result of ineffective) {
					// Another process may have settled it.
					if (answers.get(fact.settled(result)) === false) {
						inquiry.drop(this.traces(result));
					}
				}
				await forgetGroups(store, inquiry.leftovers);
				certain = results.filter(({ effect }) => effect !== 'unknown');
			} finally {
				this.leave(new Set(certain.map(({ order }) => order)));
			}
		});
	}

	/** Asks topics, and removes what asking has left. */
	private async ask(topics: readonly Topic[]): Promise<ReadonlyMap<string, boolean>> {
		return await this.inStore(async (inquiry) => (await inquiry.ask(topics)).answers);
	}

	/** @returns the entries that were there before */
	private async record(entries: readonly string[]): Promise<ReadonlySet<string>> {
		return await this.inStore(async (inquiry) => await inquiry.record(entries));
	}

	/** Has exclusive use of the store, and removes what the questions have left. */
	private async inStore<T>(use: (inquiry: Inquiry) => Promise<T>): Promise<T> {
		return await withDurableStore(this.context, async (store) => {
			const inquiry = this.inquire(store);
			const result = await use(inquiry);
			await forgetGroups(store, inquiry.leftovers);
			return result;
		});
	}

	/** What this run records itself never evicts older orders before it has ended. */
	private inquire(store: StoreAccess): Inquiry {
		return new Inquiry(async (entries) => {
			this.recorded += entries.length;
			return await store.record(entries, this.remembered * ENTRIES_PER_ORDER + this.recorded);
		});
	}

	private note(order: string, begun: Begun | undefined): void {
		if (begun === undefined) return;
		this.begun.set(order, begun);
		if (maySend(begun)) this.active.enter(this.getPlace(order), this);
	}

	private leave(certain: ReadonlySet<string>): void {
		for (const order of this.begun.keys()) {
			this.active.leave(this.getPlace(order), this, !certain.has(order));
		}
		this.begun.clear();
	}

	private getPlace(order: string): string {
		return `${this.name}:${order}`;
	}

	/** Refusals, each with the group of the API key that it came for, or else the API key. */
	private senders(refusals: readonly Refusal[]): Array<Refusal & { readonly sender: string }> {
		return refusals.map((each) => ({
			...each,
			sender: this.toGroup(each.account) ?? each.account,
		}));
	}

	/** The group of a key, for what is sent with it; the first that it has joined. */
	private toGroup(account: string): AccountGroup | undefined {
		return this.keys.getGroups(this.name, account)?.[0];
	}

	private isForgettable({ order, effect }: JournalResult): boolean {
		return (
			effect === 'none' &&
			canKnowAll(this.begun.get(order)) &&
			this.active.isAlone(this.getPlace(order), this)
		);
	}

	private lastEntries(result: JournalResult): string[] {
		const { order, effect, withdrawalId, isMadeNow = false, account } = result;
		const begun = this.begun.get(order);
		if (begun?.state.kind === 'differs' && result.supersedes !== true) return [];
		if (effect !== 'paid') return maySend(begun) ? [...(begun?.entries ?? [])] : [];
		return [
			...(begun?.entries ?? []),
			...sendingEntries(result),
			...getEntries([
				...(withdrawalId === undefined
					? []
					: [fact.row(withdrawalId), fact.paid(order, withdrawalId)]),
				fact.settled(result),
				fact.over(result),
			]),
			...(begun?.state.kind === 'differs' ? getEntries([fact.superseded(result)]) : []),
			...(isMadeNow && withdrawalId !== undefined
				? witnessEntries(withdrawalId, this.toGroup(account))
				: []),
		];
	}

	/** What is recorded of an order that had no effect, as far as it matters to a later run. */
	private traces(result: JournalResult): string[] {
		const begun = this.begun.get(result.order);
		const facts = [fact.armed(result), fact.content(result), fact.account(result)];
		if (begun?.state.kind === 'inDoubt') facts.push(fact.several(result));
		return [
			sentEntry(result),
			...getEntries(facts),
			...(begun?.entries ?? []),
			...senderEntries(result.order, this.toGroup(result.account)),
			...(this.laterKeyEntries.get(result.order) ?? []),
		];
	}
}
