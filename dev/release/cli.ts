import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { runMain } from '../cli/command';
import { verify } from './verify';

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
		for (const { name, extent, findings } of await verify(workFolder, tag)) {
			console.log(`${findings.length === 0 ? 'passed' : 'FAILED'}  ${name} (${extent})`);
			for (const finding of findings) console.log(`        ${finding}`);
			if (findings.length > 0) process.exitCode = 1;
		}
	} finally {
		await rm(workFolder, { recursive: true, force: true });
	}
}

runMain(main);
