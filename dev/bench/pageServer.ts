import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PageServerSettings } from './children/pageServer';

/** A service with a long list, in a separate process: what it costs is not to be counted. */
export class PageServer {
	private constructor(
		private readonly child: ChildProcess,
		readonly url: string,
	) {}

	static async start(): Promise<PageServer> {
		const child = fork(join(__dirname, 'children', 'pageServer.ts'));
		const [{ port }] = (await once(child, 'message')) as [{ port: number }];
		return new PageServer(child, `http://127.0.0.1:${port}`);
	}

	/** Refills the list. */
	async serve(settings: PageServerSettings): Promise<void> {
		const ready = once(this.child, 'message');
		this.child.send(settings);
		await ready;
	}

	stop(): void {
		this.child.disconnect();
	}
}
