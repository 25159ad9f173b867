import type { Failure } from '../../../../shared/failures/failure';
import { BoundedMap } from '../../../../shared/concurrency/boundedMap';
import { getStoreName, hasDurableStore } from '../../../../shared/n8n/durableStore';
import { GroupCommit } from '../../../../shared/concurrency/groupCommit';
import { InputError } from '../../../../shared/validation/inputError';
import { centsOfAnswer, type Cents } from '../../../../shared/validation/money';
import {
	Journal,
	type JournalResult,
	type Ownership,
	type OwnershipQuestion,
	type Resent,
} from '../../../../shared/orders/journal/journal';
import type { JournalState } from '../../../../shared/orders/journal/orderState';
import { KEY_GONE_MS } from '../../../../shared/orders/journal/keyLife';
import type { KeyUse, Refusal, UsedKey, UsedUp } from '../../../../shared/orders/journal/refusals';
import { fingerprint } from '../../../../shared/orders/key';
import { isKeyAlive } from '../../../../shared/orders/keyExpiry';
import { getCreatedAt } from '../../../../shared/lists/rowMoment';
import type { ApiRecord } from '../../../../shared/transport/schemas';
import type { OrderItem, OrderRun } from '../../../execution/orderRun';
import { isFailed, isPaid, isSamePayout, pixKeysShown, showsPayout } from './duplicates/duplicates';
import {
	getReason,
	inDoubt,
	referenceMismatch,
	SENT_WITH_OTHER_KEY,
	storeUnavailable,
} from './payoutFailures';
import { LaterKeys } from './laterKeys';
import { getOrderName, nameOrder } from './orderName';
import { PayoutHistory } from './history/payoutHistory';
import type { Excerpt } from './history/withdrawalHistory';

/** Each takes about half a kilobyte of one database row, which n8n reads and writes as a whole. */
export const DEFAULT_REMEMBERED = 5_000;
const MAX_REMEMBERED = 20_000;

/** What is known of a payout that was made before. */
interface Settled {
	readonly id: string | undefined;
	/** The withdrawal, where the list has just shown it. */
	readonly row: ApiRecord | undefined;
}

/** How many payouts a process keeps in memory, and how many refusals. */
const MAX_SEEN = 20_000;
/** IDs that this process has seen, by workflow, node and order: they save the search in the list. */
export const knownIds = new BoundedMap<string, string>(MAX_SEEN);
/** The same the other way round, over all workflows of this process. */
export const orderOfId = new BoundedMap<string, string>(MAX_SEEN);
interface SeenRefusal {
	/** Epoch ms. */
	readonly since: number;
	readonly doubtfulCents: Set<number>;
	/** Fingerprints of what was refused. */
	readonly contents: Set<string>;
}

/**
 * Stored refusals that this process has seen, by key and API key: a copy of the workflow has
 * another journal. Another API key may be of another account, where nothing was refused.
 */
export const seenRefusals = new BoundedMap<string, SeenRefusal>(MAX_SEEN);

/**
 * The journal of one run: what this workflow and node knows of payouts with a reference, and of
 * those behind a delivery, from all executions before.
 */
export class ReferenceJournal {
	readonly laterKeys: LaterKeys;
	private readonly journal: Journal;
	/** Workflow and node. */
	private readonly place: string;
	private readonly states = new Map<string, JournalState>();
	private readonly items = new Map<string, OrderItem>();
	private readonly found = new Map<string, Settled>();
	/** Settled, and not in the list of withdrawals, which was read completely. */
	private readonly absent = new Set<string>();
	private readonly results = new Map<string, JournalResult>();
	private readonly refusedByBank = new Set<OrderItem>();
	private readonly proofs: Array<Promise<void>> = [];
	/** Each is noted once: a key that is tried again is refused again. */
	private readonly notedRefusals = new Map<string, Promise<boolean>>();
	private readonly noteRefusals = new GroupCommit<Refusal, boolean>(
		async (refusals) => await this.journal.noteRefusals(refusals, this.clock()),
	);
	private readonly noteSuspicions = new GroupCommit<Required<Refusal>, undefined>(
		async (suspected) => {
			await this.journal.noteSuspicions(suspected, this.clock());
			return suspected.map(() => undefined);
		},
	);
	private readonly ownership = new GroupCommit<OwnershipQuestion, Ownership>(
		async (asked) => await this.journal.identify(asked),
	);

