import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';

import { startGroup, type ProcessGroup } from '../../../dev/n8n/process/processGroup';
import { installCached } from '../../../dev/n8n/install/cachedInstall';
import type { N8nHost } from '../../../dev/n8n/install/install';
import { runNpm } from '../../../dev/n8n/install/npm';
import { findFreePorts } from '../../../dev/n8n/process/ports';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { makeCertificate } from './certificate';
import { Detour } from './detour';
import type { Tarball } from './tarball';

/** The registry of every n8n: another one is a setting that needs a license. */
const PUBLIC_HOST = 'registry.npmjs.org';

const STOP_TIMEOUT_MS = 5_000;

/** Whether something listens on this port of this machine. */
async function accepts(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('error', () => resolve(false));
		socket.once('connect', () => {
			socket.end();
			resolve(true);
		});
	});
}

/** What is set as environment of a program for which this machine is the npm registry. */
type RegistryEnvironment = Readonly<Record<string, string>>;

/**
 * An npm registry on this machine that knows only what is published to it. Programs reach it as
 * registry.npmjs.org, through a proxy that leads nowhere else.
 */
export class Registry {
	private constructor(
		readonly folder: string,
		private readonly server: ProcessGroup,
		private readonly detour: Detour,
		/** For n8n, and for every npm that it starts. */
		readonly env: RegistryEnvironment,
	) {}

	/** @param folder everything is kept below it; it belongs to the caller */
	static async start(host: N8nHost, folder: string): Promise<Registry> {
		await mkdir(folder, { recursive: true });
		const modules = await installCached('registry', join(__dirname, 'host'));
		const { keyFile, certificateFile } = await makeCertificate(PUBLIC_HOST, folder);
		const [port] = (await findFreePorts(1)) as [number];
		const logFile = join(folder, 'registry.log');
		const config = join(folder, 'config.yaml');
		// JSON is YAML, too.
		await writeFile(
			config,
			JSON.stringify({
				storage: join(folder, 'storage'),
				https: { key: keyFile, cert: certificateFile },
				auth: { htpasswd: { file: join(folder, 'htpasswd') } },
				// No uplinks: what was not published here does not exist.
				uplinks: {},
				packages: { '**': { access: '$all', publish: '$all' } },
				publish: { allow_offline: true },
				web: { enable: false },
				log: { type: 'stdout', format: 'json', level: 'http' },
			}),
		);
		const server = await startGroup(
			host.nodeBinary,
			[
				join(modules, 'node_modules', 'verdaccio', 'bin', 'verdaccio'),
				...['--config', config, '--listen', `https://127.0.0.1:${port}`],
			],
			{
				cwd: folder,
				env: { PATH: process.env.PATH, HOME: folder },
				logFile,
				nodeBinary: host.nodeBinary,
			},
		);
		const detour = await Detour.start({ [`${PUBLIC_HOST}:443`]: port });
		const userConfig = join(folder, 'user.npmrc');
		// npm publishes only with a token; this registry takes any.
		await writeFile(userConfig, `//${PUBLIC_HOST}/:_authToken=example\n`);
		const registry = new Registry(folder, server, detour, {
			HTTPS_PROXY: detour.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificateFile,
			npm_config_cafile: certificateFile,
			npm_config_userconfig: userConfig,
			npm_config_globalconfig: join(folder, 'global.npmrc'),
			// Apart: what is published here must not stay in the npm cache of the machine.
			npm_config_cache: join(folder, 'npm-cache'),
			npm_config_update_notifier: 'false',
		});
		try {
			await waitFor(
				async () => {
					if (server.hasExited()) {
						throw new Error(`The registry ended:\n${await readFile(logFile, 'utf8')}`);
					}
					return await accepts(port);
				},
				{ what: 'the registry to listen' },
			);
		} catch (error) {
			await registry.close();
			throw error;
		}
		return registry;
	}

	private async npm(...args: string[]): Promise<string> {
		return await runNpm([...args, `--registry=https://${PUBLIC_HOST}`], {
			cwd: this.folder,
			env: { PATH: process.env.PATH, HOME: this.folder, ...this.env },
		});
	}

	/** Publishes as its maintainer would; it is then the latest version. */
	async publish({ file }: Tarball): Promise<void> {
		await this.npm('publish', file, '--tag', 'latest');
	}

	async close(): Promise<void> {
		await this.detour.close();
		await this.server.stop(STOP_TIMEOUT_MS);
	}
}
