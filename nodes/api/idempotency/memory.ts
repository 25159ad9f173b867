import { createHash } from 'node:crypto';
import type { IContextObject } from 'n8n-workflow';

/** What the node remembers of one logical operation. Short names: one is stored per item. */
export interface OperationRecord {
	/** Keys used up so far. */
	generation: number;
	/** When the first key was first sent, milliseconds since 1970; absent until then. */
	firstUsedAt?: number;
	/** An attempt may have taken effect, so that a later failure must not be called one without effect. */
	unclear?: true | undefined;
	/** When an attempt first succeeded, milliseconds since 1970; absent until one did. */
	doneAt?: number;
	/** The ID of what came into being, where the answer had one. */
	doneId?: string;
	/** An agent has been told that it succeeded. */
	isDone?: true;
	/** Makes the key differ from that of an execution established in the same millisecond. */
	owner?: string;
}

interface Stored {
	root: string;
	firstRunIndex: number;
	/** Absent in what was stored before this field existed. */
	lastRunIndex?: number;
	operations: Record<string, OperationRecord>;
}

const FIELD = 'brlPaymentsIdempotency';

/**
 * The part of n8n's node context that holds the idempotency records. n8n saves it with the
 * execution: it survives Retry On Fail and the retry of an execution, not kill -9.
 */
export class OperationMemory {
	private readonly stored: Stored;
	/** Whether this context has seen the same run before, as with Retry On Fail. */
	readonly isSameRunAgain: boolean;

	/** @param chooseRoot receives the stored root, and its result is stored in place of it */
	constructor(
		nodeContext: IContextObject,
		runIndex: number,
		chooseRoot: (stored: string | undefined) => string,
	) {
		const found = nodeContext[FIELD] as Stored | undefined;
		this.stored = found ?? { root: '', firstRunIndex: runIndex, operations: {} };
		this.stored.root = chooseRoot(found?.root);
		this.isSameRunAgain = found?.lastRunIndex === runIndex;
		this.stored.lastRunIndex = runIndex;
		nodeContext[FIELD] = this.stored;
	}

	get root(): string {
		return this.stored.root;
	}

	/**
	 * Counted from the first run that this context has seen: after kill -9 inside a loop n8n starts
	 * again with run index 1 and an empty context, and the plain index would give new keys.
	 */
	relativeRunIndex(runIndex: number): number {
		return runIndex - this.stored.firstRunIndex;
	}

	find(firstKey: string): OperationRecord | undefined {
		return this.stored.operations[idOf(firstKey)];
	}

	/** Writes the record into the context at once, before any request that relies on it. */
	store(firstKey: string, record: OperationRecord): void {
		this.stored.operations[idOf(firstKey)] = record;
	}
}

/** Short, since it is saved with the execution once per item, and long enough never to collide there. */
function idOf(firstKey: string): string {
	return createHash('sha256').update(firstKey).digest('base64url').slice(0, 16);
}
