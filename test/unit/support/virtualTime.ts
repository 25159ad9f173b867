import type { Runtime } from '../../../nodes/shared/concurrency/runtime';

/**
 * Time that passes only when something waits for it. Waiters wake in the order of their times, each
 * after all that the one before has set off, so that a test of concurrent calls is deterministic.
 */
export class VirtualTime implements Runtime {
	/** Every wait that was asked for, in milliseconds. */
	readonly waits: number[] = [];
	private readonly sleepers: Array<{ until: number; wake: () => void }> = [];

	constructor(
		private time = Date.parse('2026-11-21T12:00:00Z'),
		private readonly chance = 0.5,
	) {}

	now(): number {
		return this.time;
	}

	random(): number {
		return this.chance;
	}

	/** Lets time pass without anyone waiting. */
	pass(ms: number): void {
		this.time += ms;
	}

	async wait(ms: number, abortSignal?: AbortSignal): Promise<void> {
		if (abortSignal?.aborted) return;
		this.waits.push(ms);
		await new Promise<void>((resolve) => {
			abortSignal?.addEventListener('abort', () => resolve(), { once: true });
			this.sleepers.push({ until: this.time + ms, wake: resolve });
			setImmediate(() => this.wakeNext());
		});
	}

	async nextTurn(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	private wakeNext(): void {
		this.sleepers.sort((one, other) => other.until - one.until);
		const next = this.sleepers.pop();
		if (!next) return;
		this.time = Math.max(this.time, next.until);
		next.wake();
	}
}