	constructor(
		private readonly run: OrderRun,
		private readonly history: PayoutHistory,
	) {
		const { context } = run.run;
		this.place = getStoreName(context);
		const options = (context.getNode().parameters.options ?? {}) as Record<string, unknown>;
		this.journal = new Journal(context, parseRemembered(options.rememberedReferences));
		this.laterKeys = new LaterKeys(run, this.journal);
	}

	/**
	 * To be called before the first of these is sent.
	 * @returns the items that must not be sent, and why
	 */
	async begin(items: readonly OrderItem[]): Promise<Array<[OrderItem, Failure]>> {
		if (items.length === 0) return [];
		const keys = new Map(items.map(({ request }) => [request.account, request]));
		for (const request of keys.values()) await this.meetKey(request);
		let states: JournalState[];
		try {
			states = await this.journal.begin(items.map(toQuery), this.clock());
		} catch (error) {
			// The key of an automatic order protects it for a day; a reference promises more.
			return items.flatMap((item): Array<[OrderItem, Failure]> =>
				item.order.reference === undefined ? [] : [[item, storeUnavailable(item.order, error)]],
			);
		}
		const differing: Array<[OrderItem, Differs]> = [];
		items.forEach((item, index) => {
			const state = states[index];
			if (state === undefined) return;
			const name = getOrderName(item);
			this.items.set(name, item);
			const judged = comparedByService(state);
			if (judged.kind === 'differs') differing.push([item, judged]);
			else this.states.set(name, judged);
			// Of its own attempts, this execution may know that they had no effect: then another one has sent it.
			if (judged.kind === 'inDoubt' && !item.order.isUnclear) item.order.noteInDoubt();
		});
		await this.findSettled(items.filter((item) => this.isSettled(item)));
		const made = await this.findMade(differing);
		const resent = items.flatMap((item, index) => this.findResent(item, states[index]));
		const unsent = [...(await this.noteResent(resent)), ...(await this.findLaterKeys(items))];
		const refused = differing.flatMap(([item, state]): Array<[OrderItem, Failure]> => {
			if (this.states.has(getOrderName(item))) return [];
			const row = made.get(item);
			if (row === undefined || !isFailed(row)) {
				return [[item, toRefusal(item, state, row === undefined ? undefined : String(row.id))]];
			}
			this.refusedByBank.add(item);
			return [];
		});
		return [...refused, ...unsent];
	}

	/** @param before what the journal knows of the order */
	private findResent(
		item: OrderItem,
		before: JournalState | undefined,
	): Array<Resent & { readonly item: OrderItem }> {
		if (this.states.get(getOrderName(item))?.kind !== 'inDoubt') return [];
		if (before?.kind !== 'inDoubt' && before?.kind !== 'differs') return [];
		const isOtherContent = before.kind === 'differs';
		const isOtherKey = !before.isSameAccount;
		if (!isOtherContent && !isOtherKey) return [];
		return [{ item, query: toQuery(item), isOtherContent, isOtherKey }];
	}

	/** @returns the items that must not be sent, and why */
	private async noteResent(
		resent: ReadonlyArray<Resent & { readonly item: OrderItem }>,
	): Promise<Array<[OrderItem, Failure]>> {
		try {
			await this.journal.noteResent(resent);
		} catch (error) {
			return resent.map(({ item }) => [item, storeUnavailable(item.order, error)]);
		}
		return resent
			.filter(({ query, isOtherKey }) => isOtherKey && this.journal.isSentElsewhere(query.order))
			.map(({ item }) => [item, sentElsewhere(item)]);
	}

	/** @returns the items that must not be sent, and why */
	private async findLaterKeys(items: readonly OrderItem[]): Promise<Array<[OrderItem, Failure]>> {
		const inDoubt = items.filter((item) => this.states.get(getOrderName(item))?.kind === 'inDoubt');
		try {
			await this.laterKeys.find(inDoubt);
			return [];
		} catch (error) {
			return inDoubt.map((item) => [item, storeUnavailable(item.order, error)]);
		}
	}

	/** Whether the order may have been sent with other content as well. */
	hasOtherContent(item: OrderItem): boolean {
		const state = this.states.get(getOrderName(item));
		return state?.kind === 'inDoubt' && state.hasOtherContent === true;
	}

