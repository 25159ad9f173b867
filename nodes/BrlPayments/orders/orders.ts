/**
 * The orders of one run of the node, from top to bottom: name them, read the ledger, stop what must not be
 * sent, claim, send, record. What leads an order from one state to the next: `protocol.ts`.
 */
import type { IDataObject } from 'n8n-workflow';
import { GroupCommit } from '../../shared/concurrency/sharedCalls';
import { type ApiFailure, type Failure } from '../../shared/failures/failure';
import { getCreatedAt } from '../../shared/lists/rowCollector';
import { toFailure } from '../../shared/failures/itemError';
import { lookUpError } from '../../shared/retry/errors';
import { fingerprint } from '../../shared/text/fingerprint';
import type { ApiRecord } from '../../shared/transport/schemas';
import { idOfAnswer } from '../../shared/input/uuid';
import type { ItemResult } from '../orderRequest';
import { ItemCall, type NodeRun } from '../item';
import { UNKNOWN_STATUS } from '../report';
import { findCandidates } from './absence';
import { AccountHistory, CLOCKS_DIFFER_MS } from './accountList';
import type { AskedNames } from './asked';
import { LedgerAttempt } from './attempt';
import { openLedger } from './dataTable';
import type { ExecutionFacts } from './execution';
import type { OrderKind } from './kind';
import {
	findActed,
	findOwners,
	LedgerUnavailable,
	readDetails,
	toCells,
	toRows,
	type Cells,
	type ActedOrder,
	type Ledger,
	type StoredCells,
} from './ledger';
import { automaticName, keyOf, looksAutomatic, readOrder, type Name } from './names';
import {
	begin,
	findPaid,
	mayAttempt,
	ownSendings,
	PERSON,
	sawAnswer,
	sawList,
	sawRows,
	sawWithdrawal,
	type Action,
	type Answer,
	type Conclusion,
	type Found,
	type NewRow,
	type Row,
	type Step,
} from './protocol';
import { Stops, type PayoutSettings } from './stops';
import * as texts from './texts';
import type { Named } from './texts';
import { mayHaveActed, openOf, wasSent, type OrderItem, type Track } from './track';

type Change = Extract<Action, { do: 'change' }>;

/** How many orders are claimed in one call. */
const MAX_CLAIMS = 400;
/** A long run writes what is settled this often: a kill leaves the rest to be asked for again. Milliseconds. */
const RECORD_EVERY_MS = 5_000;
/** After so many refusals without a success in between, rows are refused under their first key. */
const MOST_NEW_KEYS_IN_ROW = 12;

/** What is to be written, and the rows that are to be removed then, by ID. */
interface Outcomes {
	readonly cells: Cells[];
	readonly remove: number[];
}

/** What `begin` has found. */
interface Begun {
	/** For each item, in order, why it is not sent; undefined if it is. */
	readonly refusals: ReadonlyArray<Failure | undefined>;
	/** At least one item cannot be right. */
	readonly isWrong: boolean;
	/** An earlier attempt may have made orders that none of these items is: perhaps those that cannot be read now. */
	readonly hasMissing: boolean;
}

export class Orders {
	private readonly ledger: Ledger;
	private readonly run: string;
	private readonly salt: string;
	private readonly isLive: boolean;
	private readonly apiKey: string;
	private readonly tracks: Track[] = [];
	private readonly byItem = new Map<OrderItem, Track>();
	private readonly stops: Stops;
	private readonly changes: GroupCommit<Track, readonly Row[]>;
	/** Reads back one root alone, see `Ledger.change`. */
	private onlyRoot: string | undefined;
	/** What others have written since the ledger was read, as far as the last claim has read it. */
	private readBack: readonly StoredCells[] = [];
	private list: { readonly history: AccountHistory; readonly begunAt: number } | undefined;
	private newKeysInRow = 0;
	/** An order that is shown as made before was sent by this run, which may have made it. */
	mayHaveMade = false;
	/** What earlier runs have left was read. */
	private isRead = false;
	private outcomes: Outcomes = { cells: [], remove: [] };
	private recording: Promise<void> = Promise.resolve();
	private recordedAt: number;
	private readonly begunAt: number;
	/** Epoch ms, by the clock of this n8n. */
	private readonly now: () => number;

