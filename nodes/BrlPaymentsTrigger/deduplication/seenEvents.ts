import type { StoreAccess } from '../../shared/n8n/durableStore';

/**
 * How fast one n8n writes at most: 15 deliveries a second with seven entries each, which is more than one
 * was seen to take (`npm run bench -- deliveries`). Bounds what this process has not counted itself.
 */
const ENTRIES_PER_SECOND = 105;
/**
 * 4,000 deliveries with two IDs each. More cost each new one more, since n8n reads and writes the row as a whole
 * (`npm run bench -- deliveries`).
 */
const LEAST_ENTRIES = 29_000;

interface Retention {
	/** How long no entry may be forgotten, however many there are, in milliseconds. */
	readonly keepMs: number;
	/** How many entries the row keeps in addition to recent ones. */
	readonly least?: number;
	/** Whether another process may write to the row. */
	readonly isShared: boolean;
}

/** In how many spans of time recorded entries are counted for each {@link Retention.keepMs}. */
const SPANS = 5;

/** What one node has recorded in this process lately. */
export class RecentEntries {
	/** Oldest first. */
	private readonly spans: Array<{ readonly startedAt: number; entries: number }> = [];

	/**
	 * @param inherited how many entries the row held when this process first used it; all may be new
	 */
	constructor(
		private readonly inherited: number,
		private readonly startedAt: number,
	) {}

	/** Counts entries, and says how many the row may hold so that none is evicted too early. */
	bound(entries: number, now: number, { keepMs, least = 0, isShared }: Retention): number {
		const counted = this.count(entries, now, keepMs);
		const uncounted = isShared
			? mostEntriesIn(keepMs)
			: Math.min(this.inherited, mostEntriesIn(this.startedAt + keepMs - now));
		return Math.max(LEAST_ENTRIES, uncounted + counted, least + counted);
	}

	/** @returns how many were recorded in the last `keepMs`, or a little longer ago */
	private count(entries: number, now: number, keepMs: number): number {
		const last = this.spans.at(-1);
		const isNear = last !== undefined && Math.abs(now - last.startedAt) < keepMs / SPANS;
		if (isNear) last.entries += entries;
		else this.spans.push({ startedAt: now, entries });
		// All of a span is older than the start of the next one.
		while (this.spans[1] && now - this.spans[1].startedAt >= keepMs) this.spans.shift();
		return this.spans.reduce((sum, span) => sum + span.entries, 0);
	}
}

function mostEntriesIn(milliseconds: number): number {
	return Math.max(0, Math.ceil((ENTRIES_PER_SECOND * milliseconds) / 1000));
}

const recentOfNode = new Map<string, RecentEntries>();

/** How often a store that fails is tried. */
const MAX_ATTEMPTS = 5;

/**
 * Where one trigger node remembers events, bounded by time and not only by number. What fails is tried
 * again and logged, and never thrown: a duplicate is better than a loss.
 */
export interface SeenEvents {
	/** Whether another process may write to the row. */
	readonly isShared: boolean;
	/**
	 * @param isChecked whether to look afterwards if the entries are really there: n8n reads a row and writes
	 * it back, so another process may have overwritten them
	 * @returns those that were there before; after a failure these may be its own. Undefined if the store
	 * kept failing
	 */
	record(entries: readonly string[], isChecked?: boolean): Promise<ReadonlySet<string> | undefined>;
	forget(entries: readonly string[]): Promise<void>;
}

/**
 * Webhook and polling write to the same row: both have to go through this, or one would evict what
 * the other still needs.
 * @param node workflow and node, as in `getStoreName`
 */
export function openSeenEvents(
	store: StoreAccess,
	node: string,
	now: number,
	retention: Retention,
	warn: (message: string) => void,
): SeenEvents {
	const { isShared } = retention;
	/** Stops when a call says that it is done, or after the last attempt. */
	const persist = async (failed: string, call: () => Promise<boolean>): Promise<void> => {
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
			try {
				if (await call()) return;
			} catch (error) {
				const reason = error instanceof Error ? error.message : 'unknown error';
				warn(`${failed} (attempt ${attempt}): ${reason}`);
			}
		}
	};
	return {
		isShared,
		async record(entries, isChecked = false) {
			const distinct = [...new Set(entries)];
			let knownBefore: ReadonlySet<string> | undefined;
			await persist('The events that were seen could not be read or written', async () => {
				const recent = recentOfNode.get(node) ?? new RecentEntries(await store.count(), now);
				recentOfNode.set(node, recent);
				const known = await store.record(distinct, recent.bound(distinct.length, now, retention));
				knownBefore ??= known;
				return !isChecked || !isShared || known.size === distinct.length;
			});
			return knownBefore;
		},
		async forget(entries) {
			await persist('Entries could not be removed', async () => {
				await store.forget(entries);
				return true;
			});
		},
	};
}
