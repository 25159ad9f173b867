import { rm } from 'node:fs/promises';

import type { N8nHost } from '../n8n/install/install';
import { Cluster, WORKERS } from '../n8n/queue/cluster';
import { makeOwner } from '../n8n/rest/owner';
import { N8nClient, RestError } from '../n8n/rest/rest';
import { UnstableN8n } from './crashingN8n';

const VICTIMS = ['a worker', 'Redis', 'PostgreSQL'] as const;

/** After all parts are back, n8n still finds that its connections to them are broken. */
const SETTLES_MS = 30_000;

/**
 * An n8n on two workers, with PostgreSQL and Redis, of which one part at a time is killed with -9 and
 * started again on the same data.
 */
export class CrashingCluster extends UnstableN8n {
	private cluster!: Cluster;
	protected client!: N8nClient;
	/** When all parts were there again, epoch ms. */
	private backAt = 0;

	constructor(
		private readonly host: N8nHost,
		private readonly folder: string,
		signal: AbortSignal,
		/** Environment variables that give n8n and PostgreSQL the clock of the campaign. */
		private readonly clockEnv: NodeJS.ProcessEnv,
	) {
		super(signal);
	}

	async start(): Promise<void> {
		const { host, folder, signal, clockEnv } = this;
		this.cluster = await Cluster.start({
			host,
			folder,
			signal,
			env: clockEnv,
			postgresEnv: clockEnv,
		});
		this.client = new N8nClient(this.cluster.main.url);
		await this.client.signIn(makeOwner());
	}

	get url(): string {
		return this.cluster.front.url;
	}

	get victims(): string[] {
		return Array.from({ length: this.kills }, (_value, index) => VICTIMS[index % VICTIMS.length]!);
	}

	protected async killAndStart(): Promise<void> {
		const victim = this.victims.at(-1)!;
		const { cluster } = this;
		if (victim === 'a worker') {
			const worker = WORKERS[Math.floor(this.kills / VICTIMS.length) % WORKERS.length]!;
			await cluster.member(worker).kill9();
			await cluster.startMember(worker);
		} else {
			const server = victim === 'Redis' ? cluster.redis : cluster.postgres;
			await server.kill9();
			await server.start();
		}
		await cluster.untilReady();
		this.backAt = Date.now();
	}

	/** While a part is missing, n8n responds too, with errors of its own. */
	protected isExpected(error: unknown, kills: number): boolean {
		const isRefused = error instanceof RestError && error.status < 500;
		const isSettled = kills === this.kills && Date.now() - this.backAt > SETTLES_MS;
		return !isRefused && !isSettled;
	}

	protected async remove(): Promise<void> {
		await this.cluster?.stop();
		await rm(this.folder, { recursive: true, force: true });
	}
}