	/**
	 * Before anything is sent with an API key: the payouts that it can list show which keys of this
	 * journal belong to the same account. Without that, only the key that a payout was sent with can
	 * settle it.
	 */
	private async meetKey({ account, isLive }: OrderItem['request']): Promise<void> {
		const readIds = async (least: number) => {
			// Not the history of this run: its look-ups must see what was paid until they read the list.
			const history = new PayoutHistory(this.run);
			const reading = await history.until(-Infinity, (rows) => rows.length >= least);
			return 'failure' in reading ? [] : reading.rows.map(({ id }) => String(id));
		};
		// A failure here stops no payout, and lets none be paid twice.
		await this.journal.meetKey(account, isLive, readIds).catch(() => undefined);
	}

	/** Whether the bank has refused the payout of its reference, which had other content. */
	isRefusedByBank(item: OrderItem): boolean {
		return this.refusedByBank.has(item);
	}

	/**
	 * The withdrawals that resulted from orders with other content, where the list shows them. An
	 * order that was sent with another key of the account, and of which the list shows nothing, may
	 * be sent.
	 */
	private async findMade(
		differing: ReadonlyArray<[OrderItem, Differs]>,
	): Promise<ReadonlyMap<OrderItem, ApiRecord>> {
		const made = new Map<OrderItem, ApiRecord>();
		if (differing.length === 0) return made;
		const reading = await this.history.until(-Infinity);
		if ('failure' in reading) return made;
		const candidates = reading.rows.map(({ id }) => String(id));
		const asked = differing.map(([item]) => ({ order: getOrderName(item), candidates }));
		const answers = await this.journal.identify(asked).catch((): Ownership[] => []);
		for (const [index, [item, state]] of differing.entries()) {
			const answer = answers[index];
			if (answer === undefined) continue;
			const own = reading.rows.find(({ id }) => String(id) === answer.own);
			const row = own ?? (await this.findOldContent(item, state, reading, answer.owned));
			if (row === 'none') {
				this.states.set(getOrderName(item), COMPARED_BY_SERVICE);
				item.call.hint(SENT_WITH_OTHER_KEY);
			} else if (row !== undefined) made.set(item, row);
		}
		return made;
	}

	/**
	 * Looks in the list for what an order was sent with, under a key that is alive and with another API
	 * key, before its content changed.
	 * @returns `none` where the list surely does not show it; undefined where that is not known
	 */
	private async findOldContent(
		item: OrderItem,
		{ isOpen, isKeyAlive, isSameAccount }: Differs,
		{ rows, isComplete }: Excerpt,
		owned: ReadonlySet<string>,
	): Promise<ApiRecord | 'none' | undefined> {
		if (!isOpen || !isKeyAlive || isSameAccount || !isComplete) return undefined;
		const others = rows.filter(({ id }) => !owned.has(String(id)));
		if (!others.every(showsPayout)) return undefined;
		const ids = rows.map(({ id }) => String(id));
		if (!(await this.sharesAccount(item, ids))) return undefined;
		// One that failed may be an equal payout of someone else: it proves no refusal of this one.
		return (await this.findSent(item, others.filter(isPaid))) ?? 'none';
	}

	/** Of these withdrawals, the one that may have resulted from its order with other content. */
	async findEarlier(item: OrderItem, rows: readonly ApiRecord[]): Promise<ApiRecord | undefined> {
		const paid = rows.filter((row) => isPaid(row) && showsPayout(row));
		const [answer] = await this.journal
			.identify([{ order: getOrderName(item), candidates: paid.map(({ id }) => String(id)) }])
			.catch((): Ownership[] => []);
		return await this.findSent(
			item,
			paid.filter(({ id }) => answer?.owned.has(String(id)) !== true),
		);
	}

	/** The first of these withdrawals that pays what its order may have been sent with. */
	private async findSent(
		item: OrderItem,
		rows: readonly ApiRecord[],
	): Promise<ApiRecord | undefined> {
		const contents = rows.map(contentsOfRow);
		const asked = [...new Set(contents.flat())];
		const sent = await this.journal.findContents(getOrderName(item), asked).catch(() => asked);
		return rows.find((_row, index) => contents[index]?.some((content) => sent.includes(content)));
	}

	isSettled(item: OrderItem): boolean {
		return this.states.get(getOrderName(item))?.kind === 'settled';
	}

