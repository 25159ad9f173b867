/** All examples in a real n8n, imported as its command line does it; each of them runs in examples/. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { examplesFolder, listExamples, loadExamples, readExample } from '../../dev/demo/examples';
import { runN8nCommand } from '../../dev/n8n/install/install';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();
beforeAll(async () => {
	await loadExamples(world.client, world.n8n.userFolder);
});

it('use only node types that this n8n has, in their latest version', async () => {
	const versions = await world.client.nodeTypes();
	for (const file of await listExamples()) {
		for (const { type, typeVersion } of (await readExample(file)).nodes) {
			const latest = Math.max(...(versions.get(type) ?? []));
			expect([file, type, typeVersion]).toEqual([file, type, latest]);
		}
	}
});

it('are imported by "n8n import:workflow"', async () => {
	// The command reads every JSON file of a folder, and n8n must not be running at that time.
	const folder = await mkdtemp(join(tmpdir(), 'examples-'));
	try {
		for (const file of await listExamples()) {
			await cp(join(examplesFolder, file), join(folder, file));
		}
		await world.n8n.stop();
		const { userFolder, env } = world.n8n;
		const output = await runN8nCommand(
			world.host,
			['import:workflow', '--separate', `--input=${folder}`],
			{ cwd: userFolder, env, timeoutMs: 60_000 },
		);
		const { length: count } = await listExamples();
		expect(output).toContain(`Successfully imported ${count} workflows`);
	} finally {
		await world.startN8n();
		await rm(folder, { recursive: true });
	}
	for (const file of await listExamples()) {
		const { name } = await readExample(file);
		const count = (await world.client.listWorkflows()).filter((each) => each.name === name).length;
		expect([name, count]).toEqual([name, 2]);
	}
});