	/**
	 * @param settings undefined for what is no payout
	 * @param isRepetition items of this run may have been sent before
	 */
	constructor(
		private readonly node: NodeRun,
		private readonly kind: OrderKind,
		private readonly settings: PayoutSettings | undefined,
		private readonly facts: ExecutionFacts,
		private readonly asked: AskedNames,
		private readonly isRepetition: boolean,
	) {
		const { client, context } = node;
		this.now = client.now;
		this.recordedAt = this.now();
		this.begunAt = this.now();
		const { executionId, run } = facts;
		this.run = fingerprint([executionId, run, this.now(), client.random()]);
		this.salt = context.getInstanceId();
		this.isLive = client.connection.environment === 'production';
		this.apiKey = client.connection.keyPrefix;
		this.ledger = openLedger(context, this.now);
		const { tracks, isLive, ledger, now } = this;
		const shared = { kind, settings, facts, asked, isRepetition, isLive, ledger, now };
		this.stops = new Stops(tracks, shared);
		this.changes = new GroupCommit(async (tracks) => await this.change(tracks));
	}

	/** Earlier attempts, or other runs of this execution, have made orders, or may have. */
	get hasActed(): boolean {
		return this.stops.earlier.length > 0 || this.asked.elsewhere.size > 0;
	}

	/**
	 * To be called with all items before anything is sent.
	 * @param isStopped nothing is to be sent: only what earlier attempts have left is read
	 */
	async begin(items: readonly OrderItem[], isStopped: boolean): Promise<Begun> {
		for (const item of items) this.track(item);
		for (const [{ item }, first] of this.stops.stopByName()) this.byItem.set(item, first);
		const isWrong = this.tracks.some(({ refusal }) => refusal !== undefined);
		const mayClaim = !isStopped && (!isWrong || this.node.context.continueOnFail());
		await this.stopAndClaim(mayClaim).catch((error: unknown) => {
			for (const track of openOf(this.tracks)) track.refusal = this.toUnavailable(track, error);
		});
		const refusals = this.tracks.map(({ refusal }) => refusal?.failure);
		return { refusals, isWrong, hasMissing: this.stops.missing.length > 0 };
	}

	/** @throws LedgerUnavailable */
	private async stopAndClaim(mayClaim: boolean): Promise<void> {
		const { stops } = this;
		stops.earlier = await this.readEarlier();
		this.isRead = true;
		for (const track of openOf(this.tracks)) {
			track.step = sawRows(track.step.state, this.rowsOf(track), this.ledger.now());
		}
		stops.stopChangedRows();
		stops.stopOverLimits();
		if (!mayClaim) return;
		// Before anything is claimed: a claim that a kill leaves behind passes for one that was sent, and the retry
		// would pay the duplicate.
		const guarded = await stops.stopPaidBefore();
		if (guarded.length > 0) this.onlyRoot = undefined;
		const open = openOf(this.tracks);
		for (const track of open) track.turn = 'waiting';
		const first = open.filter(({ step }) => step.action.do === 'change');
		await Promise.all(first.slice(0, MAX_CLAIMS).map(async (track) => await this.next(track)));
		if (this.facts.isAgentTool || this.facts.isEvent) stops.stopAfterOthers();
		// Of two equal payouts at once, at least one has read the other's claim back.
		await stops.stopDuplicates(guarded, this.readBack);
	}

	/* Names */

	private track(item: OrderItem): void {
		const { request, call } = item;
		const content = this.kind.contentOf(request, this.salt);
		const root = this.facts.rootOf(call.itemIndex);
		const { kind } = this.kind;
		const { reference } = request;
		const came = readOrder(call.inputJson, looksAutomatic);
		const value =
			reference?.value ??
			(came?.content === content ? came.name : undefined) ??
			(root === undefined
				? ''
				: automaticName(root, content, call.inputJson ?? {}, this.facts.isAgentTool));
		const name: Name = { kind, isLive: this.isLive, value, isAutomatic: reference === undefined };
		const named: Named = {
			shown: reference?.shown ?? value,
			isAutomatic: name.isAutomatic,
			cents: request.payout?.cents ?? request.charge?.cents,
			isContinued: this.node.context.continueOnFail(),
			isForAgent: this.facts.isAgentTool,
		};
		const step = begin({ run: this.run, apiKey: this.apiKey, content });
		const track: Track = {
			...{ item, name, named, root, content, came, step, turn: 'none' },
			...{ record: undefined, shows: {}, error: undefined, unread: undefined, result: undefined },
			owners: [],
			isAllowed: false,
			isSent: false,
			refusal: undefined,
		};
		this.tracks.push(track);
		this.byItem.set(item, track);
	}

