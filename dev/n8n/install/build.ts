import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { runNpm } from './npm';
import { repositoryRoot } from '../paths';

/** Everything that `npm run build` reads. */
const SOURCES = [
	'credentials',
	'nodes',
	'icons',
	'package.json',
	'gulpfile.js',
	'rollup.config.mjs',
	'tsconfig.json',
	'tsconfig.build.json',
];

/** Time of the last change in a file or folder tree, epoch ms; 0 where there is none. */
async function lastChange(path: string): Promise<number> {
	const stats = await stat(path).catch(() => undefined);
	if (!stats) return 0;
	if (!stats.isDirectory()) return stats.mtimeMs;
	const entries = await readdir(path);
	// The folder's own time counts too: it changes when a file is removed.
	const times = await Promise.all(
		entries.map(async (entry) => await lastChange(join(path, entry))),
	);
	return Math.max(stats.mtimeMs, ...times);
}

/**
 * Time of the oldest file that was compiled, epoch ms; infinite where there is none. What is only
 * copied keeps the time of its source.
 */
async function firstChange(path: string): Promise<number> {
	const stats = await stat(path).catch(() => undefined);
	if (!stats) return Infinity;
	if (!stats.isDirectory()) return path.endsWith('.js') ? stats.mtimeMs : Infinity;
	const entries = await readdir(path);
	const times = await Promise.all(
		entries.map(async (entry) => await firstChange(join(path, entry))),
	);
	return Math.min(Infinity, ...times);
}

async function isBuilt(): Promise<boolean> {
	const built = await firstChange(join(repositoryRoot, 'dist', 'nodes'));
	if (built === Infinity) return false;
	const changes = await Promise.all(
		SOURCES.map(async (source) => await lastChange(join(repositoryRoot, source))),
	);
	return built >= Math.max(...changes);
}

/** Builds the package unless what is in `dist` is newer than its sources. */
export async function ensureBuilt(signal?: AbortSignal): Promise<void> {
	if (await isBuilt()) return;
	await runNpm(['run', 'build', '--silent'], { cwd: repositoryRoot, signal });
}
