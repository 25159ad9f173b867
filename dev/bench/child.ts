import { fork, type ChildProcess, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PageServerSettings } from './children/pageServer';
import { prepareEngine } from './getMany';

/** A separate process from the folder `children`: what it costs is not to be counted. */
export class Child {
	private readonly child: ChildProcess;
	/** Rejects when the process ends: what is waited for then never comes. */
	private readonly ended: Promise<never>;

	constructor(file: string, args: string[] = []) {
		this.child = fork(join(__dirname, 'children', file), args);
		this.ended = once(this.child, 'exit').then(([code]) => {
			throw new Error(`${file} ended with code ${String(code)}`);
		});
		this.ended.catch(() => undefined);
	}

	/** The next message from it. */
	async next<Message>(): Promise<Message> {
		const [message] = (await Promise.race([once(this.child, 'message'), this.ended])) as [Message];
		return message;
	}

	async ask<Answer>(order: object): Promise<Answer> {
		const answer = this.next<Answer>();
		this.child.send(order as Serializable);
		return await answer;
	}

	stop(): void {
		if (this.child.connected) this.child.disconnect();
	}
}

/** A service with a long list. */
export interface PageServer {
	readonly url: string;
	/** Refills the list. */
	serve(settings: PageServerSettings): Promise<void>;
}

/** Makes n8n's engine ready in this process, and the service in another, for as long as `use` takes. */
export async function withPageServer<T>(use: (server: PageServer) => Promise<T>): Promise<T> {
	const cleanUp = await prepareEngine();
	const child = new Child('pageServer.ts');
	try {
		const { port } = await child.next<{ port: number }>();
		return await use({
			url: `http://127.0.0.1:${port}`,
			serve: async (settings) => await child.ask(settings),
		});
	} finally {
		child.stop();
		cleanUp();
	}
}
