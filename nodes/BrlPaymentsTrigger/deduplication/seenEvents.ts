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

/** How long and how much a row remembers. */
export interface Retention {
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
	 * @param inherited how many entries the row held when this process first used it; all of them may
	 * be new
	 * @param startedAt epoch ms
	 */
	constructor(
		private readonly inherited: number,
		private readonly startedAt: number,
	) {}

	/**
	 * Counts entries, and says how many the row may hold so that none of them is evicted too early.
	 *
	 * @param now epoch ms
	 */
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

/** Where one trigger node remembers events, bounded by time and not only by number. */
export interface SeenEvents {
	/** @returns those that were there before */
	record(entries: readonly string[]): Promise<ReadonlySet<string>>;
	forget(entries: readonly string[]): Promise<void>;
}

/**
 * Webhook and polling write to the same row: both have to go through this, or one would evict what
 * the other still needs.
 *
 * @param node workflow and node, as in `nodeName`
 * @param now epoch ms
 */
export function openSeenEvents(
	store: StoreAccess,
	node: string,
	now: number,
	retention: Retention,
): SeenEvents {
	return {
		async record(entries) {
			const recent = recentOfNode.get(node) ?? new RecentEntries(await store.count(), now);
			recentOfNode.set(node, recent);
			return await store.record(entries, recent.bound(entries.length, now, retention));
		},
		forget: async (entries) => await store.forget(entries),
	};
}
