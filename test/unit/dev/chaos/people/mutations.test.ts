import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	copyMutated,
	mutate,
	MUTATIONS,
	type Mutation,
} from '../../../../../dev/chaos/people/mutations';
import { repositoryRoot } from '../../../../../dev/n8n/paths';

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
	expect(() => mutate(given, mutation)).toThrow('Mutation "example" no longer fits the sources');
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

it('copies the sources, with the defect in the one file that it concerns', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'mutations-'));
	const [from, to] = [join(folder, 'from'), join(folder, 'to')];
	try {
		await mkdir(join(from, 'api'), { recursive: true });
		await writeFile(join(from, 'api', 'answer.ts'), 'return yes;');
		await writeFile(join(from, 'node.ts'), 'return no;');
		await writeFile(join(from, 'node.json'), '"return yes;"');

		await copyMutated(mutation, from, to);

		expect(await readFile(join(to, 'api', 'answer.ts'), 'utf8')).toBe('return "$&";');
		expect(await readFile(join(to, 'node.ts'), 'utf8')).toBe('return no;');
		expect(await readFile(join(to, 'node.json'), 'utf8')).toBe('"return yes;"');
	} finally {
		await rm(folder, { recursive: true });
	}
});

it.each(MUTATIONS)('fits the sources: $name', async (each) => {
	const folder = await mkdtemp(join(tmpdir(), 'mutations-'));
	try {
		const copied = copyMutated(each, join(repositoryRoot, 'nodes'), folder);

		await expect(copied).resolves.toBeUndefined();
	} finally {
		await rm(folder, { recursive: true });
	}
});

it('has eight, each of which changes something', () => {
	const replacements = MUTATIONS.flatMap((each) => each.replacements);

	expect(MUTATIONS).toHaveLength(8);
	expect(replacements.filter(([search, replacement]) => search === replacement)).toEqual([]);
});
