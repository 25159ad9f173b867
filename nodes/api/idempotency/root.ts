import type { WorkflowExecuteMode } from 'n8n-workflow';

/** What n8n tells about the execution that the node runs in. Times in milliseconds since 1970. */
export interface ExecutionFacts {
	readonly executionId: string;
	readonly mode: WorkflowExecuteMode;
	/** When the execution was first established; a retry keeps it. Absent in n8n before late 2025. */
	readonly establishedAt: number | undefined;
}

/**
 * Names the logical execution: the same name for Retry On Fail, for a retried execution, and for one
 * that is retried after n8n was killed; another one for every execution that was started on its own.
 *
 * @param stored the name that this node stored in its context earlier in the execution, if it did
 */
export function chooseRoot(
	stored: string | undefined,
	{ executionId, establishedAt }: ExecutionFacts,
): string {
	if (stored !== undefined) return stored;
	// After kill -9 the retried execution has another id and an empty node context. Only the moment at
	// which it was established survives, so it comes before the id.
	if (establishedAt !== undefined) return `established:${establishedAt}`;
	return `execution:${executionId}`;
}
