import { BoundedMap } from '../../../../shared/concurrency/boundedMap';

/** One payout that this process made. */
export interface RecentPayout {
	readonly id: string;
	/** ID of the execution. */
	readonly execution: string;
}

interface Noted extends RecentPayout {
	/** Counts all payouts of this process: two may fall into one millisecond. */
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

	/** Marks this moment, for `after`. */
	mark(): number {
		return this.count;
	}

	add(content: string, payout: RecentPayout): void {
		this.count += 1;
		const known = (this.byContent.get(content) ?? []).filter(({ id }) => id !== payout.id);
		this.byContent.delete(content);
		this.byContent.set(content, [...known, { ...payout, number: this.count }]);
	}

	/** Those made since the mark. */
	after(mark: number, content: string): readonly RecentPayout[] {
		return (this.byContent.get(content) ?? []).filter(({ number }) => number > mark);
	}
}
