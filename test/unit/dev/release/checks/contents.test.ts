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
	'dist/icons/one.dark.svg': '<svg/>',
};
const check = (file?: string, text = '') =>
	checkContents(new Map(Object.entries({ ...valid, ...(file && { [file]: text }) })), manifest);

test('nothing is found in a package with all it needs', () => {
	expect(check()).toEqual([]);
});

const without = (text: string) => README.replace(text, 'x');

test.each([
	...[
		...['dist/nodes/One/One.node.ts', 'dist/nodes/One/One.node.js.map', 'dist/test/one.js'],
		...['.env', 'dist/nodes/One/payment.json', 'examples/one.json'],
	].map((file) => [file, '', 'does not belong into the package']),
	['LICENSE', 'Apache License', 'is not the MIT license'],
	['README.md', without('## Install'), 'says nothing about installation'],
	['README.md', without('## Credential'), 'says nothing about credentials'],
	['README.md', without('## Operations'), 'says nothing about operations'],
	['README.md', without('examples/one.json'), 'says nothing about example workflows'],
	['README.md', without('MIT'), 'says nothing about license'],
	['dist/shared/api.js', "require('undici')", 'imports undici, which no n8n has'],
	['dist/shared/api.js', "require('node:fs')", 'imports node:fs, which no n8n has'],
	['dist/shared/api.js', "import('zod-to-json')", 'imports zod-to-json, which no n8n has'],
	['dist/shared/api.js', 'require(name)', 'imports name, which no n8n has'],
	['dist/shared/api.js', "import x from 'axios'", 'imports axios, which no n8n has'],
] as Array<[string, string, string]>)('%s as %j %s', (place, content, text) => {
	expect(check(place, content)).toEqual([{ place, text }]);
});

test('what package.json names is there', () => {
	const files = new Map(Object.entries(valid).filter(([path]) => path !== NODE));
	expect(checkContents(files, manifest)).toEqual([
		{ place: NODE, text: 'is missing in the package' },
	]);
});
