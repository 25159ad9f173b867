import type { IDataObject } from 'n8n-workflow';
import { GroupCommit } from '../../shared/concurrency/sharedCalls';
import type { Answered } from '../../shared/client/client';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import { deriveReferenceKey, fingerprint } from '../../shared/orders/key';
import { lookUpError } from '../../shared/retry/errors';
import type { ApiRecord } from '../../shared/transport/schemas';
import { idOfAnswer } from '../../shared/validation/uuid';
import { ItemCall } from '../execution/itemCall';
import type { ItemResult } from '../execution/draft';
import type { OrderItem, OrderRun, TakenBack } from '../execution/orderProcessor';
import { UNKNOWN_STATUS } from '../execution/runSummary';
import { searchRows } from './absence';
import { KeyedAttempt } from './keyedAttempt';
import { claimWithdrawal, isOfOtherEnvironment, whenMade } from './origin';
import { CLOCKS_DIFFER_MS, AccountHistory } from './accountHistory';
import { LedgerUnavailable, withoutOthers, type LedgerStore } from './ledger';
import { LedgerRun, referenceOf, type Claim, type Claimed } from './ledgerRun';
import {
	advance,
	begin,
	findUnsent,
	mayAttempt,
	openSendings,
	type Action,
	type Answer,
	type Event,
	type Fetched,
	type NewRow,
	type State,
	type Step,
	type Conclusion,
} from './protocol';
import { compareRecord, environmentOf, findClaimants } from './readRows';
import type { ReferencedKind } from './referencedKind';

/** One order with a reference, on its way through the protocol. */
interface Track {
	readonly item: OrderItem;
	step: Step;
	/** `waiting`: it is to be sent when its turn comes. */
	turn: 'none' | 'waiting' | 'begun';
	/** The withdrawal or payment as the service showed it last. */
	record: ApiRecord | undefined;
	/** What an answer of this run has shown and later ones may not, see `ReferencedKind`. */
	kept: Readonly<Record<string, string>>;
	/** Why the last request failed. */
	error: Error | undefined;
	/** Why the list shows nothing. */
	unread: string | undefined;
}

type End = Extract<Action, { do: 'end' }>;
/** How many orders are claimed in one call. */
const MAX_CLAIMS = 400;
/** After so many refusals without a payout in between, rows are refused under their first key. */
const MOST_NEW_KEYS_IN_ROW = 12;
/** What needs the ledger alone, before anything is sent. */
const LEDGER_STEPS: ReadonlySet<Action['do']> = new Set(['readLedger', 'claim', 'withdraw']);

/** Carries out, for all orders with a reference of one run, what the protocol asks for. */
export class ReferencedOrders {
	private readonly tracks = new Map<OrderItem, Track>();
	private readonly run: string;
	private readonly salt: string;
	private readonly ledger: LedgerRun;
	private readonly claims: GroupCommit<Track, Claimed | ApiFailure>;
	private list: { readonly history: AccountHistory; readonly begunAt: number } | undefined;
	/** How often a new key was asked for since the last payout. */
	private newKeysInRow = 0;

	constructor(
		private readonly orders: OrderRun,
		private readonly store: LedgerStore,
		private readonly kind: ReferencedKind,
	) {
		const { client, context } = orders.node;
		this.run = fingerprint([context.getExecutionId(), client.now(), client.random()]);
		this.salt = context.getInstanceId();
		this.ledger = new LedgerRun(orders, store, kind, () => this.hint(kind.texts.notWritten));
		this.claims = new GroupCommit(async (tracks) => await this.claimGroup(tracks));
	}

	/**
	 * Asks the ledger about all items, in one call.
	 * @returns why items are not sent
	 */
	async ask(items: readonly OrderItem[]): Promise<Map<OrderItem, Failure>> {
		for (const item of items) {
			const track = toTrack(item, begin(this.toAsked(item)));
			this.tracks.set(item, track);
		}
		return await this.advanceAll(items, (action) => action.do === 'readLedger');
	}

