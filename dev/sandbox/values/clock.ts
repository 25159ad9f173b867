import { minBy } from 'lodash';

/** Cancels a timer; calling it twice, or after the timer fired, does nothing. */
export type Cancel = () => void;

export interface Clock {
	now(): number;
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
	const timers = new Set<{ due: number; fn: () => void }>();
	return {
		now: () => now,
		setTimeout(fn, ms) {
			const timer = { due: now + Math.max(0, ms), fn };
			timers.add(timer);
			return () => void timers.delete(timer);
		},
		advance(ms) {
			const until = now + ms;
			for (;;) {
				// Of those that are due at the same time, the one that was set first.
				const next = minBy([...timers], 'due');
				if (!next || next.due > until) break;
				timers.delete(next);
				now = Math.max(now, next.due);
				next.fn();
			}
			now = until;
		},
	};
}
