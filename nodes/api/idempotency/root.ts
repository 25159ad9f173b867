import type { WorkflowExecuteMode } from 'n8n-workflow';
import type { StartingDelivery } from './startingDelivery';

/** What n8n tells about the execution that the node runs in. Times in milliseconds since 1970. */
export interface ExecutionFacts {
	readonly executionId: string;
	readonly mode: WorkflowExecuteMode;
	/** When the execution was first established; a retry keeps it. Absent in n8n before late 2025. */
	readonly establishedAt: number | undefined;
	/** What the BRL Payments Trigger started it with; absent where something else started it. */
	readonly delivery: StartingDelivery | undefined;
	/** Whether another workflow called this one, as a sub-workflow. */
	readonly isSubExecution: boolean;
	/** Whether an agent calls this node as its tool. */
	readonly isAgentTool: boolean;
}

/**
 * Names the logical execution: the same name for Retry On Fail, for a retried execution, for one
 * that is retried after n8n was killed, and for a second one that a copy of the same delivery has
 * started; another one for every execution that was started on its own.
 *
 * @param stored the name that this node stored in its context earlier in the execution, if it did
 */
export function chooseRoot(
	stored: string | undefined,
	{ executionId, establishedAt, delivery }: ExecutionFacts,
): string {
	if (stored !== undefined) return stored;
	if (delivery !== undefined) return `delivery:${delivery.deliveryId}`;
	// After kill -9 the retried execution has another id and an empty node context. Only the moment at
	// which it was established survives, so it comes before the id.
	if (establishedAt !== undefined) return `established:${establishedAt}`;
	return `execution:${executionId}`;
}

/**
 * When the execution surely had not sent anything yet, milliseconds since 1970.
 * @returns undefined where nothing of a retried execution tells
 */
export function beginningOf({ establishedAt, delivery }: ExecutionFacts): number | undefined {
	return establishedAt ?? delivery?.receivedAt;
}