	/* The ledger, before anything is sent */

	/** @returns what earlier attempts of the execution, or other runs of it, have left */
	private async readEarlier(): Promise<ActedOrder[]> {
		const { facts, ledger, settings } = this;
		const isTotalLimited = settings?.limits.largestTotal !== undefined;
		const given = openOf(this.tracks).filter(
			({ name, came }) => !name.isAutomatic || came !== undefined,
		);
		const ofRun = Array.from({ length: this.node.context.getInputData().length }, (_, index) =>
			facts.rootOf(index),
		);
		const roots = [...new Set(ofRun.flatMap((root) => root?.name ?? []))];
		const mayHaveEarlier = this.isRepetition || facts.isEvent || facts.isAgentTool;
		if (given.length > 0) {
			await ledger.watch(given.flatMap(({ name, named }) => [name.value, named.shown]));
		}
		const earlier: ActedOrder[] = [];
		if (mayHaveEarlier || isTotalLimited) {
			// In a long loop, the rows of its own earlier rounds would be read in each round.
			const isAll = this.asked.wasMadeBefore || isTotalLimited || facts.isAgentTool;
			for (const root of roots) {
				const besides = isAll ? undefined : facts.executionId;
				const rows = await ledger.watchRoot(root, besides);
				earlier.push(...findActed(rows, this.kind.kind, this.isLive));
			}
		} else if (given.length === 0 && roots.length === 1) [this.onlyRoot] = roots;
		return earlier;
	}

	/* One order */

	/** @throws ApiFailure if it is not made, or in doubt */
	async settle(item: OrderItem): Promise<ItemResult> {
		const track = this.byItem.get(item);
		if (track === undefined) throw new TypeError('This item was not asked about');
		const isFirst = track.item === item;
		track.result ??= this.finish(track);
		const result = await track.result;
		if (isFirst) return result;
		this.mayHaveMade ||= track.isSent;
		this.hint(this.kind.texts.shared);
		const before = this.kind.kind === 'payout' ? { alreadyPaid: true } : { alreadyCreated: true };
		return { json: { ...result.json, ...before } };
	}

	private async finish(track: Track): Promise<ItemResult> {
		if (track.refusal) throw track.refusal;
		track.turn = 'begun';
		try {
			while (track.step.action.do !== 'end') {
				if (claims(track.step.action)) this.stops.allow(track);
				await this.next(track);
			}
			const { record, remove, conclusion } = track.step.action;
			this.keep(
				record.map((row) => this.toCells(track, row)),
				remove,
			);
			return this.toResult(track, conclusion);
		} catch (error) {
			const failed = error instanceof LedgerUnavailable ? this.toUnavailable(track, error) : error;
			const { effect } = toFailure(failed);
			if (effect === 'unknown' && track.name.isAutomatic) this.asked.leaveOpen(track.content);
			throw failed;
		}
	}

	/** To be called after all items, however they ended. */
	async end(): Promise<void> {
		// Claimed and never sent: the run was stopped, or another item ended it.
		for (const { step, turn } of this.tracks) {
			if (turn !== 'begun')
				this.keep(
					[],
					ownSendings(step.state).map(({ id }) => id),
				);
		}
		await this.flush();
		await this.ledger.tidy().catch(() => undefined);
	}

