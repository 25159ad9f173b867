/**
 * What looks at the sources, at the same time: with two cores, types and format are checked while
 * eslint runs, which takes longest.
 */
import { repositoryRoot } from '../n8n/paths';
import { interruption, runMain } from './command';
import { runSideBySide, type Command } from './sideBySide';

const CHECKS: readonly Command[] = [
	['eslint', '.', '--config', 'eslint.project.mjs', '--max-warnings', '0'],
	['tsc', '--noEmit'],
	['prettier', '--check', '.'],
];

runMain(async () => {
	const passed = await runSideBySide(CHECKS, repositoryRoot, console.log, interruption());
	if (!passed) process.exitCode = 1;
});
