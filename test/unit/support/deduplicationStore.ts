import { createHash } from 'node:crypto';
import type {
	DeduplicationScope,
	ICheckProcessedOptions,
	IDeduplicationOutput,
	IExecuteFunctions,
} from 'n8n-workflow';
import { NODE } from './nodeContext';

/** The database failed at a call of the store. */
class StoreFailure extends Error {}

interface Helpers {
	checkProcessedAndRecord: IExecuteFunctions['helpers']['checkProcessedAndRecord'];
	removeProcessed: IExecuteFunctions['helpers']['removeProcessed'];
	getProcessedDataCount: IExecuteFunctions['helpers']['getProcessedDataCount'];
}

type StoreContext = Pick<IExecuteFunctions, 'helpers' | 'getNode' | 'getWorkflow'>;

/**
 * n8n's deduplication helper in mode `entries`, as of 2.40: one row for each workflow and node that is
 * read, changed and written back, md5 for each entry, oldest evicted first, and no protection against
 * two calls at the same time.
 */
export class FakeDeduplication {
	readonly rows = new Map<string, readonly string[]>();
	/** The most calls that were under way on one row at the same time. */
	mostTogether = 0;
	/** Names of the calls since the beginning, failed ones included. */
	readonly calls: string[] = [];
	private callsLeft = Infinity;
	private together = new Map<string, number>();

	/** Makes the k-th call from now on fail, counted from 1. */
	failAt(call: number): void {
		this.callsLeft = call;
	}

	/** What an execution of this workflow and node sees. */
	context(nodeId = NODE.id, workflowId = 'workflow-1'): StoreContext {
		return {
			helpers: this.helpers(`${workflowId} n:${nodeId}`) as unknown as IExecuteFunctions['helpers'],
			getNode: () => ({ ...NODE, id: nodeId }),
			getWorkflow: () => ({ id: workflowId, name: 'Payouts', active: true }),
		};
	}

	/** The entries of a row, as n8n hides them. */
	row(nodeId = NODE.id, workflowId = 'workflow-1'): readonly string[] {
		return this.rows.get(`${workflowId} n:${nodeId}`) ?? [];
	}

	/** Whether the row contains an entry. */
	holds(entry: string): boolean {
		return this.row().includes(toHash(entry));
	}

	private helpers(name: string): Helpers {
		return {
			checkProcessedAndRecord: async (items, scope, options) =>
				await this.call(name, 'record', scope, options, async (read) => {
					const hashes = items.map(toHash);
					const before = await read();
					if (before === undefined) {
						const data = evict(hashes, options.maxEntries);
						return { data, isFirst: true, output: { new: items, processed: [] } };
					}
					const known = new Set(before);
					const isNew = (_: unknown, index: number) => !known.has(hashes[index]!);
					const output = {
						new: items.filter(isNew),
						processed: items.filter((item, index) => !isNew(item, index)),
					};
					const data = [...before, ...hashes.filter(isNew)];
					return { data: evict(data, options.maxEntries), isFirst: false, output };
				}),
			removeProcessed: async (items, scope, options) => {
				await this.call(name, 'forget', scope, options, async (read) => {
					const data = [...((await read()) ?? [])];
					for (const hash of items.map(toHash)) {
						const index = data.indexOf(hash);
						if (index !== -1) data.splice(index, 1);
					}
					return { data, isFirst: false, output: { new: [], processed: [] } };
				});
			},
			getProcessedDataCount: async () => this.rows.get(name)?.length ?? 0,
		};
	}

	private async call(
		name: string,
		kind: string,
		scope: DeduplicationScope,
		options: ICheckProcessedOptions,
		change: (
			read: () => Promise<readonly string[] | undefined>,
		) => Promise<{ data: string[]; isFirst: boolean; output: IDeduplicationOutput }>,
	): Promise<IDeduplicationOutput> {
		if (scope !== 'node' || options.mode !== 'entries') throw new Error('Not simulated');
		this.calls.push(kind);
		this.callsLeft -= 1;
		if (this.callsLeft === 0) throw new StoreFailure('The database is gone');

		const together = (this.together.get(name) ?? 0) + 1;
		this.together.set(name, together);
		this.mostTogether = Math.max(this.mostTogether, together);
		try {
			const { data, isFirst, output } = await change(async () => {
				const row = this.rows.get(name);
				// The database takes its time, and others may read the row at that time.
				await Promise.resolve();
				return row;
			});
			if (isFirst && this.rows.has(name)) throw new Error('UNIQUE constraint failed');
			if (isFirst || this.rows.has(name)) this.rows.set(name, data);
			return output;
		} finally {
			this.together.set(name, (this.together.get(name) ?? 1) - 1);
		}
	}
}

function evict(data: string[], maxEntries: number | undefined): string[] {
	return maxEntries ? data.slice(Math.max(0, data.length - maxEntries)) : data;
}

function toHash(value: unknown): string {
	return createHash('md5').update(String(value)).digest('base64');
}