	/** What the error of an item says of its order, by which it is recognized when it comes back. */
	orderOf(item: OrderItem): { name: string; content: string } | undefined {
		const { name, content, refusal } = this.byItem.get(item) ?? {};
		// What the item came with stays with it while nobody knows what became of that: under the name of its
		// correction, it would be paid the next time.
		const came = readOrder(item.call.inputJson, looksAutomatic);
		if (refusal && came?.isUnclear) return { name: came.name, content: came.content };
		// Rows that nothing tells apart would come back as one.
		const isEqual = refusal?.failure.code === 'EQUAL_ROWS';
		if (!name?.isAutomatic || name.value === '' || content === undefined || isEqual)
			return undefined;
		return { name: name.value, content };
	}

	/** Carries out one action. @throws LedgerUnavailable, ApiFailure */
	private async next(track: Track): Promise<void> {
		const { state, action } = track.step;
		switch (action.do) {
			case 'change': {
				const rows = await this.changes.ask(track);
				track.step = sawRows(state, rows, this.ledger.now());
				return;
			}
			case 'send':
				return await this.send(track, action.generation);
			case 'fetch':
				return await this.fetch(track, action.id);
			case 'list':
				return await this.search(track, action);
			case 'end':
				throw new TypeError('A settled order goes no further');
		}
	}

	private rowsOf({ name }: Track): Row[] {
		return toRows(name, this.ledger.rowsOf(name.value));
	}

	/** Writes what orders ask for, in one call, and claims those that come next. */
	private async change(asking: readonly Track[]): Promise<Array<readonly Row[]>> {
		const isClaimed = asking.some(({ turn, step }) => turn === 'begun' && claims(step.action));
		const next = isClaimed ? this.findNext(MAX_CLAIMS - asking.length) : [];
		const tracks = [...asking, ...next];
		const changes = tracks.map(({ step }) => step.action as Change);
		const cells = tracks.flatMap((track, index) =>
			(changes[index] as Change).record.map((row) => this.toCells(track, row)),
		);
		const remove = changes.flatMap((change) => change.remove);
		const news = await this.ledger.change(cells, remove, this.onlyRoot);
		this.readBack = news.filter(({ run }) => run !== this.run);
		for (const track of next) {
			if (track.turn !== 'waiting') continue;
			track.step = sawRows(track.step.state, this.rowsOf(track), this.ledger.now());
		}
		return asking.map((track) => this.rowsOf(track));
	}

	/** What is written counts for half a minute: so the others follow when the turn of the first of them comes. */
	private findNext(count: number): Track[] {
		const next: Track[] = [];
		for (const track of openOf(this.tracks)) {
			if (next.length >= count) break;
			if (track.turn !== 'waiting') continue;
			const { action, state } = track.step;
			const isStale = action.do === 'send' && !mayAttempt(state, this.ledger.now());
			if (isStale) track.step = stale(track.step, -Infinity, this.ledger.now());
			if (claims(track.step.action)) next.push(track);
		}
		return next;
	}

	private async send(track: Track, generation: number): Promise<void> {
		const { item, name, named } = track;
		const attempt = new LedgerAttempt(
			keyOf(name, generation),
			name.isAutomatic ? undefined : named.shown,
			() => this.kind.texts.again(named),
			track.step.state,
			async (unansweredAt) => await this.renew(track, unansweredAt),
			() => this.ledger.now(),
		);
		const toAnswer = async (body: IDataObject): Promise<Answer> => {
			this.newKeysInRow = 0;
			const id = idOfAnswer(body) ?? '';
			const answered = body as ApiRecord;
			track.shows = this.kind.shows(answered);
			// Another n8n made it: what the service has stored says for ever what was so at first.
			const record = this.isOld(answered) ? await this.readNow(track, id, answered) : answered;
			track.record = record;
			return { kind: this.kind.isOver(record) ? 'failed' : 'paid', id };
		};
		const toRefusal = (error: unknown): Answer | undefined => {
			if (error instanceof Overtaken) return undefined;
			if (error instanceof LedgerUnavailable) throw error;
			track.error = error as Error;
			return this.withoutNewKeys(attempt.toAnswer(toFailure(error)));
		};
		track.error = undefined;
		track.isSent = true;
		const answer = await item.call.sendOrder(item.request, attempt).then(toAnswer, toRefusal);
		if (answer === undefined) return;
		const { state } = track.step;
		track.step = sawAnswer(state, answer, attempt.unansweredAt, this.ledger.now());
	}

