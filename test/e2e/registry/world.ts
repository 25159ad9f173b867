import { join } from 'node:path';

import { ensureN8nInstalled } from '../../../dev/n8n/install/install';
import { makeUserFolder } from '../../../dev/n8n/instance';
import { startN8n, type N8nProcess } from '../../../dev/n8n/process/process';
import { startSandbox } from '../../../dev/sandbox';
import { N8nTestEnv } from '../support/n8nTestEnv';
import { Registry } from './registry';

/** An n8n that has not heard of this package yet, next to an npm registry that will have it. */
export class RegistryWorld extends N8nTestEnv {
	registry!: Registry;

	constructor() {
		// As n8n comes, where other tests keep it from asking for what is on the internet.
		super({ N8N_VERIFIED_PACKAGES_ENABLED: 'true' });
	}

	override async start(): Promise<void> {
		this.host = await ensureN8nInstalled();
		this.folder = await makeUserFolder('registry');
		this.registry = await Registry.start(this.host, join(this.folder, 'registry'));
		this.sandbox = await startSandbox({ speed: 10 });
		await this.startN8n();
	}

	protected override readonly launch = async (): Promise<N8nProcess> => {
		const { host, folder, env, registry } = this;
		return await startN8n({ host, userFolder: folder, env: { ...env, ...registry.env } });
	};

	override async end(): Promise<void> {
		await this.registry?.close();
		await super.end();
	}
}
