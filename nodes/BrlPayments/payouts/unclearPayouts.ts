import { BoundedMap } from '../../shared/concurrency/boundedMap';

/**
 * How long the service may take to book a payout whose response never arrived, and its list to show
 * one that it has booked. Milliseconds.
 */
export const LATE_BOOKING_MS = 2 * 60_000;

/** A payout that this process sent, and whose outcome is unknown. */
export interface UnclearPayout {
	readonly idempotencyKey: string;
	/** The execution that sent it; its retries have the same. */
	readonly identity: string;
	/** When its last attempt failed, epoch ms. */
	readonly at: number;
}

/**
 * The payouts of this process whose outcome is unknown, by what they pay. The list of withdrawals does
 * not show one that the service is still working on.
 */
export class UnclearPayouts {
	private readonly byContent: Map<string, UnclearPayout[]>;

	/** @param capacity how many contents are remembered; the oldest is forgotten first */
	constructor(capacity = 20_000) {
		this.byContent = new BoundedMap(capacity);
	}

	/** Forgets everything, as a restart does. */
	clear(): void {
		this.byContent.clear();
	}

	note(content: string, payout: UnclearPayout): void {
		const others = this.withoutKey(content, payout.idempotencyKey);
		this.byContent.delete(content);
		this.byContent.set(content, [...others, payout]);
	}

	/** To be called when the outcome is known. */
	settle(content: string, idempotencyKey: string): void {
		const others = this.withoutKey(content, idempotencyKey);
		if (others.length > 0) this.byContent.set(content, others);
		else this.byContent.delete(content);
	}

	/** The last one of another execution that may yet be booked. */
	findOther(
		content: string,
		own: Pick<UnclearPayout, 'idempotencyKey' | 'identity'>,
		now: number,
	): UnclearPayout | undefined {
		return this.withoutKey(content, own.idempotencyKey)
			.filter(({ identity, at }) => identity !== own.identity && now - at < LATE_BOOKING_MS)
			.at(-1);
	}

	private withoutKey(content: string, key: string): UnclearPayout[] {
		return (this.byContent.get(content) ?? []).filter(
			({ idempotencyKey }) => idempotencyKey !== key,
		);
	}
}
