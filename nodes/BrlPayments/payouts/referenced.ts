import type { IDataObject } from 'n8n-workflow';
import { GroupCommit } from '../../shared/concurrency/groupCommit';
import type { Answered } from '../../shared/client/client';
import { ApiFailure, type Failure } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import { fingerprint } from '../../shared/orders/key';
import type { KeyedOrder } from '../../shared/orders/order';
import { toReferenceKey } from '../../shared/orders/orderBook';
import type { Reference } from '../../shared/orders/reference';
import { maskPixKey } from '../../shared/privacy/fields';
import { lookUpError, type Effect } from '../../shared/retry/errors';
import type { Outcome } from '../../shared/transport/outcome';
import type { ApiRecord } from '../../shared/transport/schemas';
import { idOfAnswer } from '../../shared/validation/answerId';
import { toReais } from '../../shared/validation/money';
import { ItemCall } from '../execution/itemCall';
import type { ItemResult } from '../execution/operation';
import type { OrderItem, OrderRun } from '../execution/orderRun';
import { UNKNOWN_STATUS } from '../execution/runSummary';
import { isOtherContent, looksLikeOneOf, searchList, toContent, type Finding } from './absence';
import { PayoutHistory } from './history';
import { noteNamed } from './namedWithdrawals';
import {
	claimantsOf,
	readRow,
	toCells,
	toEnvironment,
	type Cells,
	LedgerUnavailable,
	type LedgerStore,
	withoutOthers,
	type StoredCells,
} from './ledger';
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
	type Row,
	type State,
	type Status,
	type Step,
	type Verdict,
} from './protocol';
import { isReplayed } from './replay';
import { isFailed, isSamePayout, showsPixKey } from './samePayout';
import {
	knownLater,
	ledgerUnavailable,
	NOT_SHOWN,
	notPaid,
	paidByOther,
	referenceInDoubt,
	referenceMismatch,
	unreadableRow,
	untraced,
	usedElsewhere,
} from './texts';

/** A long run writes what is settled this often. Milliseconds. */
const RECORD_EVERY_MS = 2_000;

/** One payout with a reference, on its way through the protocol. */
interface Track {
	readonly item: OrderItem;
	step: Step;
	/** `waiting`: it is to be sent when its turn comes. */
	turn: 'none' | 'waiting' | 'begun';
	/** The withdrawal as the service showed it last. */
	withdrawal: ApiRecord | undefined;
	/** Why the last request failed. */
	error: Error | undefined;
}

type End = Extract<Action, { do: 'end' }>;
/** How many payouts are claimed in one call. */
const MAX_CLAIMS = 400;
/** After so many refusals without a payout in between, rows are refused under their first key. */
const MOST_NEW_KEYS_IN_ROW = 12;
/** What is done before anything is sent. */
const FIRST: ReadonlySet<Action['do']> = new Set(['readLedger', 'claim', 'withdraw']);

/** Carries out, for all payouts with a reference of one run, what the protocol asks for. */
export class ReferencedPayouts {
	private readonly tracks = new Map<OrderItem, Track>();
	private readonly run: string;
	private readonly salt: string;
	private readonly clock: LedgerClock;
	private readonly reads: GroupCommit<string, StoredCells[]>;
	private readonly claims: GroupCommit<Claim, Claimed | ApiFailure>;
	private list: { readonly history: PayoutHistory; readonly begunAt: number } | undefined;
	private outcomes: Array<{ cells: Cells[]; remove: readonly number[] }> = [];
	private recording: Promise<void> = Promise.resolve();
	private recordedAt: number;
	/** How often a new key was asked for since the last payout. */
	private newKeysInRow = 0;