	/**
	 * Writes, in one call, that the first items are about to be sent. The others follow in groups, when
	 * the turn of the first of them comes: what is written counts for 30 seconds.
	 * @returns why items are not sent
	 */
	async claim(items: readonly OrderItem[]): Promise<Map<OrderItem, Failure>> {
		for (const item of items) {
			const track = this.tracks.get(item);
			if (track) track.turn = 'waiting';
		}
		return await this.advanceAll(items.slice(0, MAX_CLAIMS), (action) =>
			LEDGER_STEPS.has(action.do),
		);
	}

	/** Whether the item is about to be sent, as far as the ledger knows. */
	isToBeSent(item: OrderItem): boolean {
		const action = this.tracks.get(item)?.step.action.do;
		return action !== undefined && action !== 'fetch' && action !== 'end';
	}

	/** Whether the ledger has no row of it. */
	isUnknown(item: OrderItem): boolean {
		const { step } = this.tracks.get(item) ?? {};
		return step?.action.do === 'claim' && step.state.rows.length === 0;
	}

	/**
	 * An order that was paid without its reference, which somebody filled in for a retry: from now on the
	 * ledger knows it.
	 * @param id of the withdrawal
	 */
	async recordAdded(item: OrderItem, id: string): Promise<void> {
		const { reference } = item.request;
		if (reference === undefined || item.order.kind === 'reference') return;
		const row: NewRow = { status: 'paid', generation: 0, withdrawalId: id };
		const asked = this.toAsked(item);
		this.ledger.keep(item, { asked, keyUsedAt: this.ledger.clock.now() }, [row], []);
		await this.ledger.flush();
	}

	/** Whether an attempt of an earlier run may have paid it. */
	mayHavePaid(item: OrderItem): boolean {
		const { rows = [] } = this.tracks.get(item)?.step.state ?? {};
		return openSendings(rows).some(({ run }) => run !== this.run);
	}

	/**
	 * @param allow called before it is sent if that was not foreseen in `isToBeSent`; throws to stop it
	 * @throws ApiFailure if it is not paid, or in doubt
	 */
	async settle(item: OrderItem, allow: () => void): Promise<ItemResult> {
		const track = this.tracks.get(item);
		if (track === undefined) throw new TypeError('The ledger was not asked about this item');
		track.turn = 'begun';
		await this.finish(track, allow).catch((error: unknown): never => {
			throw this.toRefusal(track, error);
		});
		const end = track.step.action as End;
		this.ledger.keep(item, track.step.state, end.record, end.remove, track.kept);
		return this.toResult(track, end.conclusion);
	}

	private async finish(track: Track, allow: () => void): Promise<void> {
		while (track.step.action.do !== 'end') {
			if (track.step.action.do === 'claim') allow();
			await this.next(track);
		}
	}

	/** To be called after all items, however they ended. @returns see `OrderProcessor.end` */
	async end(): Promise<TakenBack | undefined> {
		// Claimed and never sent: the run was stopped, or another item ended it.
		for (const { item, step, turn } of this.tracks.values()) {
			if (turn === 'begun') continue;
			this.ledger.keep(item, step.state, [], findUnsent(step));
		}
		await this.ledger.flush();
		if (this.store.isLarge) this.hint(MANY_ROWS_KEPT);
		const { disputes } = this.ledger;
		if (disputes.size === 0) return undefined;
		return (item) => {
			const dispute = disputes.get(referenceOf(item));
			if (dispute === undefined) return undefined;
			item.order.recordDisputed(item.call.now());
			return this.kind.texts.inDoubt(item.order, item.draft, dispute, undefined).failure;
		};
	}

	private async advanceAll(
		items: readonly OrderItem[],
		isWanted: (action: Action) => boolean,
	): Promise<Map<OrderItem, Failure>> {
		const refusals = new Map<OrderItem, Failure>();
		await Promise.all(
			items.map(async (item) => {
				const track = this.tracks.get(item);
				if (track === undefined) return;
				try {
					while (isWanted(track.step.action)) await this.next(track);
				} catch (error) {
					refusals.set(item, toFailure(this.toRefusal(track, error)));
				}
			}),
		);
		return refusals;
	}

	private toRefusal(track: Track, error: unknown): Error {
		if (error instanceof LedgerUnavailable) return this.toUnavailable(track, error);
		return error as Error;
	}

