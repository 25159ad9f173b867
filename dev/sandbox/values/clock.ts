/** Cancels a timer; calling it twice, or after the timer fired, does nothing. */
export type Cancel = () => void;

export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** How much faster than `now()` its timers run; 1 when absent. */
	readonly speed?: number;
	setTimeout(fn: () => void, ms: number): Cancel;
}

export interface ManualClock extends Clock {
	/** Moves time forward by `ms` and runs what falls due, in order of its due time. */
	advance(ms: number): void;
}

/**
 * Real time whose timers run `speed` times faster. `now()` stays the real time on purpose: rate
 * limits, idempotency windows and timestamps must keep agreeing with the client's own clock.
 */
export function createRealClock(speed = 1): Clock {
	return {
		speed,
		now: () => Date.now(),
		setTimeout(fn, ms) {
			const timer = setTimeout(fn, ms / speed);
			// A pending boleto expiry must not keep a finished test run alive.
			timer.unref();
			return () => clearTimeout(timer);
		},
	};
}

/** A clock that stands still until `advance` is called, so tests never sleep. */
export function createManualClock(startMs: number): ManualClock {
	let now = startMs;
	let sequence = 0;
	const timers = new Map<number, { due: number; fn: () => void }>();

	const nextDue = (until: number): number | undefined => {
		let found: number | undefined;
		let foundDue = Infinity;
		for (const [id, timer] of timers) {
			if (timer.due <= until && timer.due < foundDue) {
				found = id;
				foundDue = timer.due;
			}
		}
		return found;
	};

	return {
		now: () => now,
		setTimeout(fn, ms) {
			const id = sequence++;
			timers.set(id, { due: now + Math.max(0, ms), fn });
			return () => void timers.delete(id);
		},
		advance(ms) {
			const until = now + ms;
			for (let id = nextDue(until); id !== undefined; id = nextDue(until)) {
				const timer = timers.get(id);
				timers.delete(id);
				if (!timer) continue;
				now = Math.max(now, timer.due);
				timer.fn();
			}
			now = until;
		},
	};
}
