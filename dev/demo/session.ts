import { rm } from 'node:fs/promises';

import { startSandbox, type Sandbox } from '../sandbox';
import { registerEndpoint } from './addresses';
import { apiCredential, mailCredential, saveCredential } from '../n8n/rest/credentials';
import { Endings } from '../n8n/cleanupStack';
import { activateListening, loadExamples } from './examples';
import { startMailbox, type Mailbox } from './mailbox';
import type { N8nHost } from '../n8n/install/install';
import { makeUserFolder, N8nHolder, N8nInstance } from '../n8n/instance';
import { findPort } from '../n8n/process/ports';
import type { N8nProcess } from '../n8n/process/process';
import { seedHistory, type History } from './seedHistory';
import { LIVE_KEY_CREDENTIAL_NAME, TEST_KEY_CREDENTIAL_NAME } from './keyCredentials';
import { Cluster } from '../n8n/queue/cluster';

/** The ports that a person meets, taken where they are free. */
const SANDBOX_PORT = 4010;
const N8N_PORT = 5678;

/** n8n as one process, or as several with PostgreSQL and Redis. */
export type Mode = 'single' | 'queue';

interface Options {
	mode?: Mode;
	/** Whether a person uses it: then its ports are the usual ones, where they are free. */
	isForPerson?: boolean;
	n8nEnv?: NodeJS.ProcessEnv;
}

/** A fresh n8n with the examples, next to a sandbox and a mailbox that are as fresh. */
export class DemoSession extends N8nHolder {
	sandbox!: Sandbox;
	mailbox!: Mailbox;
	history!: History;
	/** Where the world reaches the production webhooks. */
	webhookUrl!: string;
	/** Resolves when n8n has exited unexpectedly, with its log file. */
	ended!: Promise<string>;
	/** File of each example -> id of its workflow. */
	workflows: Record<string, string> = {};

	private userFolder!: string;
	private readonly endings = new Endings();

	constructor(private readonly options: Options = {}) {
		super();
	}

	async startServices(host: Pick<N8nHost, 'nodeBinary'>): Promise<void> {
		this.userFolder = await makeUserFolder('demo');
		this.endings.push(async () => await rm(this.userFolder, { recursive: true, force: true }));
		const port = this.options.isForPerson ? await findPort(SANDBOX_PORT) : undefined;
		this.sandbox = await startSandbox({ port });
		this.endings.push(async () => await this.sandbox.close());
		this.history = seedHistory(this.sandbox, Date.now());
		this.mailbox = await startMailbox(host, this.userFolder);
		this.endings.push(async () => await this.mailbox.close());
	}

	/** @param onProgress called with the name of each process that is about to start */
	async startN8n(
		host: N8nHost,
		signal: AbortSignal,
		onProgress?: (part: string) => void,
	): Promise<void> {
		const { userFolder } = this;
		const { mode, isForPerson, n8nEnv: env } = this.options;
		let cluster: Cluster | undefined;
		const launchCluster = async (port: number | undefined): Promise<N8nProcess> => {
			cluster = await Cluster.start({ host, folder: userFolder, port, env, signal, onProgress });
			this.endings.push(async () => await cluster!.stop());
			return cluster.main;
		};
		this.instance = new N8nInstance({
			...{ host, userFolder, env, signal, port: isForPerson ? N8N_PORT : undefined },
			launch: mode === 'queue' ? launchCluster : undefined,
		});
		this.endings.push(async () => await this.n8n?.kill9());
		await this.instance.start();
		const { n8n } = this;
		this.webhookUrl = cluster?.front.url ?? n8n.url;
		this.ended = cluster?.ended ?? n8n.exited.then(() => n8n.logFile);
	}

	async furnish(): Promise<void> {
		const { url, keys } = this.sandbox;
		await saveCredential(this.client, apiCredential(url, keys.test, TEST_KEY_CREDENTIAL_NAME));
		await saveCredential(this.client, mailCredential(this.mailbox.smtpPort));
		const { secret } = await registerEndpoint(this.sandbox, this.webhookUrl);
		// The live key of the emulator: only there do balance and limits count. No money is real. It comes last,
		// because a new node takes the credential that was created last.
		const live = apiCredential(url, keys.live, LIVE_KEY_CREDENTIAL_NAME, secret);
		await saveCredential(this.client, live);
		this.workflows = await loadExamples(this.client);
		await activateListening(this.client, this.workflows);
	}

	async end(): Promise<void> {
		await this.endings.run();
	}
}
