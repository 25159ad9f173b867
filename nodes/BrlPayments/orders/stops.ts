/**
 * What must not be sent, and why: the checks of a run before its first order is sent, from top to bottom in the
 * order in which they are made. What they decide by is pure, in `names.ts`, `limits.ts` and `guard.ts`.
 */
import type { IDataObject } from 'n8n-workflow';
import { Limiter } from '../../shared/concurrency/limiter';
import type { ApiFailure } from '../../shared/failures/failure';
import { cleanName } from '../../shared/input/cleanText';
import type { AskedNames } from './asked';
import type { ExecutionFacts } from './execution';
import { findDuplicates, GUARDED_MS, planGuard, withoutTaken, type GuardMode } from './guard';
import type { OrderKind } from './kind';
import { findActed, type ActedOrder, type Ledger, type StoredCells } from './ledger';
import { checkLimits, type LimitedPayout, type PayoutLimits } from './limits';
import {
	findLeftOut,
	findMissing,
	findObstacle,
	isRecent,
	looksAutomatic,
	relate,
	type Asked,
	type Relation,
} from './names';
import { askedPayout, isResultOf } from './payouts';
import { findPaid, PROOF_MS } from './protocol';
import * as texts from './texts';
import type { GuardReason } from './texts';
import { mayHaveActed, openOf, rowOf, wasSent, type Track } from './track';

/** What the person who built the workflow allows; only for payouts. */
export interface PayoutSettings {
	readonly limits: PayoutLimits;
	readonly guard: GuardMode;
}

/** What the checks of one run have in common. */
interface Checked {
	readonly kind: OrderKind;
	/** Undefined for what is no payout. */
	readonly settings: PayoutSettings | undefined;
	readonly facts: ExecutionFacts;
	readonly asked: AskedNames;
	/** Items of this run may have been sent before. */
	readonly isRepetition: boolean;
	readonly isLive: boolean;
	readonly ledger: Ledger;
	/** Epoch ms, by the clock of this n8n. */
	readonly now: () => number;
}

/** An order that Duplicate Guard compares with others. */
export interface Guarded {
	readonly track: Track;
	readonly reason: GuardReason;
}

/** How many withdrawals are looked up at the same time before anything is sent. */
const LOOK_UPS_AT_ONCE = 10;

/** Each check sets the `refusal` of the orders that it stops. */
export class Stops {
	/** The orders of the root that earlier attempts of the execution, or of this run, have left. */
	earlier: ActedOrder[] = [];
	/** Those of them that have not come up again. */
	missing: readonly ActedOrder[] = [];

	constructor(
		private readonly tracks: readonly Track[],
		private readonly run: Checked,
	) {}

	/* By their names */

	/** @returns items that share the order of another one, and that order */
	stopByName(): Array<readonly [track: Track, first: Track]> {
		const { asked, facts } = this.run;
		for (const track of this.tracks) track.refusal = this.refuseName(track);
		const items = this.tracks.map((track): Asked | undefined => {
			const { name, refusal, came, item } = track;
			const isGiven = !name.isAutomatic || came?.name === name.value;
			// Two taxi rides of one day at one price are two payouts.
			const { payout, body } = item.request;
			const content = JSON.stringify([track.content, payout && body.description]);
			return refusal ? undefined : { value: name.value, content, isGiven };
		});
		const relations = relate(items, asked.elsewhere);
		const shared = [...relations].flatMap(([index, relation]) => this.stopRelated(index, relation));
		if (!facts.isAgentTool) asked.set(this.tracks.map(({ name }) => name.value));
		return shared;
	}

