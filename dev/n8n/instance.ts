import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { N8nHost } from './install/install';
import { installPackage } from './install/packageInstall';
import { startN8n, type N8nProcess } from './process/process';
import { makeOwner } from './rest/owner';
import { N8nClient, type Owner } from './rest/rest';

/** Starts the process of n8n that serves its editor. @param port taken where it is free */
type Launch = (port: number | undefined) => Promise<N8nProcess>;

interface InstanceOptions {
	readonly host: N8nHost;
	/** n8n keeps everything below it; see {@link makeUserFolder}. */
	readonly userFolder: string;
	readonly env?: NodeJS.ProcessEnv | undefined;
	/** The port of the first start; any free one by default. */
	readonly port?: number | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly owner?: Owner;
	/** In place of one process with the built package. */
	readonly launch?: Launch;
	/** Of a built package in place of this one. */
	readonly packageFolder?: string | undefined;
}

export abstract class N8nHolder {
	protected instance: N8nInstance | undefined;

	/** The process with the editor; in queue mode there are others. */
	get n8n(): N8nProcess {
		return this.getInstance().process;
	}

	get client(): N8nClient {
		return this.getInstance().client;
	}

	get owner(): Owner {
		return this.getInstance().owner;
	}

	protected getInstance(): N8nInstance {
		if (!this.instance) throw new Error('n8n was not started');
		return this.instance;
	}
}

/** A separate folder for one n8n. @param purpose part of its name */
export async function makeUserFolder(purpose: string): Promise<string> {
	return await mkdtemp(join(tmpdir(), `brl-payments-${purpose}-`));
}

/** A real n8n with the built package, and a client that is signed in as its owner. */
export class N8nInstance {
	readonly owner: Owner;
	private running: N8nProcess | undefined;
	private signedIn: N8nClient | undefined;

	constructor(private readonly options: InstanceOptions) {
		this.owner = options.owner ?? makeOwner();
	}

	get process(): N8nProcess {
		if (!this.running) throw new Error('n8n was not started');
		return this.running;
	}

	get client(): N8nClient {
		if (!this.signedIn) throw new Error('n8n was not started');
		return this.signedIn;
	}

	/** Starts n8n, and signs in. Started again, it is at the same address. */
	async start(): Promise<void> {
		const { launch = async (port) => await this.launchSingle(port), port } = this.options;
		this.running = await launch(this.running?.port ?? port);
		const client = new N8nClient(this.running.url);
		await client.signIn(this.owner);
		this.signedIn = client;
	}

	async crash(): Promise<void> {
		await this.running?.kill9();
		await this.start();
	}

	async stop(): Promise<void> {
		await this.running?.stop();
	}

	/** Ends n8n, and removes all that it kept. @param how at once, where nothing of it is needed any more */
	async remove(how: 'inOrder' | 'atOnce' = 'inOrder'): Promise<void> {
		await (how === 'inOrder' ? this.stop() : this.running?.kill9());
		await rm(this.options.userFolder, { recursive: true, force: true });
	}

	private async launchSingle(port: number | undefined): Promise<N8nProcess> {
		const { host, userFolder, env, signal, packageFolder } = this.options;
		if (!this.running) await installPackage(userFolder, packageFolder);
		return await startN8n({ host, userFolder, env, port, signal });
	}
}
