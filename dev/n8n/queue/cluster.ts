import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { Endings } from '../cleanupStack';
import type { N8nHost } from '../install/install';
import { installPackage } from '../install/packageInstall';
import { isReady, startN8n, type N8nProcess, type Role } from '../process/process';
import { waitFor } from '../process/waitFor';
import { queueEnvironment } from './environment';
import { openFront, type Front } from './front';
import { startPostgres, type Postgres } from './postgres';
import { startRedis } from './redis';
import type { Server } from './server';
import { findSystemTools } from './systemTools';

export interface ClusterOptions {
	host: N8nHost;
	/** All that n8n and Redis keep is below it, and relative paths of files begin here. */
	folder: string;
	/** Port of the main process, taken where it is free; without it any free port. */
	port?: number | undefined;
	/** More environment variables for every process of n8n, which win. */
	env?: NodeJS.ProcessEnv | undefined;
	postgresEnv?: NodeJS.ProcessEnv | undefined;
	signal?: AbortSignal;
	/** Called with the name of each part that is about to start. */
	onProgress?: ((part: string) => void) | undefined;
}

const WEBHOOKS = ['webhook-1', 'webhook-2'] as const;
export const WORKERS = ['worker-1', 'worker-2'] as const;

export type Worker = (typeof WORKERS)[number];
type Member = 'main' | (typeof WEBHOOKS)[number] | Worker;

const ROLES: Readonly<Record<Member, Role>> = {
	main: 'start',
	'webhook-1': 'webhook',
	'webhook-2': 'webhook',
	'worker-1': 'worker',
	'worker-2': 'worker',
};

export class Cluster {
	redis!: Server;
	postgres!: Postgres;
	front!: Front;
	private readonly members = new Map<Member, N8nProcess>();
	private readonly endings = new Endings();
	private environment: NodeJS.ProcessEnv = {};

	private constructor(private readonly options: ClusterOptions) {}

	/** Starts all of it, one after the other: each process of n8n takes a core for some seconds. */
	static async start(options: ClusterOptions): Promise<Cluster> {
		const cluster = new Cluster(options);
		try {
			await cluster.startServers();
			for (const name of Object.keys(ROLES) as Member[]) await cluster.startMember(name);
			return cluster;
		} catch (error) {
			await cluster.stop();
			throw error;
		}
	}

	private async startServers(): Promise<void> {
		const { host, folder, env, postgresEnv, onProgress } = this.options;
		const tools = await findSystemTools();
		onProgress?.('PostgreSQL and Redis');
		this.postgres = await startPostgres(tools.postgresBin, host.nodeBinary, postgresEnv);
		this.endings.push(async () => await this.postgres.remove());
		this.redis = await startRedis(tools.redisBin, join(folder, 'redis'), host.nodeBinary);
		this.endings.push(async () => await this.redis.kill9());
		this.front = await openFront(() => ({
			main: this.main.url,
			webhooks: this.webhooks.map(({ url }) => url),
		}));
		this.endings.push(async () => await this.front.close());
		this.environment = {
			...queueEnvironment(this.front.url, this.postgres, this.redis, folder),
			...env,
		};
	}

	/**
	 * Starts a process of n8n, again on its port where it has run before.
	 * @param env more environment variables for this process alone, which win
	 */
	async startMember(name: Member, env: NodeJS.ProcessEnv = {}): Promise<void> {
		const { host, folder, port, signal, onProgress } = this.options;
		onProgress?.(`n8n ${name}`);
		const userFolder = join(folder, name);
		const before = this.members.get(name);
		if (!before) {
			await mkdir(userFolder, { recursive: true, mode: 0o700 });
			await installPackage(userFolder);
		}
		const member = await startN8n({
			host,
			role: ROLES[name],
			userFolder,
			workingFolder: folder,
			port: before?.port ?? (name === 'main' ? port : undefined),
			env: { ...this.environment, ...env },
			signal,
		});
		this.members.set(name, member);
		if (!before) this.endings.push(async () => await this.member(name).kill9());
	}

	async untilReady(): Promise<void> {
		await waitFor(
			async () => {
				const ready = await Promise.all(
					[...this.members.values()].map(async ({ url, role }) => await isReady(url, role)),
				);
				return ready.every(Boolean);
			},
			{ what: 'every process of n8n to be ready' },
		);
	}

	member(name: Member): N8nProcess {
		const found = this.members.get(name);
		if (found) return found;
		throw new Error(`${name} has not been started.`);
	}

	/** Editor and REST interface; no production webhook. */
	get main(): N8nProcess {
		return this.member('main');
	}

	get webhooks(): N8nProcess[] {
		return WEBHOOKS.map((name) => this.member(name));
	}

	/** Resolves when a process of n8n has exited unexpectedly, with its log file. */
	get ended(): Promise<string> {
		return Promise.race(
			[...this.members.values()].map(async ({ exited, logFile }) => {
				await exited;
				return logFile;
			}),
		);
	}

	/** Ends all of it at once, and removes what PostgreSQL kept. */
	async stop(): Promise<void> {
		await this.endings.run();
	}
}
