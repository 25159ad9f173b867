import type { Outcome } from '../transport/outcome';
import { realRuntime, type Runtime } from './runtime';

/** One request, with or without a response, as far as the limit depends on it. Times in milliseconds. */
export interface Sample {
	readonly latencyMs: number;
	/** The service or the way to it is in trouble: no response, or one with a status of 500 and above. */
	readonly isTrouble: boolean;
}

export interface PaceState {
	/** How many items may be under way at the same time. */
	readonly limit: number;
	/** Doubles with each round until the first sign of overload, then grows in small steps. */
	readonly isExploring: boolean;
	/** The best median latency so far; undefined before the first round. */
	readonly baselineMs: number | undefined;
}

/** Where every run begins: enough for a short list, little enough for a service that can't do more. */
export const FIRST_LIMIT = 5;
/** It never goes below: one item that waits for a slow response must not stop all others. */
const LEAST_LIMIT = 2;
/** More than this share of lost or failed requests is overload, less is normal. */
const TOLERATED_TROUBLE = 0.1;
/** Latency that has doubled means that requests queue up somewhere; a few milliseconds mean nothing. */
const TOLERATED_SLOWDOWN = 2;
const TOLERATED_JITTER_MS = 20;
/** Per round: a service that stays slower under any load is slow, not overloaded. */
const BASELINE_DRIFT = 1.05;
/** For how long items may start, one after the other, before what is ready goes out. */
const LONGEST_TURN_MS = 5;

export function firstPace(most: number): PaceState {
	return { limit: Math.min(FIRST_LIMIT, most), isExploring: true, baselineMs: undefined };
}

/**
 * Decides after each round, that is as many responses as were allowed at the same time: grow while
 * the service responds as fast as ever, shrink when responses fail or slow down.
 *
 * @param most what the user allows at most
 */
export function adapt(state: PaceState, round: readonly Sample[], most: number): PaceState {
	const { limit, isExploring, baselineMs } = state;
	const shrunk = (factor: number): number =>
		Math.min(most, Math.max(LEAST_LIMIT, Math.floor(limit * factor)));

	const good = round.filter(({ isTrouble }) => !isTrouble);
	if (round.length - good.length > TOLERATED_TROUBLE * round.length) {
		return { limit: shrunk(0.5), isExploring: false, baselineMs };
	}
	const latencyMs = median(good.map((answer) => answer.latencyMs));
	const best = Math.min((baselineMs ?? latencyMs) * BASELINE_DRIFT, latencyMs);
	if (latencyMs > TOLERATED_SLOWDOWN * best + TOLERATED_JITTER_MS) {
		return { limit: shrunk(0.75), isExploring: false, baselineMs: best };
	}
	const step = isExploring ? limit : Math.max(1, Math.floor(limit / 8));
	return { limit: Math.min(most, limit + step), isExploring, baselineMs: best };
}

/** @returns null for an outcome that says nothing about how busy the service is */
export function toAnswer(outcome: Outcome, latencyMs: number): Sample | null {
	switch (outcome.kind) {
		case 'success':
			return { latencyMs, isTrouble: false };
		case 'refused':
			// Rate limits are handled separately: the whole run waits as the service says.
			return outcome.status === 429 ? null : { latencyMs, isTrouble: outcome.status >= 500 };
		case 'unclear': {
			const { cause, status } = outcome;
			const isLost = ['timeout', 'unreachable', 'connectionLost'].includes(cause);
			return { latencyMs, isTrouble: isLost || (cause === 'gateway' && (status ?? 0) >= 500) };
		}
		case 'blocked':
			return null;
	}
}

function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * Lets items run at the same time, in their order, within a limit that adapts. That is why this is
 * not p-limit: the one that n8n brings along knows fixed limits only.
 */
export class AdaptiveLimiter {
	private state: PaceState;
	/** When the limit last changed: what was sent before says nothing about the current one. */
	private changedAt = -Infinity;
	private round: Sample[] = [];
	private running = 0;
	private readonly waiting: Array<() => void> = [];
	private lastStart = Promise.resolve();
	/** Until when items may start in the current turn of the event loop, epoch milliseconds. */
	private turnEndsAt = -Infinity;

	/** @param most how many at most; 1 is one after the other */
	constructor(
		private readonly most: number,
		private readonly runtime: Pick<Runtime, 'nextTurn' | 'now'> = realRuntime,
	) {
		this.state = firstPace(most);
	}

	get limit(): number {
		return this.state.limit;
	}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running >= this.limit) {
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		} else {
			this.running += 1;
		}
		try {
			// Awaited right here: the next one looks at the time after this task has begun.
			this.lastStart = this.lastStart.then(async () => await this.turnToStart());
			await this.lastStart;
			return await task();
		} finally {
			this.running -= 1;
			this.startWaiting();
		}
	}

	/**
	 * Lets another task start while one waits for something that is not the service. Then that one
	 * continues at once, even beyond the limit: the others may be waiting for it.
	 */
	async aside<T>(wait: Promise<T>): Promise<T> {
		this.running -= 1;
		this.startWaiting();
		return await wait.finally(() => (this.running += 1));
	}

	/**
	 * Starts follow each other for some milliseconds, then in another turn of the event loop. If all
	 * that may start did so in one turn, no request would go out before the last of them was prepared.
	 * A turn for each would be too slow: n8n's `sleep` takes a millisecond at least.
	 */
	private async turnToStart(): Promise<void> {
		if (this.runtime.now() < this.turnEndsAt) return;
		await this.runtime.nextTurn();
		this.turnEndsAt = this.runtime.now() + LONGEST_TURN_MS;
	}

	/** To be called after each attempt; times in epoch milliseconds. */
	note(outcome: Outcome, startedAt: number, now: number): void {
		const answer = toAnswer(outcome, now - startedAt);
		if (answer === null || startedAt < this.changedAt) return;
		this.round.push(answer);
		if (this.round.length < this.limit) return;
		const before = this.limit;
		this.state = adapt(this.state, this.round, this.most);
		this.round = [];
		if (this.limit !== before) this.changedAt = now;
		this.startWaiting();
	}

	/** An admitted task counts as running at once, before its task gets its turn. */
	private startWaiting(): void {
		while (this.running < this.limit) {
			const start = this.waiting.shift();
			if (!start) return;
			this.running += 1;
			start();
		}
	}
}
