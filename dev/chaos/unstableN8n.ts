import { setTimeout as sleep } from 'node:timers/promises';

import type { N8nHost } from '../n8n/install/install';
import { makeOwner, N8nInstance } from '../n8n/instance';
import { Cluster, type Worker } from '../n8n/queue/cluster';
import { N8nClient, RestError } from '../n8n/rest/rest';

/** An n8n of one process, or of several with their servers. */
interface Parts {
	readonly client: N8nClient;
	/** Where production webhooks are. */
	readonly url: string;
	/** Kills one part with -9, as a power cut would, and starts it again on the same data. @returns its name */
	crash(kill: number): Promise<string>;
	/** Ends what runs. */
	remove(): Promise<void>;
}

/** Between two attempts of a person to use an n8n that misses a part. */
const AGAIN_MS = 500;

/** After all parts are back, n8n still finds that its connections to them are broken. */
const SETTLES_MS = 30_000;

/** An n8n that parts of are killed while people use it. */
export class UnstableN8n {
	/** The parts that were killed, in order. */
	readonly victims: string[] = [];
	kills = 0;
	/** Settles when n8n can be used; a fresh one while a part is down. */
	private ready: Promise<void> = Promise.resolve();
	/** When all parts were there again, epoch ms. */
	private backAt = 0;

	constructor(
		private readonly parts: Parts,
		private readonly signal: AbortSignal,
	) {}

	get url(): string {
		return this.parts.url;
	}

	/** Resolves when everything is back. */
	async crash(): Promise<void> {
		this.kills += 1;
		this.ready = this.parts.crash(this.kills).then((victim) => {
			this.victims.push(victim);
			this.backAt = Date.now();
		});
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
				return await act(this.parts.client);
			} catch (error) {
				this.signal.throwIfAborted();
				// While a part is missing, n8n responds too, with errors of its own.
				const isRefused = error instanceof RestError && error.status < 500;
				const isSettled = kills === this.kills && Date.now() - this.backAt > SETTLES_MS;
				if (isRefused || isSettled) throw error;
				await sleep(AGAIN_MS);
			}
		}
	}

	async end(): Promise<void> {
		await this.ready.catch(() => undefined);
		await this.parts.remove();
	}
}

/** @param packageFolder see `N8nInstance` */
export async function startSingle(
	host: N8nHost,
	userFolder: string,
	signal: AbortSignal,
	env: NodeJS.ProcessEnv,
	packageFolder?: string,
): Promise<Parts> {
	const instance = new N8nInstance({ host, userFolder, signal, env, packageFolder });
	await instance.start();
	return {
		get client() {
			return instance.client;
		},
		get url() {
			return instance.process.url;
		},
		async crash() {
			await instance.crash();
			return 'n8n';
		},
		remove: async () => await instance.remove(),
	};
}

/** @param env gives n8n and PostgreSQL the clock of the campaign */
export async function startQueue(
	host: N8nHost,
	folder: string,
	signal: AbortSignal,
	env: NodeJS.ProcessEnv,
): Promise<Parts> {
	const cluster = await Cluster.start({ host, folder, signal, env, postgresEnv: env });
	const client = new N8nClient(cluster.main.url);
	await client.signIn(makeOwner());
	const worker = (name: Worker) => ({
		kill9: async () => await cluster.member(name).kill9(),
		start: async () => await cluster.startMember(name),
	});
	const victims = Object.entries({
		'worker-1': worker('worker-1'),
		Redis: cluster.redis,
		'worker-2': worker('worker-2'),
		PostgreSQL: cluster.postgres,
	});
	return {
		client,
		url: cluster.front.url,
		async crash(kill) {
			const [name, victim] = victims[(kill - 1) % victims.length]!;
			await victim.kill9();
			await victim.start();
			await cluster.untilReady();
			return name;
		},
		remove: async () => await cluster.stop(),
	};
}
