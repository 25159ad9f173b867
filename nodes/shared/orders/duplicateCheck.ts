import { getBirth, type ExecutionFacts } from './identity/executionIdentity';
import { isKeyAlive } from './keyExpiry';
import type { OrderKind } from './order';
import type { OrderRecord } from './orderMemory';

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a repetition whose age is unknown: n8n keeps executions for this long by default. */
const EXECUTIONS_KEPT_MS = 14 * DAY_MS;

/** What the user chose under Duplicate Guard. */
export type GuardMode = 'automatic' | 'always' | 'never';

/**
 * Why payouts of other executions are looked for before one is sent:
 * - `always`: the user asked for it
 * - `manual`: a person pressed Execute, with a live key
 * - `subExecution`: when the calling workflow is retried, n8n starts this one over and keeps nothing
 *   by which the key of the first attempt could be found
 * - `retriedWithoutTrace`: no record of the first attempt is left, not even its time
 * - `agentTool`: an agent decides how often it calls its tool
 */
export type GuardReason =
	'always' | 'manual' | 'subExecution' | 'retriedWithoutTrace' | 'agentTool';

/** Looks for equal payouts of other executions, and stops at one. */
export interface Guard {
	readonly reason: GuardReason;
	/** Start of the period, epoch ms. */
	readonly since: number;
	/** Length of the period in days, rounded up. */
	readonly days: number;
	/** What to do where the list cannot be read completely. */
	readonly ifUnreadable: 'send' | 'refuse';
}

/** Looks for what an earlier attempt of this order has paid, and uses it as the result. */
export interface Match {
	/** Start of the period, epoch ms. */
	readonly since: number;
	readonly ifUnreadable: 'send' | 'doubt';
	/** It was sent with another API key: not finding it proves something only for the same account. */
	readonly needsSameAccount: boolean;
	/** It is unknown what the first attempt requested: it may have paid another amount. */
	readonly isUntraced: boolean;
}

export interface LookUps {
	readonly match?: Match;
	readonly guard?: Guard;
}

export interface OrderFacts {
	readonly kind: OrderKind;
	readonly record: OrderRecord;
	readonly place: 'new' | 'bound' | 'changed';
	/** Whether the record was made with the API key in use. */
	readonly isSameAccount: boolean;
	/** See `OrderMemory.isInherited`. */
	readonly isInherited: boolean;
}

export interface GuardSettings {
	readonly mode: GuardMode;
	readonly isLive: boolean;
	/** The user has checked that the first attempt took no effect. */
	readonly allowLate: boolean;
	/** What the journal knows of an order with a reference; undefined for others. */
	readonly journal?: { readonly isInDoubt: boolean; readonly isKeyAlive: boolean } | undefined;
}

/**
 * Decides what has to be looked up before a payout is sent. Empty where its key alone keeps it from
 * being paid twice. Not called for what is known to be done.
 * @param now epoch ms
 */
export function planLookUps(
	order: OrderFacts,
	facts: ExecutionFacts,
	settings: GuardSettings,
	now: number,
): LookUps {
	const match = matchFor(order, facts, settings, now);
	const guard = guardFor(order, facts, settings, now);
	return { ...(match ? { match } : {}), ...(guard ? { guard } : {}) };
}

function matchFor(
	{ kind, record, place, isSameAccount, isInherited }: OrderFacts,
	facts: ExecutionFacts,
	{ allowLate, journal }: GuardSettings,
	now: number,
): Match | undefined {
	const { firstUsedAt, unclear, sent } = record;
	const needsSameAccount = !isSameAccount;
	// The service recognizes a repetition, and pays what was not paid.
	if (journal?.isKeyAlive === true && isSameAccount && place !== 'changed') return undefined;
	if (unclear === true) {
		const isExact =
			firstUsedAt !== undefined &&
			isKeyAlive(firstUsedAt, now) &&
			place !== 'changed' &&
			isSameAccount;
		if (isExact) return undefined;
		// The journal outlives the executions.
		const earliest = journal?.isInDoubt === true ? -Infinity : now - EXECUTIONS_KEPT_MS;
		const since = isBelievable(firstUsedAt, now) ? firstUsedAt : earliest;
		return {
			since,
			ifUnreadable: allowLate ? 'send' : 'doubt',
			needsSameAccount,
			isUntraced: false,
		};
	}
	if (journal?.isInDoubt === true) {
		return { since: -Infinity, ifUnreadable: 'doubt', needsSameAccount, isUntraced: false };
	}
	if (facts.mode !== 'retry' || facts.isAgentTool) return undefined;
	const beganAt = getBirth(facts);
	if (beganAt === undefined) return undefined;
	// The same key with the same content: the service returns the first result for a repetition.
	const isAlive = isKeyAlive(firstUsedAt ?? beganAt, now) && isKeyAlive(beganAt, now);
	const isExact = isAlive && (place === 'bound' || kind === 'ownKey');
	if (sent === true && isExact) return undefined;
	// What the memory of the first attempt does not know, only another retry of it can have sent.
	const isProtected = isExact || (isInherited && isAlive && kind === 'automatic');
	return {
		since: beganAt,
		ifUnreadable: isProtected || allowLate ? 'send' : 'doubt',
		needsSameAccount: false,
		isUntraced: true,
	};
}

function guardFor(
	{ kind, record, place }: OrderFacts,
	facts: ExecutionFacts,
	{ mode, isLive, allowLate }: GuardSettings,
	now: number,
): Guard | undefined {
	const lookingBack = (
		reason: GuardReason,
		ifUnreadable: Guard['ifUnreadable'],
		ms = DAY_MS,
	): Guard => ({ reason, since: now - ms, days: Math.ceil(ms / DAY_MS), ifUnreadable });
	const hasName = kind === 'reference' || kind === 'ownKey';

	// Not even a reference is trusted there: it may well come from the agent.
	if (facts.isAgentTool) {
		// This order may have paid already: the service recognizes its key, and a look-up would take it
		// for a duplicate of itself. A success is no such case: an agent that calls again wants to pay
		// again.
		const isOwn = record.unclear === true && record.agentKnows !== true;
		return isOwn && record.firstUsedAt !== undefined && isKeyAlive(record.firstUsedAt, now)
			? undefined
			: lookingBack('agentTool', 'refuse');
	}
	const isUntraced =
		record.firstUsedAt === undefined &&
		record.sent !== true &&
		facts.mode === 'retry' &&
		getBirth(facts) === undefined;
	if (isUntraced && kind !== 'reference' && !allowLate) {
		return lookingBack('retriedWithoutTrace', 'refuse', EXECUTIONS_KEPT_MS);
	}
	// The payout that would be found may be the one that this order has sent.
	if (kind === 'reference' || record.unclear === true) return undefined;
	if (mode === 'never') return undefined;
	if (mode === 'always') return lookingBack('always', 'refuse');
	if (kind === 'adopted' && place !== 'new') return undefined;
	if (facts.isSubExecution && !hasName) return lookingBack('subExecution', 'refuse');
	if (facts.isStartedByHand && isLive && !hasName) return lookingBack('manual', 'send');
	return undefined;
}

/** A first use in the future was written by a clock that was wrong. */
function isBelievable(firstUsedAt: number | undefined, now: number): firstUsedAt is number {
	return firstUsedAt !== undefined && firstUsedAt <= now;
}
