import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { Command } from 'commander';
import { runMain } from '../cli/command';
import { tableStyle } from '../cli/tableStyle';
import type { CheckResult } from './finding';
import { verify } from './run';

function report(results: readonly CheckResult[]): string {
	const found = results.flatMap(({ name, findings }) =>
		findings.map(({ place, text }) => `${name}: ${place}: ${text}`),
	);
	const table = new Table({
		head: ['check', 'looked at', 'findings'],
		style: tableStyle(false),
		colAligns: ['left', 'left', 'right'],
	});
	table.push(...results.map(({ name, extent, findings }) => [name, extent, findings.length]));
	const sum = `${found.length} ${found.length === 1 ? 'finding' : 'findings'}`;
	return [...(found.length > 0 ? [...found, ''] : []), table.toString(), '', sum].join('\n');
}

async function main(): Promise<void> {
	const { tag } = new Command('npm run verify --')
		.description('Runs every check that n8n runs on a submitted community package.')
		.option('--tag <tag>', 'also check what a release with this tag needs: its version, an author')
		.parse()
		.opts<{ tag?: string }>();
	const workFolder = await mkdtemp(join(tmpdir(), 'verify-'));
	// The scanner leaves a folder behind wherever temporary files go.
	process.env.TMPDIR = workFolder;
	// With `test` in it, a plugin takes every file for one of its own tests.
	delete process.env.NODE_ENV;
	try {
		const results = await verify(workFolder, tag);
		console.log(report(results));
		process.exitCode = results.every(({ findings }) => findings.length === 0) ? 0 : 1;
	} finally {
		await rm(workFolder, { recursive: true, force: true });
	}
}

runMain(main);
