/**
 * Defects that the campaign has to catch. Each is written into a copy of the sources, and what is
 * built from them is installed, so nothing of it is in the package itself.
 */
import { cp, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { repositoryRoot } from '../n8n/paths';
import { runCommand } from '../n8n/process/runCommand';

/** Name -> text of the sources in `nodes`, which must occur exactly once, and what takes its place. */
export const MUTATIONS: Readonly<Record<string, readonly [search: string, replacement: string]>> = {
	/** Duplicate Guard does not look when a person presses Execute. */
	'no-guard': ["if (facts.isStartedByHand && isLive) return 'manual';", ''],
	/** A row counts as paid if the list of withdrawals shows one that looks like it. */
	'look-alike-is-paid': [
		"if (ids.length > 0) return end(state, { say: 'inDoubt', because: 'candidates', ids });",
		"const [id] = ids;\n	if (id !== undefined) return end(state, { say: 'paid', id, isNew: false }, [{ status: 'paid', generation: state.generation, withdrawalId: id }]);",
	],
	/** Attempts without an answer are forgotten: the next run takes another key. */
	'forgets-attempts': [
		'if (open.length === 0) return highest + 1;',
		'if (open.length >= 0) return highest + 1;',
	],
};

const BUILD_FILES = ['package.json', 'rollup.config.mjs', 'tsconfig.json', 'credentials', 'nodes'];

/** Builds the package with the defect. @returns the folder that it is in */
export async function buildMutated(name: string, signal: AbortSignal): Promise<string> {
	const [search, replacement] = MUTATIONS[name]!;
	const folder = await mkdtemp(join(tmpdir(), 'brl-payments-mutation-'));
	// In `dist` there is more than what is compiled, such as the icons.
	for (const file of [...BUILD_FILES, 'dist']) {
		await cp(join(repositoryRoot, file), join(folder, file), { recursive: true });
	}
	let hits = 0;
	for (const file of await readdir(join(folder, 'nodes'), { recursive: true })) {
		if (!file.endsWith('.ts')) continue;
		const path = join(folder, 'nodes', file);
		const parts = (await readFile(path, 'utf8')).split(search);
		hits += parts.length - 1;
		if (parts.length > 1) await writeFile(path, parts.join(replacement));
	}
	if (hits !== 1) throw new Error(`"${name}" no longer fits: its text occurs ${hits} times.`);
	const modules = join(repositoryRoot, 'node_modules');
	await symlink(modules, join(folder, 'node_modules'));
	const rollup = join(modules, '.bin', 'rollup');
	await runCommand(rollup, ['-c', '--failAfterWarnings'], { cwd: folder, signal });
	return folder;
}
