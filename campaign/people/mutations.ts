/**
 * Defects that the campaign has to catch. They are written into the installed copy of the built
 * package, so nothing of them is in the package itself.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Mutation {
	/** For the command line. */
	readonly name: string;
	/** The defect, in one sentence. */
	readonly title: string;
	/** Text of the built package, and what takes its place. Every text must occur exactly once. */
	readonly replacements: ReadonlyArray<readonly [search: string, replacement: string]>;
}

export const MUTATIONS: readonly Mutation[] = [
	{
		name: 'index-in-key',
		title: 'The key of a reference depends on the place of its row.',
		replacements: [
			[
				"return deriveReferenceKey(operation, reference?.value ?? '', 0);",
				"return deriveReferenceKey(operation, `${reference?.value ?? ''} ${itemIndex}`, 0);",
			],
		],
	},
	{
		name: 'no-guard',
		title: 'Duplicate Guard does not look when somebody presses Execute.',
		replacements: [["return lookingBack('manual', 'send');", 'return undefined;']],
	},
	{
		name: 'blind-to-pending',
		title: 'A payout counts as paid only once the bank has completed it.',
		replacements: [['return !isFailed(row);', "return row.status === 'COMPLETED';"]],
	},
];

/** Where n8n loads the package from. */
function packageFolder(userFolder: string): string {
	return join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-brl-payments', 'dist');
}

/** Replaces in one text. @throws Error when a text to replace does not occur exactly once in all files */
export function mutate(
	files: ReadonlyMap<string, string>,
	mutation: Mutation,
): Map<string, string> {
	const mutated = new Map(files);
	for (const [search, replacement] of mutation.replacements) {
		const hits = [...mutated].filter(([, text]) => text.includes(search));
		const [hit] = hits;
		if (!hit || hits.length > 1 || hit[1].split(search).length !== 2) {
			throw new Error(
				`Mutation "${mutation.name}" no longer fits the package: this occurs in ${hits.length} files, and must occur once:\n${search}`,
			);
		}
		mutated.set(
			hit[0],
			hit[1].replace(search, () => replacement),
		);
	}
	return mutated;
}

/** Changes the package that is installed for this n8n. */
export async function applyMutation(mutation: Mutation, userFolder: string): Promise<void> {
	const folder = packageFolder(userFolder);
	const names = await readdir(folder, { recursive: true });
	const files = new Map<string, string>();
	for (const name of names.filter((each) => each.endsWith('.js'))) {
		files.set(name, await readFile(join(folder, name), 'utf8'));
	}
	for (const [name, text] of mutate(files, mutation)) {
		if (text !== files.get(name)) await writeFile(join(folder, name), text);
	}
}
