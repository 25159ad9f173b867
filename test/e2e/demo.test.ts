/** The demo as a person starts it, with the signals that a terminal sends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { ensureN8nInstalled } from '../../dev/n8n/install/install';
import { repositoryRoot } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';

const tsx = join(repositoryRoot, 'node_modules', 'tsx', 'dist', 'cli.mjs');

// The first time on a machine, n8n itself has to be installed.
beforeAll(async () => void (await ensureN8nInstalled()), 15 * 60_000);

interface Demo {
	process: ChildProcess;
	output: () => string;
	exit: Promise<number | null>;
}

const started: Demo[] = [];
afterEach(() => {
	for (const { process: child } of started.splice(0)) child.kill('SIGKILL');
});

function startDemo(): Demo {
	const child = spawn(process.execPath, [tsx, 'dev/demo/cli.ts'], {
		cwd: repositoryRoot,
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	let output = '';
	const collect = (chunk: Buffer) => (output += chunk.toString());
	child.stdout.on('data', collect);
	child.stderr.on('data', collect);
	const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
	const demo = { process: child, output: () => output, exit };
	started.push(demo);
	return demo;
}

const addressIn = (output: string, name: string) =>
	new RegExp(`^${name}\\s+(http://127\\.0\\.0\\.1:\\d+)`, 'm').exec(output)?.[1];

/** Ctrl-C, which the terminal sends to the whole group, and the end. */
async function pressCtrlC(demo: Demo): Promise<void> {
	process.kill(-demo.process.pid!, 'SIGINT');
	expect(await demo.exit).toBe(0);
}

async function untilPresented(demo: Demo): Promise<string> {
	return await waitFor(() => addressIn(demo.output(), 'n8n'), {
		what: `the demo to start:\n${demo.output()}`,
		timeoutMs: 90_000,
	});
}

it('starts for a person, names what is there, and ends with Ctrl-C', async () => {
	const demo = startDemo();
	const url = await untilPresented(demo);
	const output = demo.output();
	// Pages for customers, and workflows.
	const pages = output.match(/http:\/\/\S+\/(?:checkout|form|workflow)\/\S+/g) ?? [];
	expect(pages).toHaveLength(6);
	const services = ['sandbox', 'mailbox'].map((name) => addressIn(output, name)!);
	for (const page of [url, ...pages, ...services]) {
		expect([page, (await fetch(page)).status]).toEqual([page, 200]);
	}
	expect(existsSync(/The list: (\S+)/.exec(output)![1]!)).toBe(true);

	await pressCtrlC(demo);
	await expect(fetch(url)).rejects.toThrow();
});
