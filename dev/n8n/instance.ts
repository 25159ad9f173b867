import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { N8nHost } from './install/install';
import { installPackage } from './install/packageInstall';
import { startN8n, type N8nProcess } from './process/process';
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
	/** In place of one process with the built package. */
	readonly launch?: Launch | undefined;
	/** Of a built package in place of this one. */
	readonly packageFolder?: string | undefined;
}

/** A separate folder for one n8n. @param purpose part of its name */
export async function makeUserFolder(purpose: string): Promise<string> {
	return await mkdtemp(join(tmpdir(), `brl-payments-${purpose}-`));
}

/** With a password that n8n accepts: letters of both cases and digits, at most 64 characters. */
export function makeOwner(): Owner {
	return {
		email: 'owner@demo.example',
		password: `Demo1-${randomBytes(12).toString('base64url')}`,
		firstName: 'Demo',
		lastName: 'Owner',
	};
}

/** A real n8n with the built package, and a client that is signed in as its owner. */
export class N8nInstance {
	readonly owner = makeOwner();
	/** The process with the editor; in queue mode there are others. */
	process!: N8nProcess;
	client!: N8nClient;

	constructor(private readonly options: InstanceOptions) {}

	/** Starts n8n, and signs in. Started again, it is at the same address. */
	async start(): Promise<void> {
		const { launch = async (port) => await this.launchSingle(port), port } = this.options;
		this.process = await launch(this.process?.port ?? port);
		this.client = new N8nClient(this.process.url);
		await this.client.signIn(this.owner);
	}

	async crash(): Promise<void> {
		await this.process.kill9();
		await this.start();
	}

	/** Ends n8n at once, and removes all that it kept. */
	async remove(): Promise<void> {
		await this.process?.kill9();
		await rm(this.options.userFolder, { recursive: true, force: true });
	}

	private async launchSingle(port: number | undefined): Promise<N8nProcess> {
		const { host, userFolder, env, signal, packageFolder } = this.options;
		if (!this.process) await installPackage(userFolder, packageFolder);
		return await startN8n({ host, userFolder, env, port, signal });
	}
}

/** What has one n8n. */
export abstract class N8nHolder {
	protected instance!: N8nInstance;

	get n8n(): N8nProcess {
		return this.instance.process;
	}

	get client(): N8nClient {
		return this.instance.client;
	}

	get owner(): Owner {
		return this.instance.owner;
	}
}
