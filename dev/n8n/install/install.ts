import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { lock } from 'proper-lockfile';

import { runNpm } from './npm';
import { cacheRoot, hostManifestFolder } from '../paths';
import { runCommand } from '../process/runCommand';
import { waitFor } from '../process/waitFor';

/** An installed n8n and the Node.js it runs on. Everything starts n8n through these two paths. */
export interface N8nHost {
	folder: string;
	/** Node 24 from the same folder: n8n refuses the Node 20 that the machine may have. */
	nodeBinary: string;
	n8nScript: string;
}

interface InstallOptions {
	onProgress?: (text: string) => void;
	signal?: AbortSignal;
}

/** How long a user has to wait, and how much space it takes, once for each n8n. */
export const INSTALLATION_TAKES = '5 to 7 minutes on two cores, 3 GB';

/** The two packages that do not work without their install script, in the order they need. */
const PACKAGES_TO_BUILD = ['node', 'sqlite3'] as const;

function describeHost(folder: string): N8nHost {
	const modules = join(folder, 'node_modules');
	return {
		folder,
		nodeBinary: join(modules, 'node', 'bin', 'node'),
		n8nScript: join(modules, 'n8n', 'bin', 'n8n'),
	};
}

/** The Node 24 headers that came with the `node` package: building then needs no download. */
async function findNodeHeaders(folder: string): Promise<string | undefined> {
	const inner = join(folder, 'node_modules', 'node', 'node_modules');
	for (const entry of await readdir(inner).catch(() => [])) {
		const candidate = join(inner, entry);
		if (existsSync(join(candidate, 'include', 'node', 'node_api.h'))) return candidate;
	}
	return undefined;
}

/**
 * Fills `folder` with n8n. Install scripts run for two packages only, named here: npm 11 would honor
 * the list in the manifest, npm 10 would run all of them, and some fail.
 */
async function installInto(
	folder: string,
	{ onProgress = () => {}, signal }: InstallOptions,
): Promise<void> {
	onProgress('installing');
	const ci = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
	await runNpm(ci, { cwd: folder, signal });
	for (const name of PACKAGES_TO_BUILD) {
		onProgress(`building ${name}`);
		const headers = await findNodeHeaders(folder);
		const env = headers ? { ...process.env, npm_config_nodedir: headers } : process.env;
		const rebuild = ['rebuild', name, '--ignore-scripts=false', '--foreground-scripts'];
		await runNpm(rebuild, { cwd: folder, env, signal });
	}
	await runCommand(describeHost(folder).nodeBinary, ['-e', 'require("sqlite3")'], {
		cwd: folder,
		timeoutMs: 30_000,
	});
}

/** Fills a folder next to the final place, and moves it there at once: an interrupted run leaves nothing there. */
async function installAt(folder: string, options: InstallOptions): Promise<void> {
	const fresh = `${folder}.installing`;
	await rm(fresh, { recursive: true, force: true });
	await cp(hostManifestFolder(), fresh, { recursive: true });
	await installInto(fresh, options);
	await rename(fresh, folder);
}

/** A lock of a process that died, or slept, may be taken over after this time. */
const STALE_MS = 5_000;

/**
 * Takes a lock file, which saves the work of installing twice.
 * @returns what releases it; undefined where another process has it
 */
async function tryLock(lockfilePath: string): Promise<(() => Promise<void>) | undefined> {
	const options = {
		lockfilePath,
		realpath: false,
		stale: STALE_MS,
		onCompromised: () => undefined,
	};
	return await lock(lockfilePath, options).catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ELOCKED') return undefined;
		throw error;
	});
}

/**
 * Returns the installed n8n; installs it into the cache folder first where it is missing, once for each lock file
 * of npm, which takes {@link INSTALLATION_TAKES}.
 */
export async function ensureN8nInstalled(options: InstallOptions = {}): Promise<N8nHost> {
	const manifest = await readFile(join(hostManifestFolder(), 'package-lock.json'));
	const hash = createHash('sha256').update(manifest).digest('hex').slice(0, 16);
	const folder = join(cacheRoot(), `n8n-${hash}`);
	if (existsSync(folder)) return describeHost(folder);
	await mkdir(cacheRoot(), { recursive: true });
	const release = await waitFor(
		async () => {
			const taken = await tryLock(`${folder}.lock`);
			if (!taken) options.onProgress?.('waiting: another process is installing it');
			return taken;
		},
		{ what: 'the other installation', timeoutMs: 30 * 60_000, pollMs: 500, signal: options.signal },
	);
	try {
		// Another process may have installed it while this one was waiting.
		if (!existsSync(folder)) await installAt(folder, options);
	} finally {
		await release();
	}
	return describeHost(folder);
}
