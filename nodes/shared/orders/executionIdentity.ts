import type {
	IExecuteFunctions,
	IExecutionContext,
	ISourceData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { isAgentTool } from '../n8n/agentTool';
import { toText } from '../validation/text';
import { fingerprint } from './key';
import { findStartingDelivery, type StartingDelivery } from './startingDelivery';

/** What n8n says about the execution that the node runs in. Times in epoch ms. */
export interface ExecutionFacts {
	readonly executionId: string;
	readonly mode: WorkflowExecuteMode;
	/** Whether a person pressed Execute, for this execution or for the one that it retries. */
	readonly isStartedByHand: boolean;
	/** When the execution was first established, if that outlives it, see {@link lastingTimestamp}. */
	readonly establishedAt: number | undefined;
	/**
	 * Names n8n's random token of the execution, which its retries keep and no other execution has;
	 * undefined on an n8n that has none.
	 */
	readonly token?: string | undefined;
	/** What the BRL Payments Trigger started it with; undefined if something else started it. */
	readonly delivery: StartingDelivery | undefined;
	/** Whether another workflow called this one, as a sub-workflow. */
	readonly isSubExecution: boolean;
	/** Whether an agent calls this node as its tool. */
	readonly isAgentTool: boolean;
	/** Names the run of the node, see `nameRun`. */
	readonly run: string;
}

/** What of n8n's execution context is read here. */
export type Establishment = Pick<IExecutionContext, 'establishedAt' | 'source' | 'triggerNode'>;

/** Reads them from n8n. */
export function executionFacts(context: IExecuteFunctions): ExecutionFacts {
	// Absent before n8n 1.121.
	const established = (
		context as Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>
	).getExecutionContext?.();
	const mode = context.getMode();
	// n8n offers the token as a part of the address at which an execution that waits is resumed.
	const address = toText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const [, token] = /[?&]signature=([\da-f]{64})(?:&|$)/.exec(address) ?? [];
	return {
		executionId: context.getExecutionId(),
		mode,
		isStartedByHand: mode === 'manual' || established?.source === 'manual',
		establishedAt: lastingTimestamp(established),
		token: token && fingerprint(token),
		delivery: findStartingDelivery(context),
		isSubExecution: mode === 'integrated' || established?.parentExecutionId !== undefined,
		isAgentTool: isAgentTool(context),
		run: nameRun(context.getExecuteData().source?.main?.[0]),
	};
}

/**
 * Names one run of the node within the execution: by where its items came from, which n8n saves with a run
 * that waits, and gives to each of its tries and retries. It is another one in each round of a loop.
 *
 * n8n's index of the run is no name. Every retry of an execution removes the last run if it failed: after
 * two, of which the first was killed, the same run has a lower index, or another run the same one.
 */
export function nameRun(source: ISourceData | null | undefined): string {
	if (!source) return '';
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	return fingerprint([previousNode, previousNodeOutput, previousNodeRun]);
}

/**
 * The time that identifies an execution when it is started a second time, epoch ms.
 *
 * @param established as n8n reports it; undefined before n8n 1.121
 * @returns undefined if the second start may have another time than the first
 */
export function lastingTimestamp(established: Establishment | undefined): number | undefined {
	// In queue mode n8n 1.x lets another worker take over the execution of a dead one, and establishes it
	// again then. Since 2.0, none takes over; versions from 2.1 on name the trigger.
	if (established?.triggerNode === undefined) return undefined;
	// An older n8n, or one before 2.20 that was killed, saved no time: the retry was established again, and
	// its time says nothing about the first attempt.
	return established.source === 'retry' ? undefined : established.establishedAt;
}

/**
 * Names the logical execution: the same name for Retry On Fail, for a retried execution, for one
 * that is retried after n8n was killed, and for a second one that a copy of the same delivery, or
 * another one about the same resource in the same status, has started. Every other execution has
 * its own name.
 *
 * @param stored the name that was stored earlier in the execution, if it was
 */
export function chooseExecutionIdentity(
	stored: string | undefined,
	{ executionId, establishedAt, token, delivery }: ExecutionFacts,
): string {
	if (stored !== undefined) return stored;
	if (delivery !== undefined) return identityOfDelivery(delivery.subject);
	// After kill -9 the retried execution has another id and an empty context. Only the time at which
	// it was established and the token survive. Two executions may begin in the same millisecond, and
	// the token tells them apart. It counts only beside that time: n8n's Engine 2.0 gives no time, and
	// another token to every run of a node.
	if (establishedAt === undefined) return `execution:${executionId}`;
	return ['established', establishedAt, ...(token === undefined ? [] : [token])].join(':');
}

/** @param subject see `getSubject` */
export function identityOfDelivery(subject: string): string {
	return `delivery:${subject}`;
}

/** When the execution certainly had not sent anything yet, epoch ms; undefined if nothing shows it. */
export function getBirth({ establishedAt, delivery }: ExecutionFacts): number | undefined {
	return establishedAt ?? delivery?.receivedAt;
}