	constructor(
		private readonly orders: OrderRun,
		private readonly store: LedgerStore,
		random: () => number,
	) {
		const { client, context } = orders.run;
		this.run = fingerprint([context.getExecutionId(), client.now(), random()]);
		this.salt = context.getInstanceId();
		this.clock = new LedgerClock(() => client.now());
		this.recordedAt = client.now();
		this.reads = new GroupCommit(async (references) => {
			const rows = groupByReference(await this.store.read(references));
			return references.map((reference) => rows.get(reference) ?? []);
		});
		this.claims = new GroupCommit(async (claims) => await this.claimGroup(claims));
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
		return await this.advanceAll(items.slice(0, MAX_CLAIMS), (action) => FIRST.has(action.do));
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
	 * Asks the ledger, in one call, whose the withdrawals are that may be these items.
	 * @param found what the list shows of items that the ledger does not know
	 * @returns why items are not sent
	 */
	async judgeUntraced(found: ReadonlyMap<OrderItem, Finding>): Promise<Map<OrderItem, Failure>> {
		const toIds = (finding: Finding) => (finding.state === 'candidates' ? finding.ids : []);
		const named = this.store.findWithdrawals([...found.values()].flatMap(toIds));
		const rows = await named.catch((error: Error) => error);
		const judge = (item: OrderItem, finding: Finding): ApiFailure | undefined => {
			if (finding.state === 'absent') return undefined;
			if (finding.state === 'candidates') {
				if (rows instanceof Error) return ledgerUnavailable(item.order, rows, true);
				if (withoutOthers(finding.ids, rows, nameOf(item)).length === 0) return undefined;
			}
			return untraced(item.order, finding);
		};
		const refusals = [...found].map(([item, finding]) => [item, judge(item, finding)] as const);
		return new Map(
			refusals.flatMap(([item, refusal]) => (refusal ? [[item, refusal.failure]] : [])),
		);
	}

	/**
	 * An order that was paid without its reference, which somebody filled in for a retry: from now on the
	 * ledger knows it.
	 * @param id of the withdrawal
	 */
	async noteAdded(item: OrderItem, id: string): Promise<void> {
		const { reference } = item.request;
		if (reference === undefined || item.order.kind === 'reference') return;
		const track = toTrack(item, begin(this.toAsked(item)));
		const row: NewRow = { status: 'paid', generation: 0, withdrawalId: id };
		await this.store.record([this.toCells(track, row)], []).catch(() => {
			this.hint(NOT_WRITTEN);
		});
	}

	/** Whether an attempt of an earlier run may have paid it. */
	mayHavePaid(item: OrderItem): boolean {
		const { rows = [] } = this.tracks.get(item)?.step.state ?? {};
		return openSendings(rows).some(({ run }) => run !== this.run);
	}

	/**
	 * @param allow called before it is sent where that was not foreseen in `isToBeSent`; throws to stop it
	 * @throws ApiFailure where it is not paid, or in doubt
	 */
	async settle(item: OrderItem, allow: () => void): Promise<ItemResult> {
		const track = this.tracks.get(item);
		if (track === undefined) throw new TypeError('The ledger was not asked about this item');
		track.turn = 'begun';
		await this.finish(track, allow).catch((error: unknown): never => {
			throw this.toRefusal(track, error);
		});
		const end = track.step.action as End;
		this.keep(track, end);
		return this.toResult(track, end.verdict);
	}

	private async finish(track: Track, allow: () => void): Promise<void> {
		while (track.step.action.do !== 'end') {
			if (track.step.action.do === 'claim') allow();
			await this.next(track);
		}
	}

	/** To be called after all items, however they ended. */
	async end(): Promise<void> {
		// Claimed and never sent: the run was stopped, or another item ended it.
		for (const { step, turn } of this.tracks.values()) {
			if (turn !== 'begun') this.outcomes.push({ cells: [], remove: findUnsent(step) });
		}
		await this.flush();
		if (this.store.size() >= MANY_ROWS) this.hint(MANY_ROWS_KEPT);
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
		// Where the ledger could not be read, nothing is known of earlier runs.
		const isUnknown = action.do === 'readLedger' || state.unansweredAt !== undefined;
		const mayHavePaid = isUnknown || this.mayHavePaid(item);
		return ledgerUnavailable(item.order, cause, mayHavePaid);
	}

	/** Carries out one action. @throws LedgerUnavailable, ApiFailure */
	private async next(track: Track): Promise<void> {
		const { action, state } = track.step;
		switch (action.do) {
			case 'readLedger': {
				const rows = this.readRows(track.item);
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
				const claimed = await this.claims.ask({ track, rows: action.rows });
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
					claimants: await this.findClaimants(track.item, action.id, action.claims),
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
		this.orders.run.hints.add(message);
	}

	private see(track: Track, event: Event): void {
		track.step = advance(track.step.state, event, this.clock.now());
	}

	private async readRows(item: OrderItem): Promise<Row[]> {
		const rows = this.toRows(item, await this.reads.ask(nameOf(item)));
		if (rows instanceof ApiFailure) throw rows;
		return rows;
	}

	/** @returns why they cannot be used, where somebody has made a row unreadable */
	private toRows(item: OrderItem, cells: readonly StoredCells[]): Row[] | ApiFailure {
		// Also where it does not say which environment it belongs to.
		const unreadable = cells.find((cell) => readRow(cell) === undefined);
		if (unreadable) return unreadableRow(item.order.reference?.shown ?? '', unreadable.id);
		const own = cells.filter((cell) => toEnvironment(cell) === environmentOf(item));
		return own.flatMap((cell) => readRow(cell) ?? []);
	}

	/** The claims that are asked for, and those of the items that come next. */
	private async claimGroup(asked: readonly Claim[]): Promise<Array<Claimed | ApiFailure>> {
		const next = asked.some(({ track }) => track.turn === 'begun') ? this.findNext(asked) : [];
		const claimed = await this.claimAll([...asked, ...next]);
		next.forEach(({ track }, index) => {
			const result = claimed[asked.length + index];
			if (result === undefined || result instanceof ApiFailure) return;
			if (track.turn !== 'waiting') return;
			this.see(track, { saw: 'claimed', ...result });
		});
		return claimed.slice(0, asked.length);
	}

	private findNext(asked: readonly Claim[]): Claim[] {
		const next: Claim[] = [];
		for (const track of this.tracks.values()) {
			if (asked.length + next.length >= MAX_CLAIMS) break;
			if (track.turn !== 'waiting') continue;
			const { action, state } = track.step;
			const isStale = action.do === 'send' && !mayAttempt(state, this.clock.now());
			if (isStale) this.see(track, { saw: 'stale', unansweredAt: undefined });
			if (track.step.action.do === 'claim') next.push({ track, rows: track.step.action.rows });
		}
		return next;
	}

	private async claimAll(claims: readonly Claim[]): Promise<Array<Claimed | ApiFailure>> {
		const begunAt = this.orders.run.client.now();
		const cells = claims.flatMap(({ track, rows }) => rows.map((row) => this.toCells(track, row)));
		const claimed = await this.store.claim(cells);
		const [own, all] = [groupByReference(claimed.own), groupByReference(claimed.all)];
		return claims.map(({ track: { item }, rows }) => {
			const reference = nameOf(item);
			const { generation } = rows.at(-1) as NewRow;
			const written = (own.get(reference) ?? [])
				.filter(({ environment }) => environment === environmentOf(item))
				.flatMap((cell) => readRow(cell) ?? [])
				.filter((row) => row.status === 'sending' && row.generation === generation)
				.sort((one, other) => other.id - one.id);
			const [newest] = written;
			if (newest) this.clock.set(newest.at, begunAt);
			const known = this.toRows(item, all.get(reference) ?? []);
			return known instanceof ApiFailure ? known : { own: newest, rows: known };
		});
	}

	private async send(track: Track, generation: number): Promise<void> {
		const { item } = track;
		const order = new GenerationOrder(
			toReferenceKey(item.request, generation) ?? '',
			item,
			track.step.state,
			async (unansweredAt) => await this.renew(track, unansweredAt),
			() => this.clock.now(),
		);
		const toAnswer = ({ body, date }: Answered<IDataObject>): Answer => {
			this.newKeysInRow = 0;
			const withdrawal = body as ApiRecord;
			const id = idOfAnswer(body) ?? '';
			track.withdrawal = withdrawal;
			return {
				kind: isFailed(withdrawal) ? 'failed' : 'paid',
				id,
				claimants: noteNamed(id, nameInProcess(item), item.call.now()),
				isOlder: isReplayed(withdrawal, order, date, item.call.now(), true),
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
	 * Immediately before an attempt: writes the intention anew where it has become too old.
	 * @throws Overtaken where the ledger no longer allows the attempt
	 */
	private async renew(track: Track, unansweredAt: number | undefined): Promise<void> {
		if (mayAttempt(track.step.state, this.clock.now())) return;
		this.see(track, { saw: 'stale', unansweredAt });
		if (track.step.action.do === 'claim') await this.next(track);
		if (track.step.action.do !== 'send') throw new Overtaken();
	}

	private async fetch(track: Track, id: string): Promise<Fetched> {
		const { item, step } = track;
		const { payout, current } = item.draft;
		const found = id === '' ? undefined : await current?.(id).catch(() => undefined);
		const paid = step.state.rows.find((row) => row.status === 'paid' && row.withdrawalId === id);
		const isRecordedSame = !isOtherContent(paid?.content ?? '', step.state.asked.content);
		if (found === undefined || payout === undefined) {
			return { state: 'unreadable', isSameContent: isRecordedSame };
		}
		track.withdrawal = found;
		const isSameContent =
			isSamePayout(found, { cents: payout.amount, pixKey: payout.pixKey }) &&
			(showsPixKey(found) || isRecordedSame);
		return { state: isFailed(found) ? 'failed' : 'living', isSameContent };
	}

	private async search(track: Track, action: Extract<Action, { do: 'list' }>): Promise<void> {
		const { item } = track;
		const { contents, since, ruledOut, from } = action;
		if (this.list === undefined || this.list.begunAt < from) {
			this.list = {
				history: new PayoutHistory(new ItemCall(this.orders.run, 0)),
				begunAt: this.clock.now(),
			};
		}
		const { history, begunAt } = this.list;
		const reading = await history.since(this.clock.toLocal(since));
		const looks = looksLikeOneOf(contents, this.salt);
		const finding = searchList(reading, looks, (id) => ruledOut.has(id) || this.isOthers(item, id));
		if (finding.state !== 'candidates') {
			const isComplete = finding.state === 'absent';
			if (!isComplete) this.hint(finding.reason);
			return this.see(track, {
				saw: 'listed',
				list: isComplete ? { isComplete, candidates: [] } : { isComplete },
				begunAt,
			});
		}
		const { ids } = finding;
		const candidates = withoutOthers(ids, await this.store.findWithdrawals(ids), nameOf(item));
		this.see(track, { saw: 'listed', list: { isComplete: true, candidates }, begunAt });
	}

	/** For which other references the ledger has a withdrawal. */
	private async findClaimants(
		item: OrderItem,
		id: string,
		claims: readonly Status[],
	): Promise<string[]> {
		if (claims.length === 0) return [];
		const rows = await this.store.findWithdrawals([id]);
		return claimantsOf(rows, id, nameOf(item), claims);
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
		const { payout } = draft;
		if (payout === undefined) throw new TypeError('This is no payout');
		return {
			run: this.run,
			apiKey: request.keyPrefix,
			content: toContent(payout.amount, payout.pixKey.value, this.salt),
			body: fingerprint([this.salt, draft.body]),
		};
	}

	private toCells({ item, step }: Track, row: NewRow): Cells {
		const { payout } = item.draft;
		const { context } = this.orders.run;
		return {
			reference: nameOf(item),
			amount: payout === undefined ? null : toReais(payout.amount),
			pixKey: payout === undefined ? null : maskPixKey(payout.pixKey.value),
			environment: environmentOf(item),
			workflow: context.getWorkflow().id ?? null,
			execution: context.getExecutionId(),
			...toCells(row, step.state.asked, this.clock.now()),
		};
	}

	/** Keeps what is to be written, and writes it from time to time. */
	private keep(track: Track, { record, remove }: End): void {
		if (record.length > 0 || remove.length > 0) {
			this.outcomes.push({ cells: record.map((row) => this.toCells(track, row)), remove });
		}
		const now = this.orders.run.client.now();
		if (now - this.recordedAt < RECORD_EVERY_MS) return;
		this.recordedAt = now;
		this.recording = this.flush();
	}

	private async flush(): Promise<void> {
		await this.recording;
		const outcomes = this.outcomes.splice(0);
		const cells = outcomes.flatMap((one) => one.cells);
		const remove = [...new Set(outcomes.flatMap((one) => one.remove))];
		if (cells.length === 0 && remove.length === 0) return;
		try {
			await this.store.record(cells, remove);
		} catch {
			// The rows of the attempts stay, and the next run asks the service under their keys.
			this.hint(NOT_WRITTEN);
		}
	}

	private toResult(track: Track, verdict: Verdict): ItemResult {
		const { item, withdrawal, error } = track;
		const { order, draft, call } = item;
		const cents = draft.payout?.amount ?? 0;
		switch (verdict.say) {
			case 'paid':
				if (verdict.isNew) order.noteSuccess(call.now(), { id: verdict.id });
				return { json: this.output(item, withdrawal ?? { id: verdict.id }, !verdict.isNew) };
			case 'recorded':
				if (verdict.isForeign) throw paidByOther(order, verdict.id);
				this.hint(NOT_SHOWN);
				return { json: this.output(item, { id: verdict.id, status: UNKNOWN_STATUS }, true) };
			case 'mismatch':
				throw referenceMismatch(order, verdict.id);
			case 'elsewhere':
				throw usedElsewhere(order);
			case 'failed':
				throw notPaid(order, withdrawal ?? { id: verdict.id, status: 'FAILED' });
			case 'later': {
				const { from } = verdict;
				const own = error && toFailure(error);
				if (error && own?.effect === 'unknown' && from === undefined) throw error;
				// That it had no effect says nothing of the attempts of others.
				const isTurnedAway = own?.httpStatus === 401 || own?.httpStatus === 403;
				const turnedAway = isTurnedAway ? lookUpError(own.code)?.what : undefined;
				const why = own?.effect === 'none' ? own.message : turnedAway;
				throw knownLater(order, cents, from && this.clock.toLocal(from), why);
			}
			case 'inDoubt':
				throw referenceInDoubt(order, cents, verdict.because);
			case 'refused':
			case 'notSent':
				throw error ?? knownLater(order, cents, undefined);
		}
	}

	private output(
		{ order }: OrderItem,
		withdrawal: ApiRecord | { id: string },
		alreadyPaid: boolean,
	): IDataObject {
		return { ...(withdrawal as IDataObject), reference: order.reference?.value, alreadyPaid };
	}
}

const NOT_WRITTEN =
	'What was paid could not be written to the table BRL Payouts. Run the workflow again within 24 hours: the service recognizes each reference, and nothing is paid twice.';

/** From here on, reading takes seconds. */
const MANY_ROWS = 150_000;
const MANY_ROWS_KEPT =
	'The table BRL Payouts has more than 150,000 rows, which slows down each run. Export it, then delete rows with the status paid whose references never come back: a reference without a row is paid again.';

interface Claim {
	readonly track: Track;
	readonly rows: readonly NewRow[];
}

interface Claimed {
	readonly own: Row | undefined;
	readonly rows: Row[];
}

/** The clock of n8n's database, as far as this run has seen it. */
class LedgerClock {
	private lead = 0;

	/** @param local epoch ms */
	constructor(private readonly local: () => number) {}

	/** @param writtenAt by the ledger; @param begunAt local time before it was written */
	set(writtenAt: number, begunAt: number): void {
		this.lead = writtenAt - begunAt;
	}

	/** Never too early: what was written may look older than it is, not younger. */
	now(): number {
		return this.local() + this.lead;
	}

	toLocal(time: number): number {
		return time - this.lead;
	}
}

/** The order as the client sees it while it sends under one key. */
class GenerationOrder implements KeyedOrder {
	readonly hasOwnKey = false;
	readonly isDone = false;
	readonly retrySafeUntil = undefined;
	unansweredAt: number | undefined;
	/** Epoch ms. */
	firstSentInRunAt: number | undefined;
	private isUsedUp = false;
	private last: { readonly outcome: Outcome; readonly effect: Effect } | undefined;

	constructor(
		readonly key: string,
		private readonly item: OrderItem,
		private readonly state: State,
		private readonly renew: (unansweredAt: number | undefined) => Promise<void>,
		private readonly now: () => number,
	) {
		this.unansweredAt = state.unansweredAt;
	}

	get reference(): Reference | undefined {
		return this.item.order.reference;
	}

	get isUnclear(): boolean {
		return this.unansweredAt !== undefined || !this.state.isAlone;
	}

	get firstUsedAt(): number | undefined {
		return this.item.order.firstUsedAt;
	}

	async beforeAttempt(now: number): Promise<void> {
		await this.renew(this.unansweredAt);
		this.firstSentInRunAt ??= now;
		this.item.order.noteSent(now);
	}

	noteSuccess(): void {
		this.unansweredAt = undefined;
	}

	noteOutcome(outcome: Outcome, effect: Effect, now: number): void {
		this.last = { outcome, effect };
		if (effect !== 'unknown' || isMismatch(outcome)) return;
		this.unansweredAt = this.now();
		this.item.order.noteOutcome(outcome, effect, now);
	}

	useNextKey(): void {
		throw new TypeError('The protocol decides about the next key');
	}

	noteUsedUp(): void {
		this.isUsedUp = true;
	}

	/** What the last attempt of the run was answered with. */
	toAnswer({ code }: Failure): Answer {
		if (this.last === undefined) return { kind: 'notSent' };
		if (code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') return { kind: 'mismatch' };
		const { outcome, effect } = this.last;
		if (effect === 'unknown') return { kind: 'unknown' };
		if (outcome.kind !== 'refused') return { kind: 'notSent' };
		// What is wrong with a request is wrong with its copy, too.
		const isEarly = effect === 'notReached' && code !== 'VALIDATION_ERROR';
		return { kind: 'refused', needsNewKey: this.isUsedUp, isEarly };
	}
}

/**
 * This attempt did nothing: the key was used with other content. After a conflict that is not known, as
 * what is being processed may be this very attempt, which something on the way has sent twice.
 */
function isMismatch(outcome: Outcome): boolean {
	return outcome.kind === 'refused' && outcome.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH';
}

/** Another run has changed the ledger: the protocol says how to go on. */
class Overtaken extends Error {}

function groupByReference(cells: readonly StoredCells[]): Map<string, StoredCells[]> {
	const groups = new Map<string, StoredCells[]>();
	for (const cell of cells) {
		const group = groups.get(cell.reference);
		if (group) group.push(cell);
		else groups.set(cell.reference, [cell]);
	}
	return groups;
}

function toTrack(item: OrderItem, step: Step): Track {
	return { item, step, turn: 'none', withdrawal: undefined, error: undefined };
}

function nameOf({ request }: OrderItem): string {
	return request.reference?.value ?? '';
}

/** A reference as `namedWithdrawals` has it. */
const nameInProcess = (item: OrderItem): string => `${environmentOf(item)} "${nameOf(item)}"`;

function environmentOf({ request }: OrderItem): string {
	return request.isLive ? 'live' : 'test';
}
