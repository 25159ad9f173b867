import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../sandbox';
import {
	apiCredential,
	API_CREDENTIAL_NAME,
	mailCredential,
	saveCredential,
	webhookCredential,
} from './credentials';
import { activateListening, loadExamples } from './examples';
import { startMailbox, type Mailbox } from './mailbox';
import type { N8nHost } from './n8n/install';
import { tryLock } from './n8n/lockFile';
import { installPackage } from './n8n/packageInstall';
import { cacheRoot } from './n8n/paths';
import { findPort } from './n8n/ports';
import { startN8n, type N8nProcess } from './n8n/process';
import { N8nClient, type Owner } from './n8n/rest';
import { registerEndpoint } from './notification';
import { keepOwner } from './owner';

/** The ports that a person meets, taken where they are free. */
const SANDBOX_PORT = 4010;
const N8N_PORT = 5678;

/** Everything that one demo has running, and the way to end it. */
export class DemoSession {
	sandbox!: Sandbox;
	mailbox!: Mailbox;
	n8n!: N8nProcess;
	client!: N8nClient;
	owner!: Owner;
	/** File of each example -> id of its workflow. */
	workflows: Record<string, string> = {};

	/** What has to be ended, the latest first. */
	private readonly endings: Array<() => Promise<void>> = [];

	private constructor(
		readonly userFolder: string,
		private readonly usualPorts: boolean,
		private readonly n8nEnv: NodeJS.ProcessEnv = {},
	) {}

	/** For a person: always the same n8n, so that its second start takes seconds. */
	static async kept(): Promise<DemoSession> {
		const folder = join(cacheRoot(), 'demo');
		await mkdir(folder, { recursive: true, mode: 0o700 });
		const lock = await tryLock(join(folder, 'demo.lock'));
		if (typeof lock !== 'function') {
			throw new Error(`The demo is running already, as process ${lock.heldBy}.`);
		}
		const session = new DemoSession(folder, true);
		session.endings.push(lock);
		return session;
	}

	/** For a check: a fresh n8n, with these settings on top, that leaves nothing behind. */
	static async fresh(n8nEnv?: NodeJS.ProcessEnv): Promise<DemoSession> {
		const folder = await mkdtemp(join(tmpdir(), 'brl-payments-demo-'));
		const session = new DemoSession(folder, false, n8nEnv);
		session.endings.push(async () => await rm(folder, { recursive: true, force: true }));
		return session;
	}

	async startServices(host: N8nHost): Promise<void> {
		const port = this.usualPorts ? await findPort(SANDBOX_PORT) : undefined;
		this.sandbox = await startSandbox({ port });
		this.endings.push(async () => await this.sandbox.close());
		this.mailbox = await startMailbox(host, this.userFolder);
		this.endings.push(async () => await this.mailbox.close());
	}

	async startN8n(host: N8nHost, signal: AbortSignal): Promise<void> {
		const { userFolder } = this;
		await installPackage(userFolder);
		const port = this.usualPorts ? N8N_PORT : undefined;
		this.n8n = await startN8n({ host, userFolder, port, signal, env: this.n8nEnv });
		this.endings.push(async () => await this.n8n.stop());
	}

	async furnish(): Promise<void> {
		this.client = new N8nClient(this.n8n.url);
		this.owner = await keepOwner(this.userFolder);
		await this.client.signIn(this.owner);
		const { url, keys } = this.sandbox;
		// The live key of the emulator: only there do balance and limits count. No money is real.
		await saveCredential(this.client, apiCredential(url, keys.live));
		await saveCredential(
			this.client,
			apiCredential(url, keys.test, `${API_CREDENTIAL_NAME} (test key)`),
		);
		await saveCredential(this.client, mailCredential(this.mailbox.smtpPort));
		// The sandbox knows no endpoint when it starts, so each start has another secret.
		const { secret } = await registerEndpoint(this.sandbox, this.n8n.url);
		await saveCredential(this.client, webhookCredential(secret));
		this.workflows = await loadExamples(this.client, this.userFolder);
		await activateListening(this.client, this.userFolder);
	}

	/** Ends what was started, in reverse order; may be called at any time and more than once. */
	async end(): Promise<void> {
		const failures: unknown[] = [];
		for (let ending = this.endings.pop(); ending; ending = this.endings.pop()) {
			// One thing that does not end must not keep the others running.
			await ending().catch((error: unknown) => failures.push(error));
		}
		if (failures.length > 0) throw failures[0];
	}
}
