import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { exists, readJson } from './files';
import { withLock } from './lockFile';
import { runNpm } from './npm';
import { hostFolder, hostManifestFolder } from '../paths';
import { runCommand, tryCommand } from '../process/runCommand';

/** An installed n8n and the Node.js it runs on. Everything starts n8n through these two paths. */
export interface N8nHost {
	folder: string;
	/** Node 24 from the same folder: n8n refuses the Node 20 that the machine may have. */
	nodeBinary: string;
	/** n8n's entry script. */
	n8nScript: string;
}

interface InstallOptions {
	/** Receives progress in a few words, several times a second. */
	onProgress?: (text: string) => void;
	signal?: AbortSignal;
}

/** How long a user has to wait, and how much space it takes, once for each n8n. */
export const INSTALLATION_TAKES = '5 to 7 minutes on two cores, 3 GB';

/** Written last: a folder without it may be half an installation. */
const MARKER = '.complete.json';

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

/** The versions that the manifest asks for, exact by construction. */
async function wantedVersions(): Promise<{ n8n: string; node: string }> {
	const manifest = await readJson<{ dependencies: { n8n: string; node: string } }>(
		join(hostManifestFolder(), 'package.json'),
	);
	return manifest.dependencies;
}

/** What is wrong with an installation; undefined where it works. Starts Node 24, about 0.2 s. */
async function findFault(host: N8nHost): Promise<string | undefined> {
	const wanted = await wantedVersions();
	if (!(await exists(host.n8nScript))) return 'n8n is not there';
	const { version } = await readJson<{ version: string }>(
		join(host.folder, 'node_modules', 'n8n', 'package.json'),
	);
	if (version !== wanted.n8n) return `n8n is ${version}, not ${wanted.n8n}`;
	if (!(await exists(host.nodeBinary))) return 'its Node.js is not there';
	const { code, output } = await tryCommand(
		host.nodeBinary,
		['-e', 'require("sqlite3"); console.log(process.version)'],
		{ cwd: host.folder, timeoutMs: 30_000 },
	);
	if (code !== 0) return `sqlite3 cannot be loaded: ${output.trim().split('\n').at(-1)}`;
	if (output.trim() !== `v${wanted.node}`) return `its Node.js is ${output.trim()}`;
	return undefined;
}

async function writeMarker(folder: string): Promise<void> {
	await writeFile(join(folder, MARKER), `${JSON.stringify(await wantedVersions())}\n`);
}

/** The installation where it is complete, an earlier one without a marker included. */
async function findN8n(folder = hostFolder()): Promise<N8nHost | undefined> {
	const host = describeHost(folder);
	if (await exists(join(folder, MARKER))) {
		if ((await exists(host.n8nScript)) && (await exists(host.nodeBinary))) return host;
		return undefined;
	}
	if ((await exists(folder)) && (await findFault(host)) === undefined) {
		await writeMarker(folder);
		return host;
	}
	return undefined;
}

/** Counts what npm has unpacked so far: with its output in a pipe, npm itself says nothing. */
async function countPackages(modules: string): Promise<number> {
	const entries = await readdir(modules).catch(() => []);
	let count = 0;
	for (const entry of entries) {
		if (entry.startsWith('.')) continue;
		count += entry.startsWith('@')
			? (await readdir(join(modules, entry)).catch(() => [])).length
			: 1;
	}
	return count;
}

async function countWantedPackages(folder: string): Promise<number> {
	const lock = await readJson<{ packages: Record<string, unknown> }>(
		join(folder, 'package-lock.json'),
	);
	// Packages inside other packages are not counted on disk either.
	return Object.keys(lock.packages).filter((path) =>
		/^node_modules\/(?!.*\/node_modules\/)/.test(path),
	).length;
}

/** Calls `report` with the elapsed time while `work` is going on. */
async function withClock<T>(
	work: Promise<T>,
	report: (elapsed: string) => void | Promise<void>,
): Promise<T> {
	const start = Date.now();
	const timer = setInterval(() => {
		const seconds = Math.round((Date.now() - start) / 1000);
		void report(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`);
	}, 1000);
	try {
		return await work;
	} finally {
		clearInterval(timer);
	}
}

/** The Node 24 headers that came with the `node` package: building then needs no download. */
async function findNodeHeaders(folder: string): Promise<string | undefined> {
	const inner = join(folder, 'node_modules', 'node', 'node_modules');
	for (const entry of await readdir(inner).catch(() => [])) {
		const candidate = join(inner, entry);
		if (await exists(join(candidate, 'include', 'node', 'node_api.h'))) return candidate;
	}
	return undefined;
}

/**
 * Fills `folder` with n8n. Install scripts run for two packages only, named here: npm 11 would honor
 * the list in the manifest, npm 10 would run all of them, and some fail.
 */
async function installInto(
	folder: string,
	{ onProgress = () => {}, signal }: InstallOptions = {},
): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(join(hostManifestFolder(), file), join(folder, file));
	}

	const wanted = await countWantedPackages(folder);
	await withClock(
		runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
			cwd: folder,
			signal,
		}),
		async (elapsed) => {
			const count = await countPackages(join(folder, 'node_modules'));
			onProgress(`${Math.min(count, wanted)} of ${wanted} packages, ${elapsed} min`);
		},
	);

	for (const name of PACKAGES_TO_BUILD) {
		const headers = await findNodeHeaders(folder);
		const env = headers ? { ...process.env, npm_config_nodedir: headers } : process.env;
		await withClock(
			runNpm(['rebuild', name, '--ignore-scripts=false', '--foreground-scripts'], {
				cwd: folder,
				env,
				signal,
			}),
			(elapsed) => onProgress(`building ${name}, ${elapsed} min`),
		);
	}
}

/** Installs next to the final place and moves there at once: an interrupted run leaves no trace. */
async function installBeside(folder: string, options: InstallOptions): Promise<void> {
	const parent = dirname(folder);
	const prefix = `${basename(folder)}.installing-`;
	// What an earlier, killed installation left behind. No other process installs: the lock is ours.
	for (const entry of await readdir(parent)) {
		if (entry.startsWith(prefix)) await rm(join(parent, entry), { recursive: true, force: true });
	}
	const temporary = join(parent, `${prefix}${process.pid}`);
	try {
		await installInto(temporary, options);
		const fault = await findFault(describeHost(temporary));
		if (fault) throw new Error(`n8n was installed, but ${fault}.`);
		await writeMarker(temporary);
		await rm(folder, { recursive: true, force: true });
		await rename(temporary, folder);
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

/**
 * Returns the installed n8n; installs it first where it is missing, which takes
 * {@link INSTALLATION_TAKES}.
 */
export async function ensureN8nInstalled(options: InstallOptions = {}): Promise<N8nHost> {
	const folder = hostFolder();
	const present = await findN8n(folder);
	if (present) return present;
	return await withLock(
		`${folder}.lock`,
		async () => {
			// Another process may have installed it while this one was waiting.
			const meanwhile = await findN8n(folder);
			if (meanwhile) return meanwhile;
			await installBeside(folder, options);
			return describeHost(folder);
		},
		{
			signal: options.signal,
			onWait: (pid) => options.onProgress?.(`waiting: process ${pid} is installing it`),
		},
	);
}

/** Runs one n8n command-line command to its end (n8n itself must not be running on this folder). */
export async function runN8nCommand(
	host: N8nHost,
	args: readonly string[],
	options: { cwd: string; env: NodeJS.ProcessEnv; timeoutMs?: number },
): Promise<string> {
	return await runCommand(host.nodeBinary, [host.n8nScript, ...args], options);
}
