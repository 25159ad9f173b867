/**
 * The orders of one run of the node, from top to bottom: name them, read the ledger, stop what must not be
 * sent, claim, send, record. What leads an order from one state to the next: `protocol.ts`.
 */
import type { IDataObject } from 'n8n-workflow';
import { Limiter } from '../../shared/concurrency/limiter';
import { GroupCommit } from '../../shared/concurrency/sharedCalls';
import { type ApiFailure, type Failure } from '../../shared/failures/failure';
import { getCreatedAt } from '../../shared/lists/rowCollector';
import { toFailure } from '../../shared/failures/itemError';
import { lookUpError } from '../../shared/retry/errors';
import { fingerprint } from '../../shared/text/fingerprint';
import type { ApiRecord } from '../../shared/transport/schemas';
import { cleanName } from '../../shared/input/cleanText';
import { idOfAnswer } from '../../shared/input/uuid';
import type { ItemResult, OrderRequest } from '../orderRequest';
import { ItemCall, type NodeRun } from '../item';
import { UNKNOWN_STATUS } from '../report';
import { findCandidates } from './absence';
import { AccountHistory, CLOCKS_DIFFER_MS } from './accountList';
import type { AskedNames } from './asked';
import { LedgerAttempt } from './attempt';
import { openLedger } from './dataTable';
import type { ExecutionFacts } from './execution';
import { findDuplicates, GUARDED_MS, planGuard, withoutTaken, type GuardMode } from './guard';
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
import { checkLimits, type LimitedPayout, type PayoutLimits } from './limits';
import {
	automaticName,
	findLeftOut,
	findMissing,
	findObstacle,
	isRecent,
	keyOf,
	looksAutomatic,
	readOrder,
	relate,
	type Asked,
	type CameWith,
	type Name,
	type Relation,
	type Root,
} from './names';
import {
	begin,
	findPaid,
	mayAttempt,
	openSendings,
	ownSendings,
	PERSON,
	PROOF_MS,
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
import { askedPayout } from './payouts';
import * as texts from './texts';
import type { GuardReason, Named } from './texts';

/** One item of the run, ready to be sent. */
export interface OrderItem {
	readonly call: ItemCall;
	readonly request: OrderRequest;
}

/** What the person who built the workflow allows; only for payouts. */
interface PayoutSettings {
	readonly limits: PayoutLimits;
	readonly guard: GuardMode;
}

/** One order on its way through the protocol. */
interface Track {
	readonly item: OrderItem;
	readonly name: Name;
	readonly named: Named;
	readonly root: Root | undefined;
	readonly content: string;
	/** The order that the item had when it failed in this node. */
	readonly came: CameWith | undefined;
	step: Step;
	/** `waiting`: it is to be sent when its turn comes. */
	turn: 'none' | 'waiting' | 'begun';
	refusal: ApiFailure | undefined;
	/** It is within the limits. */
	isAllowed: boolean;
	/** The withdrawal or payment as the service showed it last. */
	record: ApiRecord | undefined;
	/** What an answer of this run has shown and later ones may not, see `OrderKind.shows`. */
	shows: Readonly<Record<string, string>>;
	/** Why the last request failed. */
	error: Error | undefined;
	/** Why the list shows nothing. */
	unread: string | undefined;
	/** For which people have recorded what the list shows. */
	owners: readonly string[];
	result: Promise<ItemResult> | undefined;
}

type Change = Extract<Action, { do: 'change' }>;

/** An order that Duplicate Guard compares with others. */
interface Guarded {
	readonly track: Track;
	readonly reason: GuardReason;
}

/** How many orders are claimed in one call. */
const MAX_CLAIMS = 400;
/** How many withdrawals are looked up at the same time before anything is sent. */
const LOOK_UPS_AT_ONCE = 10;
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
	private readonly changes: GroupCommit<Track, readonly Row[]>;
	/** The orders of the root that earlier attempts of the execution, or of this run, have left. */
	private earlier: ActedOrder[] = [];
	/** Reads back one root alone, see `Ledger.change`. */
	private onlyRoot: string | undefined;
	/** Those of other executions that have not come up again. */
	private missing: readonly ActedOrder[] = [];
	/** What others have written since the ledger was read, as far as the last claim has read it. */
	private readBack: readonly StoredCells[] = [];
	private list: { readonly history: AccountHistory; readonly begunAt: number } | undefined;
	private newKeysInRow = 0;
	hasSent = false;
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
		this.changes = new GroupCommit(async (tracks) => await this.change(tracks));
	}

	/** Earlier attempts, or other runs of this execution, have made orders, or may have. */
	get hasActed(): boolean {
		return this.earlier.length > 0 || this.asked.elsewhere.size > 0;
	}

	/**
	 * To be called with all items before anything is sent.
	 * @param isStopped nothing is to be sent: only what earlier attempts have left is read
	 */
	async begin(items: readonly OrderItem[], isStopped: boolean): Promise<Begun> {
		for (const item of items) this.track(item);
		if (items.some(({ request }) => request.reference?.isNormalized)) this.hint(NORMALIZED);
		this.stopByName();
		const isWrong = this.tracks.some(({ refusal }) => refusal !== undefined);
		const mayClaim = !isStopped && (!isWrong || this.node.context.continueOnFail());
		await this.stopAndClaim(mayClaim).catch((error: unknown) => {
			for (const track of this.open) track.refusal = this.toUnavailable(track, error);
		});
		const refusals = this.tracks.map(({ refusal }) => refusal?.failure);
		return { refusals, isWrong, hasMissing: this.missing.length > 0 };
	}

	/** @throws LedgerUnavailable */
	private async stopAndClaim(mayClaim: boolean): Promise<void> {
		await this.readEarlier();
		this.isRead = true;
		for (const track of this.open) {
			track.step = sawRows(track.step.state, this.rowsOf(track), this.ledger.now());
		}
		this.stopChangedRows();
		this.stopOverLimits();
		if (!mayClaim) return;
		const unsent = this.open.filter((track) => !this.wasSent(track));
		const guarded = this.planGuard(unsent);
		if (guarded.length > 0) {
			const isLateOnly = guarded.every(({ reason }) => reason === 'lateReference');
			const rows = await this.ledger.readSince(
				this.guardedSince(guarded),
				isLateOnly ? 'automatic' : undefined,
			);
			// A claim that a kill leaves behind passes for one that was sent, and the retry would pay the duplicate.
			await this.stopDuplicates(guarded, rows);
			this.onlyRoot = undefined;
		}
		const { open } = this;
		for (const track of open) track.turn = 'waiting';
		const first = open.filter(({ step }) => step.action.do === 'change');
		await Promise.all(first.slice(0, MAX_CLAIMS).map(async (track) => await this.next(track)));
		if (this.facts.isAgentTool) this.stopAfterOtherCalls();
		// Of two equal payouts at once, at least one has read the other's claim back.
		await this.stopDuplicates(guarded, this.readBack);
	}

	private get open(): Track[] {
		return this.tracks.filter(({ refusal }) => refusal === undefined);
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
			refusal: undefined,
		};
		track.refusal = this.refuseName(track);
		this.tracks.push(track);
		this.byItem.set(item, track);
	}

	private refuseName({ item, name, named, root, content, came }: Track): ApiFailure | undefined {
		const { mode, isStartedByHand, isSubExecution, isAgentTool } = this.facts;
		if (!name.isAutomatic) {
			if (looksAutomatic(name.value)) return texts.reservedForm(name.value);
			if (came?.isUnclear) return texts.changedOnTheWay(named, this.kind.kind);
			const { reference, effect } = (item.call.inputJson?.error ?? {}) as IDataObject;
			const isOther = typeof reference === 'string' && cleanName(reference) !== name.value;
			return isOther && effect === 'unknown'
				? texts.changedOnTheWay(named, this.kind.kind)
				: undefined;
		}
		if (came?.content === content) return undefined;
		// The item may as well be the corrected row of that other payout.
		if (came?.isUnclear) return texts.changedOnTheWay(named, this.kind.kind);
		// A call by a caller that is retried looks like the first one, also if its rows have changed.
		const isMeant = isAgentTool || this.settings?.guard === 'never';
		if (isSubExecution && !isMeant) return texts.calledWithoutReference(named);
		// A kill takes the note of an earlier attempt with it: a retry without one may be a later attempt.
		// And an event that a person runs again is as old as it is: each of its executions makes its own note.
		const isCopy = root?.isEvent === true && isStartedByHand;
		const isNoted = !isCopy && (mode !== 'retry' || this.asked.wasMadeBefore);
		const madeAt = isNoted ? this.asked.madeAt : -Infinity;
		const isNamed = root !== undefined && isRecent(root, madeAt, this.now());
		return isNamed ? undefined : texts.needsReference(named, this.isRepetition);
	}

	private stopByName(): void {
		const { asked, facts } = this;
		const items = this.tracks.map((track): Asked | undefined => {
			const { name, content, refusal, came } = track;
			const isGiven = !name.isAutomatic || came?.name === name.value;
			return refusal ? undefined : { value: name.value, content, isGiven };
		});
		const relations = relate(items, asked.elsewhere);
		for (const [index, relation] of relations) this.stopRelated(index, relation);
		if (!facts.isAgentTool) asked.set(this.tracks.map(({ name }) => name.value));
	}

	private stopRelated(index: number, relation: Relation): void {
		const track = this.tracks[index] as Track;
		const rowAt = (at: number) => rowOf(this.tracks[at] as Track);
		if (relation.is === 'contradicting') {
			track.refusal = this.kind.texts.contradicting(track.named, rowAt(relation.with));
		} else if (relation.is === 'equal' && !this.facts.isAgentTool) {
			const rows = relation.to === undefined ? [index] : [index, relation.to].sort((a, b) => a - b);
			// It may be the item that got no answer, and not another one.
			const isOpen = relation.to === undefined && this.asked.openElsewhere.has(track.content);
			track.refusal = isOpen
				? texts.openElsewhere(track.named, this.now() + PROOF_MS)
				: texts.equalRows(track.named, rows.map(rowAt));
		} else {
			const first = this.tracks[relation.is === 'equal' ? (relation.to ?? index) : relation.with];
			if (first && first !== track) this.byItem.set(track.item, first);
		}
	}

	/* The ledger, before anything is sent */

	private async readEarlier(): Promise<void> {
		const { facts, ledger } = this;
		const given = this.open.filter(({ name, came }) => !name.isAutomatic || came !== undefined);
		const ofRun = Array.from({ length: this.node.context.getInputData().length }, (_, index) =>
			facts.rootOf(index),
		);
		const roots = [...new Set(ofRun.flatMap((root) => root?.name ?? []))];
		const isTotalLimited = this.settings?.limits.largestTotal !== undefined;
		const mayHaveEarlier = this.isRepetition || facts.isEvent || facts.isAgentTool;
		if (given.length > 0) await ledger.watch(given.map(({ name }) => name.value));
		if (mayHaveEarlier || isTotalLimited) {
			// In a long loop, the rows of its own earlier rounds would be read in each round.
			const isAll = this.asked.wasMadeBefore || isTotalLimited || facts.isAgentTool;
			for (const root of roots) {
				const besides = isAll ? undefined : facts.executionId;
				const rows = await ledger.watchRoot(root, besides);
				this.earlier.push(...findActed(rows, this.kind.kind, this.isLive));
			}
		} else if (given.length === 0 && roots.length === 1) [this.onlyRoot] = roots;
	}

	private stopChangedRows(): void {
		const { asked, facts } = this;
		if (facts.isAgentTool) return;
		const here = new Set([...asked.elsewhere, ...this.tracks.map(({ name }) => name.value)]);
		// Of this execution too: with Retry On Fail, an expression may have another result each time.
		this.missing = findMissing(this.earlier, here);
		const { openElsewhere } = asked;
		for (const track of this.open) {
			const ofRoot = this.missing.filter(({ root }) => root === track.root?.name);
			const wasSent = this.wasSent(track);
			const { isAutomatic } = track.name;
			const obstacle = wasSent
				? isAutomatic && findLeftOut(track, runsOf(track), ofRoot)
				: findObstacle(
						track,
						!isAutomatic,
						ofRoot.filter((one) => this.mayReplace(one, track)),
					);
			if (obstacle) track.refusal = texts.changedRows(obstacle, this.kind.kind, wasSent);
			else if (isAutomatic && !wasSent && openElsewhere.has(track.content)) {
				track.refusal = texts.openElsewhere(track.named, this.now() + PROOF_MS);
			}
		}
	}

	/**
	 * Whether an order may be the correction of one that was never sent, or had no effect: it was made later, by
	 * an execution that did not ask for that one. In a loop, later rounds of the same execution are none.
	 */
	private mayReplace({ cells }: ActedOrder, { name }: Track): boolean {
		const rows = this.ledger.rowsOf(name.value).filter(({ run }) => run !== this.run);
		return rows.every(({ id, execution }) => id < cells.id && execution !== cells.execution);
	}

	/** Whether the order was never sent, as far as the ledger knows. */
	private isNew({ step }: Track): boolean {
		return step.state.rows.every(({ run }) => run === this.run);
	}

	/** Whether it is about to be sent, as far as the ledger knows. */
	private isToBeSent({ step }: Track): boolean {
		return step.action.do !== 'fetch' && step.action.do !== 'end';
	}

	private wasSent(track: Track): boolean {
		return findPaid(track.step.state.rows) !== undefined || this.mayHaveActed(track);
	}

	private mayHaveActed({ step }: Track): boolean {
		return openSendings(step.state.rows).some(({ run }) => run !== this.run);
	}

	private stopOverLimits(): void {
		if (this.settings === undefined) return;
		const { limits } = this.settings;
		const tracks = this.open.filter((track) => this.isToBeSent(track));
		const total = this.spentBesides(tracks);
		checkLimits(tracks.map(toLimited), limits, total).forEach((over, index) => {
			const track = tracks[index];
			if (track) track.isAllowed = over === undefined;
			if (over && track) {
				track.refusal = texts.overLimit(track.named, over, this.mayHaveActed(track));
			}
		});
	}

	/** What earlier attempts have paid, or may have, besides the orders of this run that are to be sent. Centavos. */
	private spentBesides(tracks: readonly Track[]): number {
		const about = new Set(tracks.map(({ name }) => name.value));
		const spent = this.earlier
			.filter(({ value }) => !about.has(value))
			.map(({ value, cells }) => [value, Math.round((cells.amount ?? 0) * 100)] as const);
		return [...new Map(spent).values()].reduce((sum, cents) => sum + cents, 0);
	}

	/** For an order that turned out only now not to have been paid: the bank refused the earlier payout. */
	private allow(track: Track): void {
		if (this.settings === undefined || track.isAllowed) return;
		const others = this.tracks.filter(({ isAllowed }) => isAllowed);
		const spent = others.reduce(
			(sum, { named }) => sum + (named.cents ?? 0),
			this.spentBesides(this.tracks),
		);
		const limits = { ...this.settings.limits, refuses: 'item' } as const;
		const [over] = checkLimits([toLimited(track)], limits, spent);
		if (over) throw texts.overLimit(track.named, over, this.mayHaveActed(track));
		track.isAllowed = true;
	}

	/** An agent may call its tool several times at once: each call sees what the others have claimed. */
	private stopAfterOtherCalls(): void {
		const rows = this.tracks.flatMap(({ root }) => (root ? this.ledger.rowsOfRoot(root.name) : []));
		const others = rows.filter(({ run }) => run !== this.run);
		this.earlier = findActed(others, this.kind.kind, this.isLive);
		this.stopOverLimits();
	}

	/** Epoch ms. What stopped a row stops it in each retry, however late: its error advises to retry. */
	private guardedSince(guarded: readonly Guarded[]): number {
		const roots = this.facts.mode === 'retry' ? this.tracks.map(({ root }) => root?.bornAt) : [];
		const isForRetry = guarded.some(({ reason }) => reason === 'retry');
		const before = isForRetry ? 0 : GUARDED_MS;
		const bornAt = roots.flatMap((at) => (at === undefined ? [] : at - before));
		return Math.min(this.begunAt - GUARDED_MS, ...bornAt);
	}

	/** @param unsent were not sent before this run, or without effect */
	private planGuard(unsent: readonly Track[]): Guarded[] {
		const { settings, facts, isLive } = this;
		if (settings === undefined) return [];
		return unsent.flatMap((track) => {
			const reason = planGuard(track.name.isAutomatic, facts, settings.guard, isLive);
			// A reference is compared when it is new: later, it is known to be another order.
			const isCompared = reason !== 'lateReference' || this.isNew(track);
			return track.refusal === undefined && reason && isCompared ? [{ track, reason }] : [];
		});
	}

	/** @param rows that may say that the same payouts were made */
	private async stopDuplicates(
		guarded: readonly Guarded[],
		rows: readonly StoredCells[],
	): Promise<void> {
		if (rows.length === 0) return;
		const { ledger } = this;
		const acted = findActed(rows, 'payout', this.isLive);
		const stops = guarded.flatMap(({ track, reason }) => {
			const asking = { value: track.name.value, content: track.content, root: track.root?.name };
			const found = track.refusal ? [] : findDuplicates(asking, acted, reason);
			return found.length === 0 ? [] : [{ track, reason, found }];
		});
		if (stops.length === 0) return;
		const late = stops.filter(({ reason }) => reason === 'lateReference');
		const namedFor = await ledger.findWithdrawals(late.flatMap(({ found }) => paidBy(found)));
		for (const stop of late) stop.found = withoutTaken(stop.found, namedFor, stop.track.name);
		const failed = await this.findFailed(new Set(stops.flatMap(({ found }) => paidBy(found))));
		for (const { track, reason, found } of stops) {
			const left = found.filter((one) => !failed.has(one.paidBy));
			if (left.length === 0) continue;
			track.refusal = texts.possibleDuplicate(track.named, left, reason, this.now());
		}
	}

	/**
	 * Which withdrawals the bank has refused since they were recorded: the ledger learns that only when they are
	 * asked for again. One that cannot be read still counts.
	 */
	private async findFailed(ids: ReadonlySet<string>): Promise<Set<string | undefined>> {
		const limiter = new Limiter(LOOK_UPS_AT_ONCE);
		const failed = new Set<string | undefined>();
		// Each request looks withdrawals up alike.
		const request = this.tracks[0]?.item.request;
		const lookUp = async (id: string) => {
			const record = await request?.current?.(id).catch(() => undefined);
			if (record && this.kind.isOver(record)) failed.add(id);
		};
		await Promise.all([...ids].map(async (id) => await limiter.run(async () => await lookUp(id))));
		return failed;
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
		this.hint(this.kind.texts.shared);
		const before = this.kind.kind === 'payout' ? { alreadyPaid: true } : { alreadyCreated: true };
		return { json: { ...result.json, ...before } };
	}

	private async finish(track: Track): Promise<ItemResult> {
		if (track.refusal) throw track.refusal;
		track.turn = 'begun';
		try {
			while (track.step.action.do !== 'end') {
				if (claims(track.step.action)) this.allow(track);
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
		if (this.ledger.isLarge) this.hint(MANY_ROWS);
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
		for (const track of this.open) {
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
			this.kind.texts.again(named),
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
		this.hasSent = true;
		const answer = await item.call
			.sendOrder(item.request, attempt)
			.then(async ({ body }) => await toAnswer(body), toRefusal);
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
		const isRecordedSame = paid?.content === content;
		const isSame = found ? this.kind.isSame(found, item.request, isRecordedSame) : isRecordedSame;
		const state: Found =
			found === undefined ? 'unreadable' : this.kind.isOver(found) ? 'failed' : 'living';
		const isEdited = this.ledger
			.rowsOf(name.value)
			.some((cells) => cells.id === paid?.id && cells.updatedAt !== cells.createdAt);
		// Asked only where a person has had a hand in it: for each row of a long list, it would take minutes.
		const owners =
			isEdited || paid?.run === PERSON
				? findOwners(await this.ledger.findWithdrawals([id]), name, true)
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
		const mayHaveActed = isUnread || state.unansweredAt !== -Infinity || this.wasSent(track);
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
				throw words.mismatch(named, conclusion.id);
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
				if (error && own?.effect === 'none' && from === undefined && !this.mayHaveActed(track))
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
		const cells = this.ledger.rowsOf(name.value).find((one) => one.withdrawalId === record.id);
		const kept = { ...readDetails(cells?.details ?? null)?.shows, ...shows };
		return this.kind.toOutput(record as IDataObject, item.request, isNew, kept);
	}
}

const NORMALIZED =
	'References are compared without blanks at the ends, without invisible characters and in Unicode form NFC. At least one was entered in another form.';

const MANY_ROWS =
	'The table BRL Payouts has more than 150,000 rows, which slows down each run. Export it, then delete rows with the status paid whose references never come back: a reference without a row is paid again.';

/** Another run has changed the ledger: the protocol says how to go on. */
class Overtaken extends Error {}

const paidBy = (orders: readonly ActedOrder[]) => orders.flatMap((one) => one.paidBy ?? []);

const runsOf = ({ step }: Track) => new Set<string | null>(step.state.rows.map(({ run }) => run));

/** As people count: items that cannot be read have no track. */
const rowOf = ({ item }: Track): number => item.call.itemIndex + 1;

const toLimited = (track: Track): LimitedPayout => ({
	...askedPayout(track.item.request),
	row: rowOf(track),
});

const claims = (action: Action): boolean =>
	action.do === 'change' && action.record.some(({ status }) => status === 'sending');

const stale = ({ state }: Step, unansweredAt: number, now: number): Step =>
	sawAnswer(state, { kind: 'stale' }, unansweredAt, now);