	private toUnavailable({ item, step }: Track, cause: LedgerUnavailable): ApiFailure {
		const { action, state } = step;
		// If the ledger could not be read, nothing is known of earlier runs.
		const isUnknown = action.do === 'readLedger' || state.unansweredAt !== undefined;
		const mayHavePaid = isUnknown || this.mayHavePaid(item);
		return this.kind.texts.ledgerUnavailable(item.order, cause, mayHavePaid);
	}

	/** Carries out one action. @throws LedgerUnavailable, ApiFailure */
	private async next(track: Track): Promise<void> {
		const { action, state } = track.step;
		switch (action.do) {
			case 'readLedger': {
				const rows = this.ledger.read(track.item);
				// What goes on under a new key keeps its turn.
				const { answer } = state;
				const isLast = answer && !(answer.kind === 'refused' && answer.needsNewKey);
				return this.see(track, {
					saw: 'ledger',
					rows: await (isLast ? this.orders.aside(rows) : rows),
				});
			}
			case 'claim': {
				track.error = undefined;
				const claimed = await this.claims.ask(track);
				if (claimed instanceof ApiFailure) throw claimed;
				return this.see(track, { saw: 'claimed', ...claimed });
			}
			case 'withdraw':
				await this.store.withdraw(action.ids);
				return this.see(track, { saw: 'withdrawn' });
			case 'send':
				return await this.send(track, action.generation);
			case 'fetch':
				return this.see(track, {
					saw: 'fetched',
					withdrawal: await this.fetch(track, action.id),
					claimants: await findClaimants(this.store, referenceOf(track.item), action),
				});
			case 'list':
				return await this.search(track, action);
			case 'compareAccounts':
				return this.see(track, {
					saw: 'compared',
					same: await this.findSameAccount(track.item, action.apiKeys),
				});
			case 'end':
				throw new TypeError(`A settled payout goes no further (${state.generation})`);
		}
	}

	private hint(message: string): void {
		this.orders.node.hints.add(message);
	}

	private see(track: Track, event: Event): void {
		track.step = advance(track.step.state, event, this.ledger.clock.now());
	}

	/** Claims what is asked for, and the items that come next. */
	private async claimGroup(asked: readonly Track[]): Promise<Array<Claimed | ApiFailure>> {
		const next = asked.some(({ turn }) => turn === 'begun') ? this.findNext(asked.length) : [];
		const claimed = await this.ledger.claim([...asked, ...next].map(toClaim));
		next.forEach((track, index) => {
			const result = claimed[asked.length + index];
			if (result === undefined || result instanceof ApiFailure) return;
			if (track.turn === 'waiting') this.see(track, { saw: 'claimed', ...result });
		});
		return claimed.slice(0, asked.length);
	}

	/** @param count how many are claimed anyway */
	private findNext(count: number): Track[] {
		const next: Track[] = [];
		for (const track of this.tracks.values()) {
			if (count + next.length >= MAX_CLAIMS) break;
			if (track.turn !== 'waiting') continue;
			const { action, state } = track.step;
			const isStale = action.do === 'send' && !mayAttempt(state, this.ledger.clock.now());
			if (isStale) this.see(track, { saw: 'stale', unansweredAt: undefined });
			if (track.step.action.do === 'claim') next.push(track);
		}
		return next;
	}

