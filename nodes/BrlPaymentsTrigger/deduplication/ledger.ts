import type { StoreAccess } from '../../shared/n8n/durableStore';

/**
 * How fast one n8n can be at most: eight deliveries a second with five entries each. A row keeps what
 * comes in at that rate, also right after a start, when this process has counted nothing yet.
 */
const ENTRIES_PER_SECOND = 40;
/**
 * 5,000 deliveries. More cost each new one more, since n8n reads and writes the row as a whole
 * (`npm run bench -- deliveries`).
 */
const LEAST_ENTRIES = 25_000;

/** What one node has recorded in this process lately, in two spans of time. */
export class RecentEntries {
	private current = 0;
	private previous = 0;
	private beganAt = -Infinity;

	/**
	 * Counts entries, and says how many the row may hold so that none of them is evicted too early.
	 *
	 * @param now epoch ms
	 * @param keepMs how long no entry may be forgotten, however many there are
	 * @param least how many the row holds in any case
	 */
	bound(count: number, now: number, keepMs: number, least = 0): number {
		if (now - this.beganAt >= keepMs) {
			this.previous = now - this.beganAt < 2 * keepMs ? this.current : 0;
			this.current = 0;
			this.beganAt = now;
		}
		this.current += count;
		const atOnce = Math.max(least, LEAST_ENTRIES, (ENTRIES_PER_SECOND * keepMs) / 1000);
		return Math.ceil(atOnce) + this.previous + this.current;
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
 * @param keepMs, least see {@link RecentEntries.bound}
 */
export function openLedger(
	store: StoreAccess,
	node: string,
	now: number,
	keepMs: number,
	least?: number,
): Ledger {
	const recent = recentOfNode.get(node) ?? new RecentEntries();
	recentOfNode.set(node, recent);
	return {
		record: async (entries) =>
			await store.record(entries, recent.bound(entries.length, now, keepMs, least)),
		forget: async (entries) => await store.forget(entries),
	};
}
