import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PoolOrder } from '../children/undiciPool';

/** A pool of connections in a separate process: as fast as the same requests can be sent. */
export class BaselinePool {
	private readonly child: ChildProcess;
	/** Rejects when the process ends, which it does when a request fails. */
	private readonly ended: Promise<never>;

	constructor() {
		this.child = fork(join(__dirname, '..', 'children', 'undiciPool.ts'));
		this.ended = once(this.child, 'exit').then(([code]) => {
			throw new Error(`The pool ended with code ${String(code)}`);
		});
		this.ended.catch(() => undefined);
	}

	/** @returns milliseconds from the first connection to the last response */
	async pay(order: PoolOrder): Promise<number> {
		const answer = once(this.child, 'message');
		this.child.send(order);
		const [milliseconds] = (await Promise.race([answer, this.ended])) as [number];
		return milliseconds;
	}

	stop(): void {
		if (this.child.connected) this.child.disconnect();
	}
}
