/** Holds a few tokens, which come back one by one over time. */
export class TokenBucket {
	/** Milliseconds of waiting that are not used up; a token costs `refillMs`. */
	private credit: number;
	private filledAt = 0;

	/** @param refillMs how long one token takes to come back */
	constructor(
		private readonly capacity: number,
		private readonly refillMs: number,
	) {
		this.credit = capacity * refillMs;
	}

	/** @param now epoch ms */
	isEmpty(now: number): boolean {
		// A clock that was set back must not stop the refill.
		const elapsed = Math.max(0, now - this.filledAt);
		this.credit = Math.min(this.capacity * this.refillMs, this.credit + elapsed);
		this.filledAt = now;
		return this.credit < this.refillMs;
	}

	/** Takes one, if there is any. */
	take(): void {
		this.credit = Math.max(0, this.credit - this.refillMs);
	}
}
