import { isDoneForGood } from './done';
import type { OperationRecord } from './memory';
import { beginningOf, type ExecutionFacts } from './root';
import { isForgotten, KEY_LIFETIME_MS } from './window';

/**
 * Why a write has to be looked up at the service before it is sent:
 * - `wanted`: the user asked for it
 * - `wantedInRetry`: the same, but what is found may have been done by this very operation
 * - `subExecution`: when the calling workflow is retried, n8n starts this one anew and keeps nothing
 *   by which the key of the first attempt could be found again
 * - `retriedWithoutTrace`: nothing of the first attempt is left, not even when it was
 * - `agentTool`: an agent decides by itself how often it calls its tool
 */
export type LookUpReason =
	'wanted' | 'wantedInRetry' | 'subExecution' | 'retriedWithoutTrace' | 'agentTool';

export interface LookUp {
	readonly reason: LookUpReason;
	/** From when on to look, milliseconds since 1970. */
	readonly since: number;
	/** The same in days, rounded up. */
	readonly days: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** For a repetition whose age is unknown: so long does n8n keep executions unless told otherwise. */
const EXECUTIONS_KEPT_MS = 14 * DAY_MS;

export interface LookUpSettings {
	readonly isWanted: boolean;
	/** The user's own key is the same wherever the write comes from. */
	readonly hasOwnKey: boolean;
	/** The user has checked that the first attempt took no effect. */
	readonly allowLate: boolean;
	/** The memory has seen this run before, so that what it holds no record of was not sent then. */
	readonly isSameRunAgain: boolean;
}

/**
 * @param now milliseconds since 1970
 * @returns null where the idempotency key alone keeps the write from being done twice, and where it is
 * too late to send it at all
 */
export function lookUpBefore(
	record: OperationRecord,
	facts: ExecutionFacts,
	settings: LookUpSettings,
	now: number,
): LookUp | null {
	const isUntraced = isWithoutTrace(record.firstUsedAt, facts);
	if (isUntraced && !settings.allowLate) {
		return lookingBack('retriedWithoutTrace', EXECUTIONS_KEPT_MS, now);
	}
	const firstUse = isUntraced ? now - EXECUTIONS_KEPT_MS : firstPossibleUse(record, facts);
	const isLate = firstUse !== undefined && isForgotten(firstUse, now);
	if (isDoneForGood(record, now) || (isLate && !settings.allowLate)) return null;
	const wasSent = record.firstUsedAt !== undefined || !settings.isSameRunAgain;
	// Perhaps done already, by this very operation: the server recognises its key, and looking it up
	// would take it for a duplicate of itself.
	// A success is no such case: an agent that asks again after it wants to pay again.
	if (record.unclear === true && record.isDone !== true && wasSent && !isLate) return null;

	const reason = reasonToLookUp(record, facts, settings);
	return reason && lookingBack(reason, Math.max(KEY_LIFETIME_MS, now - (firstUse ?? now)), now);
}

function lookingBack(reason: LookUpReason, ms: number, now: number): LookUp {
	return { reason, since: now - ms, days: Math.ceil(ms / DAY_MS) };
}

function reasonToLookUp(
	{ unclear }: OperationRecord,
	{ isAgentTool, isSubExecution }: ExecutionFacts,
	{ isWanted, hasOwnKey }: LookUpSettings,
): LookUpReason | null {
	// Not even a key of the user's own is trusted there: it may well come from the agent.
	if (isAgentTool) return 'agentTool';
	if (isSubExecution && !hasOwnKey) return 'subExecution';
	if (!isWanted) return null;
	return unclear === true ? 'wantedInRetry' : 'wanted';
}

/** Since when the key may be known to the server; undefined where that is no question. */
function firstPossibleUse(record: OperationRecord, facts: ExecutionFacts): number | undefined {
	return record.firstUsedAt ?? (facts.mode === 'retry' ? beginningOf(facts) : undefined);
}

/** Whether this is a retry of which neither a record nor the time of its first attempt is left. */
export function isWithoutTrace(firstUsedAt: number | undefined, facts: ExecutionFacts): boolean {
	return firstUsedAt === undefined && facts.mode === 'retry' && beginningOf(facts) === undefined;
}
