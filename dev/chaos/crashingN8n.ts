import type { N8nHost } from '../n8n/install/install';
import { N8nInstance } from '../n8n/instance';
import { RestError, type N8nClient } from '../n8n/rest/rest';

/** An n8n that parts of are killed while people use it. */
export interface UnstableN8n {
	/** How often something was killed. */
	readonly kills: number;
	/** What was killed, in order. */
	readonly victims: readonly string[];
	/** Where production webhooks are. */
	readonly url: string;
	start(): Promise<void>;
	/** A power cut of a part, and its restart; resolves when everything is back. */
	crash(): Promise<void>;
	/**
	 * What a person does at the screen: waits while n8n is down, and does it again when n8n went down
	 * in between. `act` must therefore be something that can be repeated.
	 */
	use<T>(act: (client: N8nClient) => Promise<T>): Promise<T>;
	end(): Promise<void>;
}

/** A real n8n that is killed with -9 and started again on the same database, as after a power cut. */
export class CrashingN8n implements UnstableN8n {
	kills = 0;
	private readonly instance: N8nInstance;
	/** Settles when n8n can be used; a fresh one while it is down. */
	private ready: Promise<void> = Promise.resolve();

	/**
	 * @param env more environment variables for n8n
	 * @param prepare called after the package is installed, and before n8n loads it
	 */
	constructor(
		host: N8nHost,
		userFolder: string,
		private readonly signal: AbortSignal,
		env?: NodeJS.ProcessEnv,
		prepare?: () => Promise<void>,
	) {
		this.instance = new N8nInstance({ host, userFolder, signal, env, ...(prepare && { prepare }) });
	}

	async start(): Promise<void> {
		this.ready = this.instance.start();
		await this.ready;
	}

	get url(): string {
		return this.instance.process.url;
	}

	async crash(): Promise<void> {
		this.kills += 1;
		this.ready = this.instance.crash();
		await this.ready;
	}

	get victims(): string[] {
		return Array.from({ length: this.kills }, () => 'n8n');
	}

	async use<T>(act: (client: N8nClient) => Promise<T>): Promise<T> {
		for (;;) {
			await this.ready;
			const { kills } = this;
			try {
				return await act(this.instance.client);
			} catch (error) {
				this.signal.throwIfAborted();
				// A response of n8n is a real error; anything else is expected after a kill.
				if (error instanceof RestError || kills === this.kills) throw error;
			}
		}
	}

	async end(): Promise<void> {
		await this.ready.catch(() => undefined);
		await this.instance.remove('atOnce');
	}
}