	private refuseName({ item, name, named, root, content, came }: Track): ApiFailure | undefined {
		const { kind, settings, facts, asked, isRepetition, now } = this.run;
		const { mode, isStartedByHand, isSubExecution, isAgentTool } = facts;
		if (!name.isAutomatic) {
			if (looksAutomatic(name.value)) return texts.reservedForm(name.value);
			if (came?.isUnclear) return texts.changedOnTheWay(named, kind.kind);
			const { reference, effect } = (item.call.inputJson?.error ?? {}) as IDataObject;
			const isOther = typeof reference === 'string' && cleanName(reference) !== name.value;
			return isOther && effect === 'unknown' ? texts.changedOnTheWay(named, kind.kind) : undefined;
		}
		if (came?.content === content) return undefined;
		// A loop back to this node would pay in each round, and a daily list of failed payouts each day.
		const { payout } = item.request;
		const { inputJson = {} } = item.call;
		if (payout && isResultOf(inputJson, payout)) return texts.resultOfPayout(named, inputJson);
		// The item may as well be the corrected row of that other payout.
		if (came?.isUnclear) return texts.changedOnTheWay(named, kind.kind);
		// A call by a caller that is retried looks like the first one, also if its rows have changed.
		const isMeant = isAgentTool || settings?.guard === 'never';
		if (isSubExecution && !isMeant) return texts.calledWithoutReference(named);
		// A kill takes the note of an earlier attempt with it: a retry without one may be a later attempt.
		// And an event that a person runs again is as old as it is: each of its executions makes its own note.
		const isCopy = root?.isEvent === true && isStartedByHand;
		const isNoted = !isCopy && (mode !== 'retry' || asked.wasMadeBefore);
		const madeAt = isNoted ? asked.madeAt : -Infinity;
		const isNamed = root !== undefined && isRecent(root, madeAt, now());
		return isNamed ? undefined : texts.needsReference(named, isRepetition);
	}

	private stopRelated(
		index: number,
		relation: Relation,
	): Array<readonly [track: Track, first: Track]> {
		const { kind, facts, asked, now } = this.run;
		const track = this.tracks[index] as Track;
		const rowAt = (at: number) => rowOf(this.tracks[at] as Track);
		if (relation.is === 'contradicting') {
			track.refusal = kind.texts.contradicting(track.named, rowAt(relation.with));
			return [];
		}
		if (relation.is === 'equal' && !facts.isAgentTool) {
			const rows = relation.to === undefined ? [index] : [index, relation.to].sort((a, b) => a - b);
			// It may be the item that got no answer, and not another one.
			const isOpen = relation.to === undefined && asked.openElsewhere.has(track.content);
			track.refusal = isOpen
				? texts.openElsewhere(track.named, now() + PROOF_MS)
				: texts.equalRows(track.named, rows.map(rowAt));
			return [];
		}
		const first = this.tracks[relation.is === 'equal' ? (relation.to ?? index) : relation.with];
		return first && first !== track ? [[track, first]] : [];
	}

	/* By what earlier attempts have left */

	stopChangedRows(): void {
		const { kind, facts, asked, now } = this.run;
		if (facts.isAgentTool) return;
		const here = new Set([...asked.elsewhere, ...this.tracks.map(({ name }) => name.value)]);
		// Of this execution too: with Retry On Fail, an expression may have another result each time.
		this.missing = findMissing(this.earlier, here);
		const { openElsewhere } = asked;
		for (const track of openOf(this.tracks)) {
			const ofRoot = this.missing.filter(({ root }) => root === track.root?.name);
			const isSent = wasSent(track);
			const { isAutomatic } = track.name;
			const obstacle = isSent
				? isAutomatic && findLeftOut(track, runsOf(track), ofRoot)
				: findObstacle(
						track,
						!isAutomatic,
						ofRoot.filter((one) => this.mayReplace(one, track)),
					);
			if (obstacle) {
				track.refusal = texts.changedRows(obstacle, kind.kind, isSent, facts.isEvent);
			} else if (isAutomatic && !isSent && openElsewhere.has(track.content)) {
				track.refusal = texts.openElsewhere(track.named, now() + PROOF_MS);
			}
		}
	}

	/**
	 * Whether an order that has not come up again may be the correction of an item that was never sent, or had no
	 * effect: it was made later, by an execution that did not ask for the item. Later rounds of a loop are none.
	 */
	private mayReplace({ cells }: ActedOrder, { name, step }: Track): boolean {
		const rows = this.run.ledger
			.rowsOf(name.value)
			.filter(({ run }) => run !== step.state.asked.run);
		return rows.every(({ id, execution }) => id < cells.id && execution !== cells.execution);
	}

	/* By the limits of a person */