	settled(item: OrderItem): Settled | undefined {
		if (!this.isSettled(item)) return undefined;
		return this.found.get(getOrderName(item)) ?? { id: undefined, row: undefined };
	}

	/** Whether the API key in use surely does not show the withdrawal of a settled order. */
	isAbsent(item: OrderItem): boolean {
		return this.absent.has(getOrderName(item));
	}

	/**
	 * What the journal knew before this run. undefined for an item that it was not asked about.
	 * `isKeyAlive`: and it is certain which key was used last.
	 */
	getDoubt(item: OrderItem): { isInDoubt: boolean; isKeyAlive: boolean } | undefined {
		const state = this.states.get(getOrderName(item));
		if (state === undefined) return undefined;
		return {
			isInDoubt: state.kind === 'inDoubt',
			isKeyAlive: state.kind === 'inDoubt' && state.isKeyAlive && this.laterKeys.isCertain(item),
		};
	}

	isSameAccount(item: OrderItem): boolean {
		const state = this.states.get(getOrderName(item));
		return state?.kind !== 'inDoubt' || state.isSameAccount;
	}

	/** The payout took effect. @param isMadeNow by this run, and not before */
	note(item: OrderItem, withdrawalId: string, isMadeNow: boolean): void {
		if (!item.order.isDurable || !hasDurableStore(this.run.run.context)) return;
		const name = getOrderName(item);
		this.items.set(name, item);
		const paid = { effect: 'paid', withdrawalId, isMadeNow, supersedes: true } as const;
		this.results.set(name, { ...toQuery(item), ...paid });
		if (isMadeNow) this.proveKey(item, withdrawalId);
		knownIds.set(this.getPlace(name), withdrawalId);
		orderOfId.set(withdrawalId, name);
		const named = this.run.book.referenceKey(item.request);
		// A reference that was filled in after the payout: it is paid, and must be known as paid.
		if (named !== undefined && item.order.place === 'changed') {
			const order = nameOrder(named, item.request.isLive);
			this.results.set(order, { ...toQuery(item), ...paid, order });
		}
	}

	/**
	 * The service keeps a refusal under this key of the order.
	 * @param isLastWord no earlier response was lost
	 * @returns whether an earlier run knew it
	 */
	async noteRefusal(item: OrderItem, generation: number, isLastWord: boolean): Promise<boolean> {
		const refusal: Refusal = {
			...toKeyUse(item, generation),
			...(isLastWord ? {} : { doubtfulCents: item.draft.payout?.amount ?? 0 }),
		};
		const name = JSON.stringify(refusal);
		const noted = this.notedRefusals.get(name);
		if (noted) return await noted;
		const isSeen = this.findSeen(refusal) !== undefined;
		rememberRefusal(refusal, this.clock());
		// If this cannot be noted, it costs the builder a day of waiting at worst, and no money.
		const isKnown = this.noteRefusals.ask(refusal).catch(() => false);
		const answer = isKnown.then((known) => known || isSeen);
		this.notedRefusals.set(name, answer);
		return await answer;
	}

	/** The service has refused once under this key of the order, and may keep that refusal. */
	async noteSuspicion(item: OrderItem, generation: number): Promise<void> {
		const doubtfulCents = item.draft.payout?.amount ?? 0;
		const suspected = { ...toKeyUse(item, generation), doubtfulCents };
		// If this cannot be noted, it costs the builder a day of waiting at worst, and no money.
		await this.noteSuspicions.ask(suspected).catch(() => undefined);
	}

	/** What is known of the refusals of other content under the key in use. */
	async findUsedUp(item: OrderItem): Promise<UsedUp> {
		const key = toKeyUse(item, item.order.generation);
		const noted = await this.journal.findUsedUp(key, this.clock()).catch(() => NOT_USED_UP);
		const seen = this.findSeen(key);
		if (seen === undefined || noted.isContradictory === true) return noted;
		if (seen.contents.has(key.content)) return NOT_USED_UP;
		const isDoubtful = seen.doubtfulCents.size > 0 || (noted.isRefused && noted.isDoubtful);
		return { isRefused: true, isDoubtful };
	}

	private findSeen(key: UsedKey): SeenRefusal | undefined {
		const seen = seenRefusals.get(nameOfKey(key));
		return seen && isKeyAlive(seen.since, this.clock()) ? seen : undefined;
	}

