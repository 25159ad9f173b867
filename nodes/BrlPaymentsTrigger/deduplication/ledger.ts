import type { StoreAccess } from '../../shared/n8n/durableStore';

/**
 * How fast one n8n writes at most: 15 deliveries a second with six entries each, which is more than one
 * was seen to take (`npm run bench -- deliveries`). Bounds what this process has not counted itself.
 */
const ENTRIES_PER_SECOND = 90;
/**
 * 4,000 deliveries. More cost each new one more, since n8n reads and writes the row as a whole
 * (`npm run bench -- deliveries`).
 */
const LEAST_ENTRIES = 25_000;

/** How long and how much a row remembers. */
export interface Retention {
	/** How long no entry may be forgotten, however many there are, in milliseconds. */
	readonly keepMs: number;
	/** How many entries the row holds in any case. */
	readonly least?: number;
	/** Whether another process may write to the row. */
	readonly isShared: boolean;
}

/** What one node has recorded in this process lately, in two spans of time. */
export class RecentEntries {
	private current = 0;
	private previous = 0;
	private beganAt = -Infinity;

	/**
	 * @param inherited how many entries the row held when this process first used it; they may be as
	 * young as they can be
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
	bound(count: number, now: number, { keepMs, least = 0, isShared }: Retention): number {
		if (now - this.beganAt >= keepMs) {
			this.previous = now - this.beganAt < 2 * keepMs ? this.current : 0;
			this.current = 0;
			this.beganAt = now;
		}
		this.current += count;
		const uncounted = Math.ceil((ENTRIES_PER_SECOND * keepMs) / 1000);
		const inherited = now - this.startedAt < keepMs ? this.inherited : 0;
		const atOnce = Math.max(
			least,
			LEAST_ENTRIES,
			isShared ? uncounted : Math.min(inherited, uncounted),
		);
		return atOnce + this.previous + this.current;
	}
}

const recentOfNode = new Map<string, RecentEntries>();

/** Where one trigger node remembers events, bounded by time and not only by number. */
export interface Ledger {
	/** @returns those that were there before */
	record(entries: readonly string[]): Promise<ReadonlySet<string>>;
	forget(entries: readonly string[]): Promise<void>;
}

/**
 * Webhook and polling write to the same row: both have to come this way, or one would evict what the
 * other still needs.
 *
 * @param node workflow and node, as in `nodeName`
 * @param now epoch ms
 */
export function openLedger(
	store: StoreAccess,
	node: string,
	now: number,
	retention: Retention,
): Ledger {
	return {
		async record(entries) {
			const recent = recentOfNode.get(node) ?? new RecentEntries(await store.count(), now);
			recentOfNode.set(node, recent);
			return await store.record(entries, recent.bound(entries.length, now, retention));
		},
		forget: async (entries) => await store.forget(entries),
	};
}
