import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nHost } from '../n8n/install/install';
import { N8nInstance } from '../n8n/instance';
import { RestError, type N8nClient } from '../n8n/rest/rest';

/** An n8n that parts of are killed while people use it. */
export abstract class UnstableN8n {
	kills = 0;
	/** Settles when n8n can be used; a fresh one while a part is down. */
	protected ready: Promise<void> = Promise.resolve();

	constructor(protected readonly signal: AbortSignal) {}

	abstract readonly victims: readonly string[];
	/** Where production webhooks are. */
	abstract readonly url: string;
	protected abstract readonly client: N8nClient;
	abstract start(): Promise<void>;
	protected abstract killAndStart(): Promise<void>;
	/** Whether this is to be expected after a kill. @param kills before what failed */
	protected abstract isExpected(error: unknown, kills: number): boolean;
	protected abstract remove(): Promise<void>;

	/** A power cut of a part, and its restart; resolves when everything is back. */
	async crash(): Promise<void> {
		this.kills += 1;
		this.ready = this.killAndStart();
		await this.ready;
	}

	/**
	 * What a person does at the screen: waits while n8n is down, and does it again when n8n went down
	 * in between. `act` must therefore be something that can be repeated.
	 */
	async use<T>(act: (client: N8nClient) => Promise<T>): Promise<T> {
		for (;;) {
			await this.ready;
			const { kills } = this;
			try {
				return await act(this.client);
			} catch (error) {
				this.signal.throwIfAborted();
				if (!this.isExpected(error, kills)) throw error;
				await sleep(AGAIN_MS);
			}
		}
	}

	async end(): Promise<void> {
		await this.ready.catch(() => undefined);
		await this.remove();
	}
}

/** Between two attempts of a person to use an n8n that misses a part. */
const AGAIN_MS = 500;

/** A real n8n that is killed with -9 and started again on the same database, as after a power cut. */
export class CrashingN8n extends UnstableN8n {
	private readonly instance: N8nInstance;

	/**
	 * @param env more environment variables for n8n
	 * @param prepare called after the package is installed, and before n8n loads it
	 */
	constructor(
		host: N8nHost,
		userFolder: string,
		signal: AbortSignal,
		env?: NodeJS.ProcessEnv,
		prepare?: () => Promise<void>,
	) {
		super(signal);
		this.instance = new N8nInstance({ host, userFolder, signal, env, ...(prepare && { prepare }) });
	}

	async start(): Promise<void> {
		await this.instance.start();
	}

	get url(): string {
		return this.instance.process.url;
	}

	protected get client(): N8nClient {
		return this.instance.client;
	}

	get victims(): string[] {
		return Array.from({ length: this.kills }, () => 'n8n');
	}

	protected async killAndStart(): Promise<void> {
		await this.instance.crash();
	}

	/** A response of n8n is a real error. */
	protected isExpected(error: unknown, kills: number): boolean {
		return !(error instanceof RestError) && kills !== this.kills;
	}

	protected async remove(): Promise<void> {
		await this.instance.remove('atOnce');
	}
}
