import { checkContents } from '../../../../../dev/release/checks/contents';

const NODE = 'dist/nodes/One/One.node.js';
const README = '## Install\n## Credential\n## Operations\n[one](examples/one.json)\nMIT\n';
const manifest = {
	n8n: { nodes: [NODE], credentials: ['dist/credentials/OneApi.credentials.js'] },
};
const valid = {
	'package.json': '{}',
	'README.md': README,
	LICENSE: 'MIT License\n',
	[NODE]: "var a = require('n8n-workflow');\nvar b = require('../../shared/api.js');\n",
	'dist/nodes/One/One.node.json': '{}',
	'dist/nodes/One/__schema__/v1.0.0/payment/get.json': '{}',
	'dist/credentials/OneApi.credentials.js': "var crypto = require('node:crypto');\n",
	'dist/shared/api.js': "var zod = require('zod');\n",
	'dist/icons/one.svg': '<svg/>',
	'dist/icons/one.dark.svg': '<svg/>',
};
const check = (files: Record<string, string | undefined>) =>
	checkContents(
		new Map(
			Object.entries({ ...valid, ...files }).flatMap(([path, text]) =>
				text === undefined ? [] : [[path, text] as const],
			),
		),
		manifest,
	);

test('nothing is found in a package with all it needs', () => {
	expect(check({})).toEqual([]);
});

test.each([
	'dist/nodes/One/One.node.ts',
	'dist/nodes/One/One.node.js.map',
	'dist/test/one.js',
	'.env',
	'dist/nodes/One/payment.json',
	'examples/one.json',
])('%s does not belong there', (path) => {
	expect(check({ [path]: '' })).toEqual([
		{ place: path, text: 'does not belong into the package' },
	]);
});

test('another license does not pass', () => {
	expect(check({ LICENSE: 'Apache License' })).toEqual([
		{ place: 'LICENSE', text: 'is not the MIT license' },
	]);
});

test.each([
	['## Install', 'installation'],
	['## Credential', 'credentials'],
	['## Operations', 'operations'],
	['examples/one.json', 'example workflows'],
	['MIT', 'license'],
])('a README without "%s" says nothing about %s', (text, topic) => {
	expect(check({ 'README.md': README.replace(text, 'x') })).toEqual([
		{ place: 'README.md', text: `says nothing about ${topic}` },
	]);
});

test.each([
	["require('undici')", 'undici'],
	["require('node:fs')", 'node:fs'],
	["import('zod-to-json-schema')", 'zod-to-json-schema'],
	['require(name)', 'name'],
	["import x from 'axios'", 'axios'],
])('%s imports what no n8n has', (code, name) => {
	expect(check({ 'dist/shared/api.js': `${code};\n` })).toEqual([
		{ place: 'dist/shared/api.js', text: `imports ${name}, which no n8n has` },
	]);
});