	/** Whether it was made before this run. */
	private isOld(record: ApiRecord | { id: string }): boolean {
		return 'createdAt' in record && getCreatedAt(record) < this.begunAt - CLOCKS_DIFFER_MS;
	}

	/** The record as it is now. */
	private async readNow({ item }: Track, id: string, answered: ApiRecord): Promise<ApiRecord> {
		const found = await item.request.current?.(id).catch(() => undefined);
		return found ?? { ...answered, status: UNKNOWN_STATUS };
	}

	/** While no provider takes any payout, further rows would spend seconds on keys of their own in vain. */
	private withoutNewKeys(answer: Answer): Answer {
		if (answer.kind !== 'refused' || !answer.needsNewKey) return answer;
		this.newKeysInRow += 1;
		return { ...answer, needsNewKey: this.newKeysInRow <= MOST_NEW_KEYS_IN_ROW };
	}

	/**
	 * Immediately before an attempt: writes the intention again if it has become too old.
	 * @throws Overtaken if the ledger no longer allows the attempt
	 */
	private async renew(track: Track, unansweredAt: number): Promise<void> {
		if (mayAttempt(track.step.state, this.ledger.now())) return;
		const { action } = track.step;
		track.step = stale(track.step, unansweredAt, this.ledger.now());
		if (track.step.action.do === 'change') await this.next(track);
		const isSame =
			action.do === 'send' &&
			track.step.action.do === 'send' &&
			track.step.action.generation === action.generation;
		if (!isSame) throw new Overtaken();
	}

	private async fetch(track: Track, id: string): Promise<void> {
		const { item, content, name } = track;
		const { rows } = track.step.state;
		const found = await item.request.current?.(id).catch(() => undefined);
		// The stored answer says for ever what was so at first.
		track.record = found ?? (track.record && { ...track.record, status: UNKNOWN_STATUS });
		const paid = findPaid(rows);
		const isRecordedSame = paid !== undefined && this.kind.isSameContent(paid.content, content);
		const isSame = found ? this.kind.isSame(found, item.request, isRecordedSame) : isRecordedSame;
		const state: Found =
			found === undefined ? 'unreadable' : this.kind.isOver(found) ? 'failed' : 'living';
		const isEdited = this.ledger
			.rowsOf(name.value)
			.some((cells) => cells.id === paid?.id && cells.updatedAt !== cells.createdAt);
		// Asked only where a person has had a hand in it: for each row of a long list, it would take minutes.
		const owners =
			isEdited || paid?.run === PERSON
				? // What people have entered twice by hand is true of neither.
					findOwners(await this.ledger.findWithdrawals([id]), name, !isEdited)
				: [];
		if (isEdited && (state === 'failed' || owners.length > 0)) {
			// Without that word, nothing would show that there ever was a payout.
			throw this.kind.texts.inDoubt(track.named, { say: 'inDoubt', because: 'edited' }, undefined);
		}
		track.step = sawWithdrawal(track.step.state, state, isSame, owners);
	}

	private async search(track: Track, action: Extract<Action, { do: 'list' }>): Promise<void> {
		const { contents, since, until } = action;
		if (this.list === undefined || this.list.begunAt < until) {
			const history = new AccountHistory(new ItemCall(this.node, 0), this.kind.list);
			this.list = { history, begunAt: this.ledger.now() };
		}
		const { history, begunAt } = this.list;
		const reading = await history.since(this.ledger.toLocal(since) - CLOCKS_DIFFER_MS);
		const isAlike = this.kind.looksLike(contents, track.item.request, this.salt);
		const ids = await findCandidates(reading, isAlike, this.ledger, track.name);
		track.unread = reading.gap;
		const named = ids?.length ? await this.ledger.findWithdrawals(ids) : [];
		track.owners = findOwners(named, track.name, false);
		track.step = sawList(track.step.state, { ids, apiKey: this.apiKey, at: begunAt });
	}

	/* What is written */

	private toCells({ item, name, root, shows, step }: Track, row: NewRow): Cells {
		const { context } = this.node;
		const order = {
			name,
			...this.kind.cellsOf(item.request),
			root: root?.name ?? null,
			workflow: context.getWorkflow().id ?? null,
			execution: this.facts.executionId,
		};
		return toCells(row, step.state.asked, order, this.ledger.now(), shows);
	}

