import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runNpm } from './npm';
import { repositoryRoot } from '../paths';
import { runCommand } from '../process/runCommand';

/**
 * One of the files that the build compiles, all at once. What is only copied into `dist` keeps the time
 * of its source.
 */
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

export async function ensureBuilt(signal?: AbortSignal): Promise<void> {
	const options = { cwd: repositoryRoot, signal };
	if (existsSync(join(repositoryRoot, BUILT))) {
		// Folders count too: their time changes when a file is removed.
		const changed = await runCommand('find', [...SOURCES, '-newer', BUILT], options);
		if (changed === '') return;
	}
	await runNpm(['run', 'build', '--silent'], options);
}
