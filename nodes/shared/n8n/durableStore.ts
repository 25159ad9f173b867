import type { ICheckProcessedOptions, IExecuteFunctions } from 'n8n-workflow';
import { KeyedMutex } from '../concurrency/sharedCalls';

/** What one workflow and node have recorded in n8n's database: a set of texts, oldest evicted first. */
export interface StoreAccess {
	/**
	 * Records all entries. They are durable when this returns.
	 * @param maxEntries how many entries the row may hold; the oldest are evicted beyond it
	 * @returns those that were there before
	 */
	record(entries: readonly string[], maxEntries: number): Promise<ReadonlySet<string>>;
	/** How many entries there are. */
	count(): Promise<number>;
	/** Removes entries; unknown ones are ignored. */
	forget(entries: readonly string[]): Promise<void>;
}

type StoreContext = Pick<IExecuteFunctions, 'helpers' | 'getNode' | 'getWorkflow'>;

const ENTRIES: ICheckProcessedOptions = { mode: 'entries' };

/** n8n reads a row and writes it back: two calls at the same time would lose each other's entries. */
const mutex = new KeyedMutex();

/** Whether this n8n offers the store: old versions and some tool contexts do not. */
export function hasDurableStore(context: Pick<IExecuteFunctions, 'helpers'>): boolean {
	const helpers: Partial<IExecuteFunctions['helpers']> = context.helpers;
	return (
		typeof helpers.checkProcessedAndRecord === 'function' &&
		typeof helpers.removeProcessed === 'function'
	);
}

/** Names the store of this workflow and node. To be asked once: n8n copies the whole node each time. */
export function getStoreName(context: Pick<StoreContext, 'getNode' | 'getWorkflow'>): string {
	return `${context.getWorkflow().id}:${context.getNode().id}`;
}

/**
 * Runs `use` with exclusive use, within this process, of the store of this workflow and node. Other
 * processes (queue mode) may still do so, and then entries of either can get lost.
 *
 * Calls must not be nested: the inner one would wait for the outer one forever.
 * @throws what `use` throws; `record` and `forget` throw what n8n's helper throws
 */
export async function withDurableStore<T>(
	context: StoreContext,
	use: (store: StoreAccess) => Promise<T>,
): Promise<T> {
	return await mutex.run(getStoreName(context), async () => await use(openStore(context.helpers)));
}

function openStore(helpers: StoreContext['helpers']): StoreAccess {
	return {
		async record(entries, maxEntries) {
			// n8n stores an entry that is repeated within one call more than once.
			const distinct = [...new Set(entries)];
			if (distinct.length === 0) return new Set();
			const options = { ...ENTRIES, maxEntries };
			const answer = await helpers.checkProcessedAndRecord(distinct, 'node', options);
			const [known, added] = [new Set(answer.processed.map(String)), answer.new];
			// Of a damaged row, n8n says neither: nothing may be concluded from that.
			if (known.size + new Set(added.map(String)).size !== distinct.length) {
				throw new Error('The answer of the deduplication of n8n is incomplete');
			}
			return known;
		},
		count: async () => await helpers.getProcessedDataCount('node', ENTRIES),
		async forget(entries) {
			const distinct = [...new Set(entries)];
			if (distinct.length > 0) await helpers.removeProcessed(distinct, 'node', ENTRIES);
		},
	};
}
