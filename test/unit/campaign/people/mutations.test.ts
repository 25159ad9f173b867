import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	applyMutation,
	mutate,
	MUTATIONS,
	type Mutation,
} from '../../../../campaign/people/mutations';
import { repositoryRoot } from '../../../../demo/n8n/paths';

const mutation: Mutation = {
	name: 'example',
	title: 'Says no for yes.',
	replacements: [['return yes;', 'return "$&";']],
};
const files = (one: string, other: string) =>
	new Map([
		['one.js', one],
		['other.js', other],
	]);

it('replaces the text in the file that has it, as it is written', () => {
	const mutated = mutate(files('if (a) return yes;', 'return no;'), mutation);
	expect(mutated).toEqual(files('if (a) return "$&";', 'return no;'));
});

it.each([
	['in no file', files('return no;', '')],
	['in two files', files('return yes;', 'return yes;')],
	['twice in one', files('return yes; return yes;', '')],
])('refuses a text that occurs %s', (_where, given) => {
	expect(() => mutate(given, mutation)).toThrow('Mutation "example" no longer fits the package');
});

it('makes every replacement of a mutation', () => {
	const two = {
		...mutation,
		replacements: [
			['a', 'b'],
			['c', 'd'],
		] as const,
	};
	expect(mutate(files('a', 'c'), two)).toEqual(files('b', 'd'));
});

it('changes the package where n8n loads it from', async () => {
	const userFolder = await mkdtemp(join(tmpdir(), 'mutations-'));
	const folder = join(
		...[userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-brl-payments', 'dist'],
	);
	try {
		await mkdir(join(folder, 'shared'), { recursive: true });
		await writeFile(join(folder, 'shared', 'api.js'), 'return yes;');
		await writeFile(join(folder, 'node.js'), 'return no;');
		await applyMutation(mutation, userFolder);
		expect(await readFile(join(folder, 'shared', 'api.js'), 'utf8')).toBe('return "$&";');
		expect(await readFile(join(folder, 'node.js'), 'utf8')).toBe('return no;');
	} finally {
		await rm(userFolder, { recursive: true });
	}
});

it('has three that fit the package as it is', async () => {
	const folder = join(repositoryRoot, 'nodes');
	const names = await readdir(folder, { recursive: true });
	// The build leaves these lines as they stand in the sources.
	const sources = new Map<string, string>();
	for (const name of names.filter((each) => each.endsWith('.ts'))) {
		sources.set(name, await readFile(join(folder, name), 'utf8'));
	}
	expect(MUTATIONS).toHaveLength(3);
	for (const each of MUTATIONS) {
		const mutated = mutate(sources, each);
		const changed = [...mutated].filter(([name, text]) => text !== sources.get(name));
		expect(changed).toHaveLength(1);
	}
});
