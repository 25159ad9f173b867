import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { INodeProperties } from 'n8n-workflow';
import { parseOptions } from '../../dev/chaos/options';
import { resources } from '../../nodes/BrlPayments/resources';
import { properties as actionProperties } from '../../nodes/BrlPayments/editor/properties';
import { properties as triggerProperties } from '../../nodes/BrlPaymentsTrigger/description';
import {
	findAnchors,
	findCommands,
	findLinks,
	findMenuPaths,
	PAGES,
	readPage,
	repositoryRoot,
} from './support/pages';

const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };

/** What npm does on its own; `cit` is `ci` and `test`. */
const NPM_COMMANDS = ['audit', 'view', 'ci', 'cit', 'install', 'pack', 'pkg', 'test', 'run'];

/** Menus of n8n, of the service's dashboard and of GitHub. */
const FOREIGN_MENUS = ['Settings', 'Credentials', '⋯', 'Predefined Credential Type', 'Security'];

const testFiles = readdirSync(join(repositoryRoot, 'test'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.test.ts'))
	.map((file) => join('test', file));

const folders = readdirSync(repositoryRoot, { withFileTypes: true })
	.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
	.map(({ name }) => name);

/** The names of what the collection Options can contain, in both nodes. */
const optionNames = new Set(
	[...actionProperties, ...triggerProperties]
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.map(({ displayName }) => displayName.replace(/ \(.*\)$/, '')),
);

const operationNames = new Map(
	resources.map(({ option, operations }) => [
		option.name,
		operations.map((operation) => operation.option.name),
	]),
);

const scopes = [
	...resources.flatMap(({ operations }) =>
		operations.flatMap(({ scope }) => scope?.split(' and ') ?? []),
	),
	// For an endpoint whose address is not documented.
	'webhooks:read',
];

describe.each(PAGES)('%s', (page) => {
	const text = readPage(page);

	it('links to what is there', () => {
		for (const { target, anchor } of findLinks(page)) {
			expect([target, existsSync(join(repositoryRoot, target))]).toEqual([target, true]);
			if (anchor !== undefined) {
				expect([target, findAnchors(readPage(target))]).toEqual([
					target,
					expect.arrayContaining([anchor]),
				]);
			}
		}
	});

	it('names only files that exist', () => {
		const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)]
			.map(([, path = '']) => path)
			.filter((path) => folders.includes(path.split('/')[0]!));
		for (const path of paths) {
			expect([path, existsSync(join(repositoryRoot, path))]).toEqual([path, true]);
		}
	});

	it('has only commands that can be run', () => {
		for (const command of findCommands(text)) {
			const [program, name = '', script = ''] = command.split(' ');
			if (program === 'npm') expect(NPM_COMMANDS).toContain(name);
			if (name === 'run') expect(scripts).toHaveProperty([script]);

			const [, args] = /^npm run campaign -- (.*)$/.exec(command) ?? [];
			const parser = new Command().exitOverride().configureOutput({ writeErr: () => {} });
			if (args !== undefined) parseOptions(args.split(' '), parser);

			const [, project, pattern, words = ''] =
				/^npm run test:(\w+) -- (\S+)(?: -t "(.*)")?$/.exec(command) ?? [];
			if (pattern !== undefined) {
				const matching = testFiles.filter(
					(file) =>
						file.startsWith(`test/${project}/`) &&
						file.includes(pattern) &&
						new RegExp(words).test(readPage(file)),
				);
				expect([command, matching]).not.toEqual([command, []]);
			}
		}
	});

	it('names only scopes that an operation needs', () => {
		const named = [...text.matchAll(/`([a-z]+:(?:read|write|refund))`/g)].map(([, scope]) => scope);
		expect(scopes).toEqual(expect.arrayContaining(named));
	});

	it('names fields and operations as the editor does', () => {
		for (const [first = '', second = ''] of findMenuPaths(text)) {
			if (first === 'Options') expect([...optionNames]).toContain(second);
			else if (operationNames.has(first)) expect(operationNames.get(first)).toContain(second);
			else expect(FOREIGN_MENUS).toContain(first);
		}
	});
});
