import type { OperationRecord } from './memory';
import { beginningOf, type ExecutionFacts } from './root';

/**
 * Why a write has to be looked up at the service before it is sent:
 * - `wanted`: the user asked for it
 * - `subExecution`: when the calling workflow is retried, n8n starts this one anew and keeps nothing
 *   by which the key of the first attempt could be found again
 * - `retriedWithoutTrace`: nothing of the first attempt is left, not even when it was
 * - `agentTool`: an agent decides by itself how often it calls its tool
 */
export type LookUpReason = 'wanted' | 'subExecution' | 'retriedWithoutTrace' | 'agentTool';

const HOUR_MS = 60 * 60 * 1000;
/** For a repetition whose age is unknown: so long does n8n keep executions unless told otherwise. */
const EXECUTIONS_KEPT_MS = 14 * 24 * HOUR_MS;
/** The idempotency window of the interface; whoever pays the same later means it. */
const SAME_DAY_MS = 24 * HOUR_MS;

export interface LookUpSettings {
	readonly isWanted: boolean;
	/** The user's own key is the same wherever the write comes from. */
	readonly hasOwnKey: boolean;
	/** The user has checked that the first attempt took no effect. */
	readonly allowLate: boolean;
}

/** @returns null where the idempotency key alone keeps the write from being done twice */
export function reasonToLookUp(
	record: OperationRecord,
	facts: ExecutionFacts,
	{ isWanted, hasOwnKey, allowLate }: LookUpSettings,
): LookUpReason | null {
	if (isWithoutTrace(record.firstUsedAt, facts) && !allowLate) return 'retriedWithoutTrace';
	// Perhaps done already, by this very operation: the server recognises its key, and looking it up
	// would take it for a duplicate of itself.
	// A success is no such case: an agent that asks again after it wants to pay again.
	if (record.unclear === true && record.isDone !== true) return null;
	// Not even a key of the user's own is trusted there: it may well come from the agent.
	if (facts.isAgentTool) return 'agentTool';
	if (facts.isSubExecution && !hasOwnKey) return 'subExecution';
	return isWanted ? 'wanted' : null;
}

/** Whether this is a retry of which neither a record nor the time of its first attempt is left. */
export function isWithoutTrace(firstUsedAt: number | undefined, facts: ExecutionFacts): boolean {
	return firstUsedAt === undefined && facts.mode === 'retry' && beginningOf(facts) === undefined;
}

/** From when on to look, milliseconds since 1970. */
export function lookUpSince(reason: LookUpReason, now: number): number {
	return now - (reason === 'retriedWithoutTrace' ? EXECUTIONS_KEPT_MS : SAME_DAY_MS);
}
