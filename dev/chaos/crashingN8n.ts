import { rm } from 'node:fs/promises';

import type { N8nHost } from '../n8n/install/install';
import { installPackage } from '../n8n/install/packageInstall';
import { startN8n, type N8nProcess } from '../n8n/process/process';
import { N8nClient, RestError } from '../n8n/rest/rest';
import { makeOwner } from '../n8n/rest/owner';

/** A real n8n that is killed with -9 and started again on the same database, as after a power cut. */
export class CrashingN8n {
	/** How often it was killed. */
	kills = 0;
	private process!: N8nProcess;
	private readonly owner = makeOwner();
	/** Settles when n8n can be used; a fresh one while it is down. */
	private ready!: Promise<N8nClient>;

	constructor(
		private readonly host: N8nHost,
		private readonly userFolder: string,
		private readonly signal: AbortSignal,
	) {}

	/** @param prepare is done after the package is installed, and before n8n loads it */
	async start(prepare: () => Promise<void> = async () => {}): Promise<void> {
		await installPackage(this.userFolder);
		await prepare();
		this.ready = this.launch();
		await this.ready;
	}

	get url(): string {
		return this.process.url;
	}

	/** Power cut and restart; resolves when n8n is back. */
	async crash(): Promise<void> {
		this.kills += 1;
		const killed = this.process.kill9();
		this.ready = killed.then(async () => await this.launch());
		await this.ready;
	}

	/**
	 * What a person does at the screen: waits while n8n is down, and does it again when n8n went down
	 * in between. `act` must therefore be something that can be repeated.
	 */
	async use<T>(act: (client: N8nClient) => Promise<T>): Promise<T> {
		for (;;) {
			const client = await this.ready;
			const { kills } = this;
			try {
				return await act(client);
			} catch (error) {
				this.signal.throwIfAborted();
				// An answer of n8n is one; anything else is nothing to wonder about after a kill.
				if (error instanceof RestError || kills === this.kills) throw error;
			}
		}
	}

	async end(): Promise<void> {
		await this.ready?.catch(() => undefined);
		// Nothing of it is needed any more.
		await this.process?.kill9();
		await rm(this.userFolder, { recursive: true, force: true });
	}

	private async launch(): Promise<N8nClient> {
		this.process = await startN8n({
			host: this.host,
			userFolder: this.userFolder,
			port: this.process?.port,
			signal: this.signal,
		});
		const client = new N8nClient(this.process.url);
		await client.signIn(this.owner);
		return client;
	}
}
