import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A separate process from the folder `children`: what it costs is not to be counted. */
export class Child {
	private readonly child: ChildProcess;
	/** Rejects when the process ends: what is waited for then never comes. */
	private readonly ended: Promise<never>;

	private constructor(file: string) {
		this.child = fork(join(__dirname, 'children', file));
		this.ended = once(this.child, 'exit').then(([code]) => {
			throw new Error(`${file} ended with code ${String(code)}`);
		});
		this.ended.catch(() => undefined);
	}

	static async use<T>(file: string, work: (child: Child) => Promise<T>): Promise<T> {
		const child = new Child(file);
		try {
			return await work(child);
		} finally {
			if (child.child.connected) child.child.disconnect();
		}
	}

	async next<Message>(): Promise<Message> {
		const [message] = (await Promise.race([once(this.child, 'message'), this.ended])) as [Message];
		return message;
	}

	async ask<Answer>(order: object): Promise<Answer> {
		const answer = this.next<Answer>();
		this.child.send(order as Serializable);
		return await answer;
	}
}