	/**
	 * Whether one of these amounts may have been paid under the key in use, although it holds a refusal.
	 * @param amounts centavos
	 */
	async mayHavePaid(item: OrderItem, amounts: readonly number[]): Promise<boolean> {
		const key = toKeyUse(item, item.order.generation);
		const seen = seenRefusals.get(nameOfKey(key));
		if (seen && amounts.some((cents) => seen.doubtfulCents.has(cents))) return true;
		return await this.journal.mayHavePaid(key, amounts).catch(() => true);
	}

	/** Of these withdrawals, those that other orders of this journal have made. */
	async ownedByOthers(item: OrderItem, rows: readonly ApiRecord[]): Promise<ReadonlySet<string>> {
		if (rows.length === 0 || !this.states.has(getOrderName(item))) return new Set();
		const candidates = rows.map(({ id }) => String(id));
		const order = getOrderName(item);
		const { own, owned } = await this.ownership.ask({ order, candidates });
		// Other workflows have their own journals; what this process has paid for them is known.
		const elsewhere = candidates.filter((id) => (orderOfId.get(id) ?? order) !== order);
		return new Set([...owned, ...elsewhere].filter((id) => id !== own));
	}

	/** Of these withdrawals, those that were made while the first key of the order was alive. */
	async madeWhileAlive(item: OrderItem, rows: readonly ApiRecord[]): Promise<ApiRecord[]> {
		const dated = rows.filter((row) => !Number.isNaN(getCreatedAt(row)));
		const answers = await this.journal
			.wasAlive(getOrderName(item), dated.map(getCreatedAt))
			.catch((): boolean[] => []);
		return dated.filter((_row, index) => answers[index] === true);
	}

	/**
	 * Whether the API key in use shows what was paid with the one that an order was sent with.
	 * @param ids of withdrawals that the API key in use can see
	 */
	async sharesAccount(item: OrderItem, ids: readonly string[]): Promise<boolean> {
		if (!this.items.has(getOrderName(item))) return false;
		return await this.journal
			.sharesAccount(getOrderName(item), ids, item.request.account, item.request.isLive)
			.catch(() => false);
	}

	/** Whether it was first sent with an API key that nothing shows to belong to the account of this one. */
	async isFromOtherGroup(item: OrderItem): Promise<boolean> {
		if (!this.items.has(getOrderName(item))) return false;
		return await this.journal
			.isFromOtherGroup(getOrderName(item), item.request.account, item.request.isLive)
			.catch(() => false);
	}

	/** Recorded at once, not only at the end of the run: n8n may be killed before that. */
	private proveKey({ request }: OrderItem, withdrawalId: string): void {
		const proof = this.journal.proveKey(request.account, withdrawalId).catch(() => undefined);
		this.proofs.push(proof);
	}

	/** After the run, however it ended. */
	async end(): Promise<void> {
		await Promise.all(this.proofs);
		for (const [name, state] of this.states) {
			const item = this.items.get(name);
			if (item === undefined || this.results.has(name) || state.kind === 'settled') continue;
			const effect = item.order.isUnclear ? 'unknown' : 'none';
			this.results.set(name, { ...toQuery(item), effect });
		}
		if (this.results.size === 0) return;
		try {
			await this.journal.end([...this.results.values()]);
		} catch (error) {
			this.run.run.hints.add(
				`The memory of references in the database of n8n could not be updated (${getReason(error)}). The references of this run will be looked up at the service next time.`,
			);
		}
	}

	private async findSettled(items: readonly OrderItem[]): Promise<void> {
		const searched: OrderItem[] = [];
		for (const item of items) {
			const id = knownIds.get(this.getPlace(getOrderName(item)));
			if (id === undefined) searched.push(item);
			else this.found.set(getOrderName(item), { id, row: undefined });
		}
		await this.search(searched, (rows) => searched.every((item) => rows.some(matcherFor(item))));
		// A row with the same content need not be the right one: another reference may have paid the
		// same.
		await this.search(searched.filter((item) => !this.found.has(getOrderName(item))));
	}

