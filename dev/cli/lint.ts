/**
 * What looks at the sources, at the same time: with two cores, types and format are checked while
 * eslint runs, which takes longest.
 */
import { Listr } from 'listr2';

import { repositoryRoot } from '../n8n/paths';
import { tryCommand } from '../n8n/process/runCommand';
import { interruption, runMain } from './command';

const CHECKS = [
	'eslint . --config eslint.project.mjs --max-warnings 0',
	'tsc -p tsconfig.check.json',
	'prettier --check .',
];

runMain(async () => {
	const signal = interruption();
	let passed = 0;
	const check = async (command: string): Promise<void> => {
		const [file = '', ...args] = command.split(' ');
		const { code, output } = await tryCommand(file, args, { cwd: repositoryRoot, signal });
		if (code !== 0) throw new Error(output);
		passed += 1;
	};
	await new Listr(
		CHECKS.map((title) => ({ title, task: async () => await check(title) })),
		{ concurrent: true, exitOnError: false, registerSignalListeners: false, renderer: 'simple' },
	).run();
	if (passed < CHECKS.length) process.exitCode = 1;
});