	/** Keeps what is to be written and removed, and writes it from time to time. */
	private keep(cells: readonly Cells[], remove: readonly number[]): void {
		this.outcomes.cells.push(...cells);
		this.outcomes.remove.push(...remove);
		if (this.now() - this.recordedAt < RECORD_EVERY_MS) return;
		this.recordedAt = this.now();
		this.recording = this.flush();
	}

	private async flush(): Promise<void> {
		await this.recording;
		const { cells, remove } = this.outcomes;
		this.outcomes = { cells: [], remove: [] };
		// If this fails, the `sending` rows are still there: the next run sends the same requests under their
		// keys, which pays nobody twice.
		const write = this.ledger.record(cells, remove);
		await write.catch(() => this.hint(this.kind.texts.notWritten));
	}

	/* What is said */

	private hint(message: string): void {
		this.node.hints.add(message);
	}

	private toUnavailable(track: Track, cause: unknown): ApiFailure {
		const { state } = track.step;
		// If the ledger could not be read, nothing is known of earlier runs.
		const isUnread = !this.isRead && (this.isRepetition || !track.name.isAutomatic);
		const mayHaveActed = isUnread || state.unansweredAt !== -Infinity || wasSent(track);
		return texts.ledgerUnavailable(track.named, cause, mayHaveActed);
	}

	private toResult(track: Track, conclusion: Conclusion): ItemResult {
		const { record, error, named, item } = track;
		const words = this.kind.texts;
		switch (conclusion.say) {
			case 'paid': {
				if (record?.status === UNKNOWN_STATUS) this.hint(words.notShown);
				const shown = record ?? { id: conclusion.id };
				// The service has stored it, or found it itself.
				const isNew = conclusion.isNew && !this.isOld(shown);
				const objection = isNew ? undefined : this.kind.objection?.(shown, item.request);
				if (objection) throw objection;
				return { json: this.toOutput(track, shown, isNew) };
			}
			case 'recorded': {
				this.hint(words.notShown);
				return { json: this.toOutput(track, { id: conclusion.id, status: UNKNOWN_STATUS }, false) };
			}
			case 'mismatch':
				throw (
					(record && this.kind.objection?.(record, item.request)) ??
					words.mismatch(named, conclusion.id, record)
				);
			case 'elsewhere':
				throw words.elsewhere(named);
			case 'failed':
				throw words.failed(named, record ?? { id: conclusion.id, status: 'FAILED' });
			case 'later': {
				const { from } = conclusion;
				const own = error && toFailure(error);
				if (error && own?.effect === 'unknown' && from === undefined) throw error;
				// That it had no effect says nothing of the attempts of others.
				const isTurnedAway = own?.httpStatus === 401 || own?.httpStatus === 403;
				const turnedAway = isTurnedAway ? lookUpError(own.code)?.what : undefined;
				const why = own?.effect === 'none' ? own.message : turnedAway;
				if (error && own?.effect === 'none' && from === undefined && !mayHaveActed(track))
					throw error;
				throw words.later(named, from && this.ledger.toLocal(from), why);
			}
			case 'inDoubt':
				throw words.inDoubt(named, conclusion, track.unread, track.owners);
			case 'refused':
				throw error ?? words.later(named, undefined, undefined);
		}
	}

	private toOutput(track: Track, record: ApiRecord | { id: string }, isNew: boolean): IDataObject {
		const { item, name, shows } = track;
		this.mayHaveMade ||= track.isSent && !isNew;
		const cells = this.ledger.rowsOf(name.value).find((one) => one.withdrawalId === record.id);
		const kept = { ...readDetails(cells?.details ?? null)?.shows, ...shows };
		return this.kind.toOutput(record as IDataObject, item.request, isNew, kept);
	}
}

/** Another run has changed the ledger: the protocol says how to go on. */
class Overtaken extends Error {}

const claims = (action: Action): boolean =>
	action.do === 'change' && action.record.some(({ status }) => status === 'sending');

const stale = ({ state }: Step, unansweredAt: number, now: number): Step =>
	sawAnswer(state, { kind: 'stale' }, unansweredAt, now);