	stopOverLimits(): void {
		const { settings } = this.run;
		if (settings === undefined) return;
		const { limits } = settings;
		const tracks = openOf(this.tracks).filter(isToBeSent);
		const total = this.spentBesides(tracks);
		checkLimits(tracks.map(toLimited), limits, total).forEach((over, index) => {
			const track = tracks[index];
			if (track) track.isAllowed = over === undefined;
			if (over && track) track.refusal = texts.overLimit(track.named, over, mayHaveActed(track));
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

	/**
	 * For an order that turned out only now not to have been paid: the bank refused the earlier payout.
	 * @throws ApiFailure if it exceeds a limit
	 */
	allow(track: Track): void {
		const { settings } = this.run;
		if (settings === undefined || track.isAllowed) return;
		const others = this.tracks.filter(({ isAllowed }) => isAllowed);
		const spent = others.reduce(
			(sum, { named }) => sum + (named.cents ?? 0),
			this.spentBesides(this.tracks),
		);
		const limits = { ...settings.limits, refuses: 'item' } as const;
		const [over] = checkLimits([toLimited(track)], limits, spent);
		if (over) throw texts.overLimit(track.named, over, mayHaveActed(track));
		track.isAllowed = true;
	}

	/**
	 * An agent may call its tool several times at once, and an event may come twice: each run sees what the others
	 * have claimed.
	 */
	stopAfterOthers(): void {
		const { kind, isLive, ledger } = this.run;
		const others = this.tracks.flatMap(({ root, step }) =>
			(root ? ledger.rowsOfRoot(root.name) : []).filter(({ run }) => run !== step.state.asked.run),
		);
		this.earlier = findActed(others, kind.kind, isLive);
		this.stopChangedRows();
		this.stopOverLimits();
	}

	/* By equal payouts of other executions */

	/** @returns what was compared @throws LedgerUnavailable */
	async stopPaidBefore(): Promise<Guarded[]> {
		const guarded = this.planGuard();
		if (guarded.length === 0) return [];
		const isLateOnly = guarded.every(({ reason }) => reason === 'lateReference');
		const kind = isLateOnly ? 'automatic' : undefined;
		const rows = await this.run.ledger.readSince(this.guardedSince(guarded), kind);
		await this.stopDuplicates(guarded, rows);
		return guarded;
	}

	private planGuard(): Guarded[] {
		const { settings, facts, isLive } = this.run;
		if (settings === undefined) return [];
		return openOf(this.tracks).flatMap((track) => {
			// What was paid is only shown. What got no answer, somebody may have paid in another execution since; but two
			// references never stop each other, and an agent's call is asked for again.
			const isPaid = findPaid(track.step.state.rows) !== undefined;
			const isAskedAgain = !track.name.isAutomatic || facts.isAgentTool;
			if (isPaid || (mayHaveActed(track) && isAskedAgain)) return [];
			const reason = planGuard(track.name.isAutomatic, facts, settings.guard, isLive);
			// A reference is compared when it is new: later, it is known to be another order.
			const isCompared = reason !== 'lateReference' || isNew(track);
			return reason && isCompared ? [{ track, reason }] : [];
		});
	}

	/** Epoch ms. What stopped a row stops it in each retry, however late: its error advises to retry. */
	private guardedSince(guarded: readonly Guarded[]): number {
		const { facts, now } = this.run;
		const roots = facts.mode === 'retry' ? this.tracks.map(({ root }) => root?.bornAt) : [];
		const isForRetry = guarded.some(({ reason }) => reason === 'retry');
		const before = isForRetry ? 0 : GUARDED_MS;
		const bornAt = roots.flatMap((at) => (at === undefined ? [] : at - before));
		return Math.min(now() - GUARDED_MS, ...bornAt);
	}

	/** @param rows that may say that the same payouts were made */
	async stopDuplicates(guarded: readonly Guarded[], rows: readonly StoredCells[]): Promise<void> {
		if (rows.length === 0) return;
		const { ledger, isLive, now } = this.run;
		const acted = findActed(rows, 'payout', isLive);
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
			const mayHavePaid = mayHaveActed(track);
			track.refusal = texts.possibleDuplicate(track.named, left, reason, now(), mayHavePaid);
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
			if (record && this.run.kind.isOver(record)) failed.add(id);
		};
		await Promise.all([...ids].map(async (id) => await limiter.run(async () => await lookUp(id))));
		return failed;
	}
}

const paidBy = (orders: readonly ActedOrder[]) => orders.flatMap((one) => one.paidBy ?? []);

const runsOf = ({ step }: Track) => new Set<string | null>(step.state.rows.map(({ run }) => run));

/** Whether the order was never sent, as far as the ledger knows. */
const isNew = ({ step: { state } }: Track): boolean =>
	state.rows.every(({ run }) => run === state.asked.run);

/** Whether it is about to be sent, as far as the ledger knows. */
const isToBeSent = ({ step: { action } }: Track): boolean =>
	action.do !== 'fetch' && action.do !== 'end';

const toLimited = (track: Track): LimitedPayout => ({
	...askedPayout(track.item.request),
	row: rowOf(track),
});