	private async send(track: Track, generation: number): Promise<void> {
		const { item } = track;
		const { operation, isLive } = item.request;
		const order = new KeyedAttempt(
			deriveReferenceKey(operation, isLive, referenceOf(item), generation),
			item,
			track.step.state,
			async (unansweredAt) => await this.renew(track, unansweredAt),
			() => this.ledger.clock.now(),
			this.ledger.clock.toLocal(track.step.state.keyUsedAt),
		);
		const toAnswer = ({ body, date }: Answered<IDataObject>): Answer => {
			this.newKeysInRow = 0;
			const record = body as ApiRecord;
			const id = idOfAnswer(body) ?? '';
			track.record = record;
			track.kept = this.kind.toKept(record);
			const made = whenMade(record, order, date, item.call.now());
			const { others } = claimWithdrawal(id, this.nameInProcess(item), item.call.now());
			// What this run cannot have asked for is an earlier one under this name, or another order's.
			const isOther =
				isOfOtherEnvironment(record, item.call.environment) ||
				(made !== 'before' && !this.kind.isSame(record, item.draft, true));
			return {
				kind: this.kind.isOver(record) ? 'failed' : 'paid',
				id,
				claimants: [...others.map(toShown), ...(isOther ? [this.kind.texts.otherContent] : [])],
				made,
			};
		};
		const toRefusal = (error: unknown): Answer | undefined => {
			if (error instanceof Overtaken) return undefined;
			if (error instanceof LedgerUnavailable) throw error;
			track.error = error as Error;
			return this.withoutNewKeys(order.toAnswer(toFailure(error)));
		};
		const answer = await item.call.sendOrder(item.draft, order).then(toAnswer, toRefusal);
		const { unansweredAt } = order;
		if (answer) this.see(track, { saw: 'answered', answer, unansweredAt });
	}

	/** While no provider takes any payout, further rows would spend seconds on keys of their own in vain. */
	private withoutNewKeys(answer: Answer): Answer {
		if (answer.kind !== 'refused' || !answer.needsNewKey) return answer;
		this.newKeysInRow += 1;
		return { ...answer, needsNewKey: this.newKeysInRow <= MOST_NEW_KEYS_IN_ROW };
	}

	/**
	 * Immediately before an attempt: writes the intention anew if it has become too old.
	 * @throws Overtaken if the ledger no longer allows the attempt
	 */
	private async renew(track: Track, unansweredAt: number | undefined): Promise<void> {
		if (mayAttempt(track.step.state, this.ledger.clock.now())) return;
		this.see(track, { saw: 'stale', unansweredAt });
		if (track.step.action.do === 'claim') await this.next(track);
		if (track.step.action.do !== 'send') throw new Overtaken();
	}

	private async fetch(track: Track, id: string): Promise<Fetched> {
		const { draft } = track.item;
		const { current } = draft;
		const found = id === '' ? undefined : await current?.(id).catch(() => undefined);
		// The stored answer says for ever what was so at first.
		track.record = found ?? (track.record && { ...track.record, status: UNKNOWN_STATUS });
		const { rows, asked } = track.step.state;
		return compareRecord(found, id, rows, draft, asked.content, this.kind);
	}

	private async search(track: Track, action: Extract<Action, { do: 'list' }>): Promise<void> {
		const { item } = track;
		const { contents, since, ruledOut, named, from } = action;
		if (this.list === undefined || this.list.begunAt < from) {
			this.list = {
				history: new AccountHistory(new ItemCall(this.orders.node, 0), this.kind.list),
				begunAt: this.ledger.clock.now(),
			};
		}
		const { history, begunAt } = this.list;
		const reading = await history.since(this.ledger.clock.toLocal(since) - CLOCKS_DIFFER_MS);
		const looks = this.kind.looksLikeOneOf(contents, item.draft, this.salt);
		const isOthers = (id: string) =>
			ruledOut.has(id) || (!named.has(id) && this.isOthers(item, id));
		const finding = searchRows(reading, this.kind.list.name, looks, isOthers);
		if (finding.state !== 'candidates') {
			const isComplete = finding.state === 'absent';
			if (!isComplete) this.hint((track.unread = finding.reason));
			return this.see(track, {
				saw: 'listed',
				list: isComplete ? { isComplete, candidates: [] } : { isComplete },
				begunAt,
			});
		}
		const { ids } = finding;
		const free = withoutOthers(ids, await this.store.findWithdrawals(ids), referenceOf(item));
		const candidates = ids.filter((id) => named.has(id) || free.includes(id));
		this.see(track, { saw: 'listed', list: { isComplete: true, candidates }, begunAt });
	}

	private isOthers({ order }: OrderItem, id: string): boolean {
		return order.doneId !== id && this.orders.book.memory.doneIds.has(id);
	}

