import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startSandbox, type Payment, type Sandbox } from '../sandbox';
import { registerEndpoint } from './addresses';
import { apiCredential, mailCredential, saveCredential } from '../n8n/rest/credentials';
import { Endings } from '../n8n/cleanupStack';
import { activateListening, forgetPayouts, loadExamples } from './examples';
import { startMailbox, type Mailbox } from './mailbox';
import type { N8nHost } from '../n8n/install/install';
import { tryLock } from '../n8n/install/lockFile';
import { makeUserFolder, N8nHolder, N8nInstance } from '../n8n/instance';
import { cacheRoot } from '../n8n/paths';
import { findPort } from '../n8n/process/ports';
import type { N8nProcess } from '../n8n/process/process';
import { keepOwner } from '../n8n/rest/owner';
import { seedPast } from './seedHistory';
import { LIVE_KEY_CREDENTIAL_NAME, TEST_KEY_CREDENTIAL_NAME } from './keyCredentials';
import { Cluster, type ClusterOptions } from '../n8n/queue/cluster';

/** The ports that a person meets, taken where they are free. */
const SANDBOX_PORT = 4010;
const N8N_PORT = 5678;

/** n8n as one process, or as several with PostgreSQL and Redis. */
export type Mode = 'single' | 'queue';

interface FreshOptions {
	mode?: Mode;
	n8nEnv?: NodeJS.ProcessEnv;
}

export class DemoSession extends N8nHolder {
	sandbox!: Sandbox;
	mailbox!: Mailbox;
	paidYesterday!: Payment;
	/** Where the world reaches the production webhooks. */
	webhookUrl!: string;
	/** Resolves when n8n has exited unexpectedly, with its log file. */
	ended!: Promise<string>;
	/** File of each example -> id of its workflow. */
	workflows: Record<string, string> = {};

	private readonly endings = new Endings();

	private cluster: Cluster | undefined;

	private constructor(
		readonly userFolder: string,
		private readonly isKept: boolean,
		private readonly mode: Mode,
		private readonly n8nEnv: NodeJS.ProcessEnv = {},
	) {
		super();
	}

	/** For a person: always the same n8n, so that its second start takes seconds. */
	static async kept(mode: Mode = 'single'): Promise<DemoSession> {
		const folder = join(cacheRoot(), mode === 'queue' ? 'demo-queue' : 'demo');
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const lock = await tryLock(join(folder, 'demo.lock'));
		if (!lock) throw new Error('The demo is running already.');
		const session = new DemoSession(folder, true, mode);
		session.endings.push(lock);
		return session;
	}

	static async fresh({ mode = 'single', n8nEnv }: FreshOptions = {}): Promise<DemoSession> {
		const folder = await makeUserFolder('demo');
		const session = new DemoSession(folder, false, mode, n8nEnv);
		session.endings.push(async () => await rm(folder, { recursive: true, force: true }));
		return session;
	}

	async startServices(host: Pick<N8nHost, 'nodeBinary'>): Promise<void> {
		const port = this.isKept ? await findPort(SANDBOX_PORT) : undefined;
		this.sandbox = await startSandbox({ port });
		this.endings.push(async () => await this.sandbox.close());
		this.paidYesterday = seedPast(this.sandbox, Date.now());
		this.mailbox = await startMailbox(host, this.userFolder);
		this.endings.push(async () => await this.mailbox.close());
	}

	/** @param onProgress called with the name of each process that is about to start */
	async startN8n(
		host: N8nHost,
		signal: AbortSignal,
		onProgress?: (part: string) => void,
	): Promise<void> {
		const { userFolder, n8nEnv: env } = this;
		const launch = async (port: number | undefined) =>
			await this.launchCluster({ host, folder: userFolder, port, env, signal, onProgress });
		const instance = new N8nInstance({
			...{ host, userFolder, env, signal, owner: await keepOwner(userFolder) },
			port: this.isKept ? N8N_PORT : undefined,
			...(this.mode === 'queue' && { launch }),
		});
		this.instance = instance;
		// A cluster ends its processes itself.
		if (this.mode === 'single') this.endings.push(async () => await instance.stop());
		await instance.start();
		const { n8n } = this;
		this.webhookUrl = this.cluster?.front.url ?? n8n.url;
		this.ended = this.cluster?.ended ?? n8n.exited.then(() => n8n.logFile);
	}

	async furnish(): Promise<void> {
		const { url, keys } = this.sandbox;
		await saveCredential(this.client, apiCredential(url, keys.test, TEST_KEY_CREDENTIAL_NAME));
		await saveCredential(this.client, mailCredential(this.mailbox.smtpPort));
		// The sandbox knows no endpoint when it starts, so each start has another secret.
		const { secret } = await registerEndpoint(this.sandbox, this.webhookUrl);
		// The live key of the emulator: only there do balance and limits count. No money is real. It comes last,
		// because a new node takes the credential that was created last.
		const live = apiCredential(url, keys.live, LIVE_KEY_CREDENTIAL_NAME, secret);
		await saveCredential(this.client, live);
		this.workflows = await loadExamples(this.client, this.userFolder);
		if (this.isKept) await forgetPayouts(this.client);
		await activateListening(this.client, this.userFolder);
	}

	private async launchCluster(options: ClusterOptions): Promise<N8nProcess> {
		const cluster = await Cluster.start({ ...options, isKept: this.isKept });
		this.endings.push(async () => await cluster.stop());
		this.cluster = cluster;
		return cluster.main;
	}

	async end(): Promise<void> {
		await this.endings.run();
	}
}
