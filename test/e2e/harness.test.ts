/** What demo and tests start must be gone afterwards, also when they themselves are killed. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureN8nInstalled } from '../../dev/n8n/install/install';
import { startN8n } from '../../dev/n8n/process/process';
import { waitFor } from '../../dev/n8n/process/waitFor';

let userFolder: string;
beforeEach(async () => {
	userFolder = await mkdtemp(join(tmpdir(), 'brl-payments-harness-'));
});
afterEach(async () => await rm(userFolder, { recursive: true, force: true }));

/** Whether any process of the group is left, n8n's task runner included. */
function isGroupAlive(group: number): boolean {
	try {
		process.kill(-group, 0);
		return true;
	} catch {
		return false;
	}
}

const gone = async (group: number) =>
	await waitFor(() => !isGroupAlive(group), { what: 'n8n to be gone', timeoutMs: 15_000 });

it('is gone after stop, and twice does no harm', async () => {
	const n8n = await startN8n({ host: await ensureN8nInstalled(), userFolder });
	expect(isGroupAlive(n8n.pid)).toBe(true);
	await n8n.stop();
	await gone(n8n.pid);
	await n8n.stop();
	await expect(fetch(n8n.url)).rejects.toThrow();
});

it('fails with the end of the log when n8n cannot start', async () => {
	const taken = createServer();
	await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
	try {
		const { port } = taken.address() as AddressInfo;
		await expect(
			startN8n({
				host: await ensureN8nInstalled(),
				userFolder,
				env: { N8N_PORT: String(port) },
			}),
		).rejects.toThrow(/n8n ended while starting:[^]*port/);
	} finally {
		taken.close();
	}
});

it('is gone when the program that started it was killed', async () => {
	const tsx = join(__dirname, '..', '..', 'node_modules', 'tsx', 'dist', 'cli.mjs');
	const starter = spawn(
		process.execPath,
		[tsx, join(__dirname, 'support', 'startAndWait.ts'), userFolder],
		{ stdio: ['ignore', 'pipe', 'inherit'], detached: true },
	);
	let output = '';
	starter.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const pid = await waitFor(() => Number(/^(\d+)\n/.exec(output)?.[1]) || undefined, {
		what: 'n8n to start',
	});
	expect(isGroupAlive(pid)).toBe(true);
	process.kill(-starter.pid!, 'SIGKILL');
	await gone(pid);
});
