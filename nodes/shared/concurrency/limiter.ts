import { realRuntime, type Runtime } from './runtime';

/** So many tasks start before n8n's event loop gets a turn: it has webhooks to answer meanwhile. */
const STARTS_PER_TURN = 20;

/** Lets tasks run at the same time, in their order, no more than so many. */
export class Limiter {
	private running = 0;
	private started = 0;
	private turn = Promise.resolve();
	private readonly waiting: Array<() => void> = [];

	/** @param most how many at most; 1 is one after the other */
	constructor(
		private readonly most: number,
		private readonly runtime: Pick<Runtime, 'nextTurn'> = realRuntime,
	) {}

	async run<T>(task: () => Promise<T>): Promise<T> {
		if (this.running < this.most) this.running += 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			if (this.started % STARTS_PER_TURN === 0) {
				this.turn = this.turn.then(async () => await this.runtime.nextTurn());
			}
			this.started += 1;
			// All wait for it, so that none overtakes another.
			await this.turn;
			return await task();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running -= 1;
		}
	}
}
