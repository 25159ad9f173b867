/** The demo as a person starts it, with the signals that a terminal sends. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { ensureN8nInstalled } from '../../dev/n8n/install/install';
import { repositoryRoot } from '../../dev/n8n/paths';
import { waitFor } from '../../dev/n8n/process/waitFor';

const tsx = join(repositoryRoot, 'node_modules', 'tsx', 'dist', 'cli.mjs');

let cache: string;
beforeAll(async () => {
	const { folder } = await ensureN8nInstalled();
	cache = await mkdtemp(join(tmpdir(), 'brl-payments-cache-'));
	// The installed n8n, but not the demo that a user may keep in the real cache.
	const ours = join(cache, 'n8n-nodes-brl-payments');
	await mkdir(ours);
	await symlink(folder, join(ours, basename(folder)));
}, 15 * 60_000);
afterAll(async () => await rm(cache, { recursive: true, force: true }));

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
		env: { ...process.env, XDG_CACHE_HOME: cache },
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

const untilPresented = async (demo: Demo): Promise<string> =>
	await waitFor(() => addressIn(demo.output(), 'n8n'), {
		what: `the demo to start:\n${demo.output()}`,
		timeoutMs: 90_000,
	});

/** Ctrl-C, which the terminal sends to the whole group, and the end. */
async function pressCtrlC(demo: Demo): Promise<void> {
	process.kill(-demo.process.pid!, 'SIGINT');
	expect(await demo.exit).toBe(0);
}

it('starts for a person, ends with Ctrl-C, and keeps the login for the next time', async () => {
	const login = (demo: Demo) => /login\s+(\S+)\s+(\S+)/.exec(demo.output())?.slice(1);

	const first = startDemo();
	const url = await untilPresented(first);
	const output = first.output();
	// Pages for customers, and workflows.
	const pages = output.match(/http:\/\/\S+\/(?:checkout|form|workflow)\/\S+/g) ?? [];
	expect(pages).toHaveLength(6);
	const services = ['sandbox', 'mailbox'].map((name) => addressIn(output, name)!);
	for (const page of [url, ...pages, ...services]) {
		expect([page, (await fetch(page)).status]).toEqual([page, 200]);
	}
	expect(existsSync(/The list: (\S+)/.exec(output)![1]!)).toBe(true);

	// A second one on the same folder would damage its database.
	const second = startDemo();
	expect(await second.exit).toBe(1);
	expect(second.output()).toContain('The demo is running already');

	await pressCtrlC(first);
	await expect(fetch(url)).rejects.toThrow();

	const third = startDemo();
	await untilPresented(third);
	expect(login(third)).toEqual(login(first));
	await pressCtrlC(third);
});