	/** @returns those API keys whose withdrawals the API key in use can read */
	private async findSameAccount(
		{ draft }: OrderItem,
		apiKeys: readonly string[],
	): Promise<string[]> {
		const same: string[] = [];
		for (const apiKey of apiKeys) {
			const [known] = await this.store.findPaidWith(apiKey);
			const id = known?.withdrawalId ?? '';
			if (id === '' || draft.current === undefined) continue;
			const isRead = await draft.current(id).then(
				() => true,
				() => false,
			);
			if (isRead) same.push(apiKey);
		}
		return same;
	}

	private toAsked({ draft, request }: OrderItem): State['asked'] {
		return {
			run: this.run,
			apiKey: request.keyPrefix,
			content: this.kind.toContent(draft, this.salt),
			body: fingerprint([this.salt, draft.body]),
		};
	}

	private toResult(track: Track, conclusion: Conclusion): ItemResult {
		const { item, record, error } = track;
		const { order, draft, call } = item;
		const { texts } = this.kind;
		switch (conclusion.say) {
			case 'paid': {
				if (record?.status === UNKNOWN_STATUS) this.hint(texts.notShown);
				const json = this.output(track, record ?? { id: conclusion.id }, !conclusion.isNew);
				if (conclusion.isNew) order.recordSuccess(call.now(), { id: conclusion.id });
				else order.recordPaidBefore(conclusion.id);
				return { json };
			}
			case 'recorded':
				if (conclusion.isForeign) throw texts.foreign(order, conclusion.id);
				this.hint(texts.notShown);
				return { json: this.output(track, { id: conclusion.id, status: UNKNOWN_STATUS }, true) };
			case 'mismatch':
				throw texts.mismatch(order, conclusion.id);
			case 'elsewhere':
				throw texts.elsewhere(order);
			case 'failed':
				throw texts.failed(order, record ?? { id: conclusion.id, status: 'FAILED' });
			case 'later': {
				const { from } = conclusion;
				const own = error && toFailure(error);
				if (error && own?.effect === 'unknown' && from === undefined) throw error;
				// That it had no effect says nothing of the attempts of others.
				const isTurnedAway = own?.httpStatus === 401 || own?.httpStatus === 403;
				const turnedAway = isTurnedAway ? lookUpError(own.code)?.what : undefined;
				const why = own?.effect === 'none' ? own.message : turnedAway;
				throw texts.later(order, draft, from && this.ledger.clock.toLocal(from), why);
			}
			case 'inDoubt':
				throw texts.inDoubt(order, draft, conclusion.because, track.unread);
			case 'refused':
			case 'notSent':
				throw error ?? texts.later(order, draft, undefined, undefined);
		}
	}

	private output(
		{ item, step, kept }: Track,
		record: ApiRecord | { id: string },
		wasMadeBefore: boolean,
	): IDataObject {
		const row = step.state.rows.find(({ withdrawalId }) => withdrawalId === record.id);
		const shown = record as IDataObject;
		return this.kind.toOutput(item.order, shown, wasMadeBefore, { ...row?.shows, ...kept });
	}

	/** The reference as `claimWithdrawal` takes it. */
	private nameInProcess(item: OrderItem): string {
		return `${environmentOf(item.request.isLive)} ${this.kind.kind}\n${referenceOf(item)}`;
	}
}

/** What another order is called in a message. @param name as `claimWithdrawal` has it: a key if without a reference */
function toShown(name: string): string {
	const [, reference] = /\n([^]*)/.exec(name) ?? [];
	return reference ?? 'a payment without a reference';
}

const MANY_ROWS_KEPT =
	'The table BRL Payouts has more than 150,000 rows, which slows down each run. Export it, then delete rows with the status paid whose references never come back: a reference without a row is paid again.';

/** Another run has changed the ledger: the protocol says how to go on. */
class Overtaken extends Error {}

function toTrack(item: OrderItem, step: Step): Track {
	return {
		item,
		step,
		turn: 'none',
		record: undefined,
		kept: {},
		error: undefined,
		unread: undefined,
	};
}

function toClaim({ item, step: { state, action } }: Track): Claim {
	if (action.do !== 'claim') throw new TypeError('This order claims nothing');
	return { item, asked: state.asked, rows: action.rows };
}