	/** @param isEnough whether to read no further; in the whole list where it is left out */
	private async search(
		items: readonly OrderItem[],
		isEnough?: (rows: readonly ApiRecord[]) => boolean,
	): Promise<void> {
		if (items.length === 0) return;
		const reading = await this.history.until(-Infinity, isEnough);
		if ('failure' in reading) return;
		const asked = items.map((item) => ({
			order: getOrderName(item),
			candidates: reading.rows.filter(matcherFor(item)).map(({ id }) => String(id)),
		}));
		const answers = await this.journal.identify(asked);
		items.forEach((item, index) => {
			const own = answers[index]?.own;
			const name = getOrderName(item);
			if (own === undefined) {
				if (reading.isComplete && isEnough === undefined) this.absent.add(name);
				return;
			}
			this.found.set(name, { id: own, row: reading.rows.find(({ id }) => id === own) });
			knownIds.set(this.getPlace(name), own);
		});
	}

	/** Epoch ms. */
	private clock(): number {
		return this.run.run.client.now();
	}

	private getPlace(name: string): string {
		return `${this.place} ${name}`;
	}
}

type Differs = Extract<JournalState, { kind: 'differs' }>;

function toRefusal(
	{ order, draft }: OrderItem,
	{ isCertain, isOpen }: Differs,
	id: string | undefined,
): Failure {
	if (isCertain) return referenceMismatch(order, { id, isOpen }).failure;
	const reason =
		'n8n was killed several times while it read the record of this reference, and what the reference was used for is lost.';
	return inDoubt(order, draft.payout?.amount ?? 0, reason).failure;
}

function sentElsewhere({ order, draft }: OrderItem): Failure {
	const reason =
		'Another execution is sending it now, with another API key. Wait until that one has ended, and run this again.';
	return inDoubt(order, draft.payout?.amount ?? 0, reason, true).failure;
}

const COMPARED_BY_SERVICE: JournalState = {
	kind: 'inDoubt',
	isKeyAlive: true,
	isSameAccount: true,
	hasOtherContent: true,
};

/**
 * Where the key of an order in doubt is alive, the service compares: it refuses content that
 * differs from what it has accepted, and accepts any where it has accepted nothing.
 */
function comparedByService(state: JournalState): JournalState {
	if (state.kind !== 'differs' || !state.isKeyAlive || !state.isSameAccount) return state;
	return COMPARED_BY_SERVICE;
}

/** The fingerprints of the contents that a row may have been sent with. */
function contentsOfRow(row: ApiRecord): string[] {
	return pixKeysShown(row).map((pixKey) => contentHash(centsOfAnswer(row.netAmount), pixKey));
}

function contentHash(cents: Cents | null, pixKey: string | null): string {
	return fingerprint([cents, pixKey]);
}

const NOT_USED_UP: UsedUp = { isRefused: false, isDoubtful: true };

function toKeyUse(item: OrderItem, generation: number): KeyUse {
	return { ...toQuery(item), generation };
}

function nameOfKey({ order, generation, account }: UsedKey): string {
	return `${order} ${generation} ${account}`;
}

/** @param now epoch ms */
function rememberRefusal(refusal: Refusal, now: number): void {
	const name = nameOfKey(refusal);
	const { doubtfulCents, content } = refusal;
	const known = seenRefusals.get(name);
	// A replayed refusal does not extend the life of the key.
	const isOld = known !== undefined && now - known.since > KEY_GONE_MS;
	const seen =
		isOld || !known
			? { since: now, doubtfulCents: new Set<number>(), contents: new Set<string>() }
			: known;
	seen.contents.add(content);
	if (doubtfulCents !== undefined) seen.doubtfulCents.add(doubtfulCents);
	seenRefusals.set(name, seen);
}

function matcherFor({ draft }: OrderItem): (row: ApiRecord) => boolean {
	const { payout } = draft;
	return (row) =>
		payout !== undefined && isSamePayout(row, { cents: payout.amount, pixKey: payout.pixKey });
}

function toQuery(item: OrderItem): { order: string; content: string; account: string } {
	return {
		order: getOrderName(item),
		content: contentHash(
			item.draft.payout?.amount ?? null,
			item.draft.payout?.pixKey.value ?? null,
		),
		account: item.request.account,
	};
}

/** @throws InputError for anything but a whole number in range */
export function parseRemembered(value: unknown): number {
	if (value === undefined) return DEFAULT_REMEMBERED;
	const count = Number(value);
	if (value === '' || !Number.isInteger(count) || count < 1 || count > MAX_REMEMBERED) {
		throw new InputError(
			'Remembered References is not a valid number',
			`Enter a whole number from 1 to ${MAX_REMEMBERED}.`,
		);
	}
	return count;
}
