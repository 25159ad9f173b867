import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintWithNodeCli } from '../../../../../dev/release/checks/nodeCli';
import { repositoryRoot } from '../../../../../dev/n8n/paths';
import { edit, writeSources } from '../support/packages';

const CONFIG = 'eslint.config.mjs';

let folder = '';

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'verify-node-cli-'));
	writeSources(folder);
	for (const file of [CONFIG, 'tsconfig.json']) {
		cpSync(join(repositoryRoot, file), join(folder, file));
	}
	symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a changed configuration is found', async () => {
	edit(join(folder, CONFIG), 'default config', 'default [...config]');

	const findings = await lintWithNodeCli(folder);

	expect(findings).toEqual([
		{ place: folder, text: expect.stringContaining('has been modified from the default') },
	]);
});
