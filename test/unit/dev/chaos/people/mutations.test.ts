import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { copyMutated, mutate, MUTATIONS } from '../../../../../dev/chaos/people/mutations';
import { repositoryRoot } from '../../../../../dev/n8n/paths';

const mutation = {
	name: 'example',
	title: 'Says no for yes.',
	replacements: [['return yes;', 'return "$&";']] as const,
};

it.each([
	['in no file', ['return no;', '']],
	['in two files', ['return yes;', 'return yes;']],
	['twice in one', ['return yes; return yes;', '']],
])('refuses a text that occurs %s', (_where, texts) => {
	const files = new Map(texts.map((text, index) => [`${index}.ts`, text]));
	expect(() => mutate(files, mutation)).toThrow('Mutation "example" no longer fits the sources');
});

it.each(MUTATIONS)('fits the sources: $name', async (each) => {
	const folder = await mkdtemp(join(tmpdir(), 'mutations-'));
	const sources = join(repositoryRoot, 'nodes');
	try {
		const changed = await copyMutated(each, sources, folder);

		expect(changed).toHaveLength(1);
		expect(await readFile(join(folder, changed[0]!), 'utf8')).toContain(each.replacements[0]![1]);
	} finally {
		await rm(folder, { recursive: true });
	}
});
