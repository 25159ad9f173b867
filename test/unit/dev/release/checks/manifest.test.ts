import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	checkManifest,
	checkReleasable,
	type Manifest,
} from '../../../../../dev/release/checks/manifest';

const valid = JSON.parse(
	readFileSync(join(__dirname, '../../../../../package.json'), 'utf8'),
) as Required<Manifest>;

test('nothing is found in the package.json of this package', () => {
	expect(checkManifest(valid)).toEqual([]);
});

test.each<[what: string, broken: Partial<Manifest>, place: string, text: string]>([
	['another name', { name: 'brl-payments' }, 'name', 'n8n-nodes-'],
	['a scope only', { name: '@scope/brl-payments' }, 'name', 'n8n-nodes-'],
	['no version', { version: '1' }, 'version', 'is none'],
	['no description', { description: ' ' }, 'description', 'empty'],
	['another license', { license: 'Apache-2.0' }, 'license', 'MIT'],
	['no keyword', { keywords: ['pix'] }, 'keywords', 'n8n-community-node-package'],
	['an author without e-mail', { author: { name: 'Maintainers' } }, 'author', 'lacks'],
	[
		'a repository elsewhere',
		{ repository: { type: 'git', url: 'git+https://git.example.com/a/b.git' } },
		'repository',
		'GitHub',
	],
	['a home page elsewhere', { homepage: 'https://example.com' }, 'homepage', 'not in'],
	['an address for bugs elsewhere', { bugs: { url: 'https://example.com' } }, 'bugs', 'not in'],
	['private', { private: true }, 'private', 'keeps npm'],
	['a dependency', { dependencies: { axios: '1.0.0' } }, 'dependencies', 'none'],
	[
		'an optional dependency',
		{ optionalDependencies: { axios: '1.0.0' } },
		'optionalDependencies',
		'none',
	],
	['a bundled dependency', { bundleDependencies: ['axios'] }, 'bundleDependencies', 'none'],
	['the other spelling of it', { bundledDependencies: ['axios'] }, 'bundledDependencies', 'none'],
	[
		'another peer',
		{ peerDependencies: { 'n8n-workflow': '*', zod: '*' } },
		'peerDependencies',
		'alone',
	],
	[
		'a version of the peer',
		{ peerDependencies: { 'n8n-workflow': '2.0.0' } },
		'peerDependencies',
		'version',
	],
	['overrides', { overrides: {} }, 'overrides', 'reach'],
	['resolutions', { resolutions: {} }, 'resolutions', 'reach'],
	['a command', { bin: './dist/cli.js' }, 'bin', 'command'],
	['a script on installation', { scripts: { postinstall: 'x' } }, 'scripts.postinstall', 'runs'],
	['a script for Git', { scripts: { prepare: 'x' } }, 'scripts.prepare', 'runs'],
	['more files', { files: ['dist', 'test'] }, 'files', 'besides dist'],
	['another API', { n8n: { ...valid.n8n, n8nNodesApiVersion: 2 } }, 'n8n.n8nNodesApiVersion', '1'],
	['not strict', { n8n: { ...valid.n8n, strict: false } }, 'n8n.strict', 'true'],
	['no node', { n8n: { ...valid.n8n, nodes: [] } }, 'n8n.nodes', 'no node'],
	['no credential', { n8n: { ...valid.n8n, credentials: [] } }, 'n8n.credentials', 'no credential'],
	[
		'a source as a node',
		{ n8n: { ...valid.n8n, nodes: ['nodes/A/A.node.ts'] } },
		'n8n.nodes',
		'not a compiled node',
	],
	[
		'a source as a credential',
		{ n8n: { ...valid.n8n, credentials: ['credentials/A.credentials.ts'] } },
		'n8n.credentials',
		'not a compiled credential',
	],
])('with %s it does not pass', (_what, broken, place, text) => {
	expect(checkManifest({ ...valid, ...broken })).toEqual([
		{ place: `package.json ${place}`, text: expect.stringContaining(text) },
	]);
});

test.each(['maintainers@pix.com.br', 'me@an-example.org', 'test@testing.invalid.com'])(
	'%s is an author whom a release may name',
	(email) => {
		expect(checkReleasable({ ...valid, author: { name: 'Maintainers', email } })).toEqual([]);
	},
);

test.each([
	'maintainers@package.example',
	'maintainers@package.TEST',
	'maintainers@package.invalid',
	'maintainers@example',
	'maintainers@example.com',
])('%s reaches no one, so nothing is released', (email) => {
	expect(checkReleasable({ ...valid, author: { name: 'Maintainers', email } })).toEqual([
		{ place: 'package.json author', text: expect.stringContaining(email) },
	]);
});
