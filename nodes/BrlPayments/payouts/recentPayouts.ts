import { BoundedMap } from '../../shared/concurrency/boundedMap';

/** One payout that this process made. */
export interface RecentPayout {
	readonly id: string;
	/** Names the API key that it was paid with. */
	readonly account: string;
	/** ID of the execution. */
	readonly execution: string;
	/** When its response arrived, epoch ms. */
	readonly at: number;
}

interface Noted extends RecentPayout {
	/** Counts all payouts of this process: two may be made in one millisecond. */
	readonly number: number;
}

/** The payouts that this process made lately, by what they paid. */
export class RecentPayouts {
	private readonly byContent: Map<string, Noted[]>;
	private count = 0;

	/** @param capacity how many contents are remembered; the oldest is forgotten first */
	constructor(capacity = 20_000) {
		this.byContent = new BoundedMap(capacity);
	}

	/** Forgets everything, as a restart does. */
	clear(): void {
		this.byContent.clear();
	}

	/** Marks the newest payout, for `after`. */
	mark(): number {
		return this.count;
	}

	add(content: string, payout: RecentPayout): void {
		this.count += 1;
		const known = (this.byContent.get(content) ?? []).filter(({ id }) => id !== payout.id);
		this.byContent.delete(content);
		this.byContent.set(content, [...known, { ...payout, number: this.count }]);
	}

	/** Those made after the mark, or after the time `since` (epoch ms). */
	after(mark: number, since: number, content: string): readonly RecentPayout[] {
		return (this.byContent.get(content) ?? []).filter(
			({ number, at }) => number > mark || at > since,
		);
	}
}
