import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { runNpm } from './npm';
import { repositoryRoot } from '../paths';

/** One of the files that the build compiles, all at once. */
const BUILT = 'dist/nodes/BrlPayments/BrlPayments.node.js';

const SOURCES = [
	'credentials',
	'nodes',
	'icons',
	'package.json',
	'gulpfile.js',
	'rollup.config.mjs',
	'tsconfig.json',
];

/** Time of the last change in a file or folder tree, epoch ms; 0 where there is none. */
async function lastChange(path: string): Promise<number> {
	// The folder's own time counts too: it changes when a file is removed.
	const names = ['.', ...(await readdir(path, { recursive: true }).catch(() => []))];
	const times = names.map(async (name) => (await stat(join(path, name))).mtimeMs);
	return Math.max(...(await Promise.all(times).catch(() => [0])));
}

/** What is only copied into `dist` keeps the time of its source, so a compiled file tells. */
async function isBuilt(): Promise<boolean> {
	const built = await lastChange(join(repositoryRoot, BUILT));
	const changes = await Promise.all(
		SOURCES.map(async (source) => await lastChange(join(repositoryRoot, source))),
	);
	return built >= Math.max(...changes);
}

export async function ensureBuilt(signal?: AbortSignal): Promise<void> {
	if (await isBuilt()) return;
	await runNpm(['run', 'build', '--silent'], { cwd: repositoryRoot, signal });
}
