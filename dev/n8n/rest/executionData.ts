import type { IBinaryData, IDataObject } from 'n8n-workflow';

export interface Item {
	json: IDataObject;
	binary?: Record<string, IBinaryData>;
	pairedItem?: { item: number } | number | Array<{ item: number }>;
	error?: unknown;
}

export interface NodeRun {
	executionStatus?: string;
	/** Milliseconds. */
	executionTime?: number;
	error?: { message?: string; description?: string; [key: string]: unknown };
	/** Where the input came from, one entry per input. */
	source?: Array<{
		previousNode: string;
		previousNodeOutput?: number;
		previousNodeRun?: number;
	} | null>;
	/** Per output of the node, its items; null where an output has none. */
	data?: { main?: Array<Item[] | null> };
}

interface RunExecutionData {
	resultData: {
		error?: { message?: string; description?: string; [key: string]: unknown };
		lastNodeExecuted?: string;
		/** Missing in queue mode where a worker was killed before any node had ended. */
		runData?: Record<string, NodeRun[]>;
	};
}

export type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled' | 'unknown';

/** An execution as the REST interface returns it, its data unpacked. */
export interface Execution {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	data: RunExecutionData;
}

export function isEnded(status: ExecutionStatus): boolean {
	return status !== 'new' && status !== 'running' && status !== 'waiting';
}

export function getRuns(execution: Execution, node: string): NodeRun[] {
	return execution.data.resultData.runData?.[node] ?? [];
}

export function getItems(execution: Execution, node: string, output = 0): Item[] {
	return getRuns(execution, node).flatMap((run) => run.data?.main?.[output] ?? []);
}
