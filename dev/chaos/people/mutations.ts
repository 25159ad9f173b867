/**
 * Defects that the campaign has to catch. Each is written into a copy of the sources, and what is
 * built from them is installed, so nothing of it is in the package itself.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installedPackage } from '../../n8n/install/packageInstall';
import { repositoryRoot } from '../../n8n/paths';
import { runCommand } from '../../n8n/process/runCommand';

const BUILD_FILES = ['package.json', 'rollup.config.mjs', 'tsconfig.json'];

export interface Mutation {
	readonly name: string;
	readonly title: string;
	/** Text of the sources in `nodes`, and what takes its place. Every text must occur exactly once. */
	readonly replacements: ReadonlyArray<readonly [search: string, replacement: string]>;
}

export const MUTATIONS: readonly Mutation[] = [
	{
		name: 'index-in-key',
		title: 'The key of a reference depends on the place of its row.',
		replacements: [
			[
				'deriveReferenceKey(operation, isLive, referenceOf(item), generation)',
				'deriveReferenceKey(operation, isLive, `${referenceOf(item)}-${item.index}`, generation)',
			],
		],
	},
	{
		name: 'no-guard',
		title: 'Duplicate Guard does not look when a person presses Execute.',
		replacements: [
			["return facts.isStartedByHand && isLive ? 'manual' : undefined;", 'return undefined;'],
		],
	},
	{
		name: 'blind-to-pending',
		title: 'A payout counts as paid only once the bank has completed it.',
		replacements: [['return !isFailed(row);', "return row.status === 'COMPLETED';"]],
	},
	{
		name: 'look-alike-is-paid',
		title: 'A row of the list counts as paid if the list shows one that looks like it.',
		replacements: [
			[
				'	if (candidates.length > 0) {',
				"	const [id] = candidates;\n	if (id !== undefined) return end(state, { say: 'paid', id, isNew: false }, [{ status: 'paid', generation: state.generation, withdrawalId: id }]);\n	if (candidates.length > 0) {",
			],
		],
	},
	{
		name: 'list-proves-at-once',
		title: 'A list proves that nothing was paid, although the request may still be under way.',
		replacements: [['	if (now < from) return end(', '	if (now < 0) return end(']],
	},
	{
		name: 'forgets-attempts',
		title: 'Attempts without an answer are forgotten: the next run takes another key.',
		replacements: [
			[
				'	if (open.length === 0) return askAgain(',
				'	if (open.length > 0) return claim(state, highest + 1);\n	if (open.length === 0) return askAgain(',
			],
		],
	},
	{
		name: 'refusal-closes',
		title: 'The refusal of one attempt counts for all attempts under the key.',
		replacements: [
			[
				'	if (isUnanswered) return prove(state, now);',
				'	if (isUnanswered && now < 0) return prove(state, now);',
			],
		],
	},
	{
		name: 'always-new',
		title: 'What an earlier run has paid is shown as paid just now.',
		replacements: [
			[
				"if (withdrawal.state === 'living') return end(state, { say: 'paid', id, isNew: false });",
				"if (withdrawal.state === 'living') return end(state, { say: 'paid', id, isNew: true });",
			],
		],
	},
];

/** Replaces in one text. @throws Error when a text to replace does not occur exactly once in all files */
function mutate(files: ReadonlyMap<string, string>, mutation: Mutation): Map<string, string> {
	const mutated = new Map(files);
	for (const [search, replacement] of mutation.replacements) {
		const hits = [...mutated].filter(([, text]) => text.includes(search));
		const [hit] = hits;
		if (!hit || hits.length > 1 || hit[1].split(search).length !== 2) {
			throw new Error(
				`Mutation "${mutation.name}" no longer fits the sources: this occurs in ${hits.length} files, and must occur once:\n${search}`,
			);
		}
		mutated.set(
			hit[0],
			hit[1].replace(search, () => replacement),
		);
	}
	return mutated;
}

/** Copies a folder of sources, with the defect in them. @returns the files that have it */
async function copyMutated(mutation: Mutation, from: string, to: string): Promise<string[]> {
	await cp(from, to, { recursive: true });
	const sources = new Map<string, string>();
	for (const name of await readdir(from, { recursive: true })) {
		if (name.endsWith('.ts')) sources.set(name, await readFile(join(from, name), 'utf8'));
	}
	const changed = [...mutate(sources, mutation)].filter(
		([name, text]) => text !== sources.get(name),
	);
	for (const [name, text] of changed) await writeFile(join(to, name), text);
	return changed.map(([name]) => name);
}

/** Builds the package with the defect, and puts its code where this n8n loads the package from. */
export async function applyMutation(
	mutation: Mutation,
	userFolder: string,
	signal: AbortSignal,
): Promise<void> {
	const workshop = await mkdtemp(join(tmpdir(), 'brl-payments-mutation-'));
	try {
		for (const name of [...BUILD_FILES, 'credentials']) {
			await cp(join(repositoryRoot, name), join(workshop, name), { recursive: true });
		}
		await copyMutated(mutation, join(repositoryRoot, 'nodes'), join(workshop, 'nodes'));
		const modules = join(repositoryRoot, 'node_modules');
		await symlink(modules, join(workshop, 'node_modules'));
		const rollup = join(modules, '.bin', 'rollup');
		await runCommand(rollup, ['-c', '--failAfterWarnings'], { cwd: workshop, signal });
		const installed = join(await installedPackage(userFolder), 'dist');
		await cp(join(workshop, 'dist'), installed, { recursive: true });
	} finally {
		await rm(workshop, { recursive: true });
	}
}
