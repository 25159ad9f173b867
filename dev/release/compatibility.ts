import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { Command } from 'commander';

import { runMain } from '../cli/command';
import { otherN8nVersions, repositoryRoot } from '../n8n/paths';

/** What is about the pages, the cluster and the demo of the current n8n, and not about the nodes. */
const OF_THE_CURRENT_N8N = ['browser/**', 'queue*', 'demo*', 'examples/**'];

function testOn(version: string, patterns: string[]): boolean {
	const args = [
		join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs'),
		...['run', '--project', 'e2e', '--no-file-parallelism'],
		...OF_THE_CURRENT_N8N.flatMap((part) => ['--exclude', `test/e2e/${part}`]),
		...patterns,
	];
	const env = { ...process.env, N8N_VERSION: version };
	const { status } = spawnSync(process.execPath, args, {
		cwd: repositoryRoot,
		env,
		stdio: 'inherit',
	});
	return status === 0;
}

interface Options {
	n8n: string[];
	tests: string[];
}

async function main(): Promise<void> {
	const options = new Command('npm run test:compat --')
		.description('Runs the end-to-end tests on other versions of n8n than the current one.')
		.option('--n8n <version...>', 'the versions', otherN8nVersions())
		.option('--tests <pattern...>', 'only test files whose path matches one of these', [])
		.parse()
		.opts<Options>();
	const results: string[] = [];
	for (const version of options.n8n) {
		process.stdout.write(`\nn8n ${version}\n`);
		const hasPassed = testOn(version, options.tests);
		results.push(`n8n ${version}: ${hasPassed ? 'passed' : 'FAILED'}`);
		if (!hasPassed) process.exitCode = 1;
	}
	process.stdout.write(`\n${results.join('\n')}\n`);
}

runMain(main);
