import { readFileSync } from 'node:fs';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// What `npm run lint` runs beside oxlint (.oxlintrc.json): n8n's rules for a package, and which folder may
// import from which. eslint.config.mjs is n8n's own and may not be changed: n8n compares it.

const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** What every n8n resolves for a community node; everything else would be missing at run time. */
const allowedInPackage = readJson('dev/release/runtimeModules.json');

/** The folders of nodes/shared: each may import from those behind it. ARCHITECTURE.md says what they do. */
const LAYERS = [
	'client',
	'failures',
	'retry',
	'lists',
	'n8n',
	'concurrency',
	'transport',
	'input',
	'privacy',
	'brazil',
	'text',
];

/** The files and folders of nodes/BrlPaymentsTrigger, likewise. */
const TRIGGER_ROOMS = [
	'BrlPaymentsTrigger.node.ts',
	'webhook.ts',
	'execute.ts',
	'currentState.ts',
	'names.ts',
	'polling',
	'request.ts',
	'answers.ts',
	'signature',
	'seen',
	'description.ts',
	'item.ts',
	'events.ts',
];

/** @returns a zone of import-x/no-restricted-paths: files of `target` import nothing of `from` */
const zone = (target, from, message) => ({ target, from, message });

/** @returns zones: each folder of `parent` imports only from those behind it */
const downwards = (parent, folders) =>
	folders.slice(1).map((folder, index) =>
		zone(
			`${parent}/${folder}`,
			folders.slice(0, index + 1).map((above) => `${parent}/${above}`),
			'What is imported here lies above. Imports go downwards only (eslint.project.mjs).',
		),
	);

const BOUNDARIES = [
	...downwards('nodes/shared', LAYERS),
	...downwards('nodes/BrlPaymentsTrigger', TRIGGER_ROOMS),
	zone(
		'nodes/shared',
		['nodes/BrlPayments', 'nodes/BrlPaymentsTrigger'],
		'What both nodes share knows neither of them.',
	),
	zone(
		'nodes/BrlPayments',
		'nodes/BrlPaymentsTrigger',
		'What both nodes need goes to nodes/shared.',
	),
	zone(
		'nodes/BrlPaymentsTrigger',
		'nodes/BrlPayments',
		'What both nodes need goes to nodes/shared.',
	),
	zone(['nodes', 'credentials'], ['dev', 'test'], 'Only nodes and credentials are published.'),
];

const n8nNodesBaseRules = (name) => ({
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: n8nNodesBase.configs[name].rules,
});

export default tseslint.config(
	{ ignores: ['dist/', 'coverage/', 'node_modules/', 'dev/', 'test/'] },
	{ linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser: tseslint.parser },
		plugins: { 'import-x': importX },
		settings: {
			'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
		},
		rules: {
			'import-x/no-restricted-paths': [
				'error',
				{ basePath: import.meta.dirname, zones: BOUNDARIES },
			],
		},
	},
	{
		...n8nCommunityNodesPlugin.configs.recommended,
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		ignores: [],
	},
	{ files: ['nodes/**/*.ts'], ...n8nNodesBaseRules('nodes') },
	{ files: ['credentials/**/*.ts'], ...n8nNodesBaseRules('credentials') },
	{
		// n8n turns these off, too: each asks for what a rule of its newer plugin forbids.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		rules: {
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: `^(?!\\.{1,2}/|(?:${allowedInPackage.join('|')})$)`,
							message: `Only ${allowedInPackage.join(', ')} and files of this package exist at run time.`,
						},
					],
				},
			],
		},
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		...n8nNodesBaseRules('community'),
	},
);
