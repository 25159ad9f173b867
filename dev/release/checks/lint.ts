import { relative } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import exceptions from '../exceptions.json';
import type { Finding } from '../finding';

export interface LintResult {
	readonly files: number;
	readonly rules: number;
	readonly findings: readonly Finding[];
}

const FILES = {
	sources: ['nodes/**/*.{ts,json}', 'credentials/**/*.ts', 'package.json'],
	packed: ['dist/**/*.{js,json}', 'package.json'],
};

/**
 * Runs every rule of both n8n plugins as an error, those that the plugins themselves only warn about
 * or leave out included, and ignores comments that turn one off.
 *
 * n8n's own scanner knows none of the exceptions, so each one is about a rule that n8n does not run. It
 * holds only as long as the rule objects to something.
 *
 * @param folder a checkout of the sources, or an unpacked package
 */
export async function lint(folder: string, what: 'sources' | 'packed'): Promise<LintResult> {
	const config = await strictest();
	const eslint = new ESLint({
		cwd: folder,
		// Else `dist` of the package could be ignored by a rule of the folder around it.
		ignore: false,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: config,
	});
	const results = await eslint.lintFiles(FILES[what]);
	const found = results.flatMap(({ filePath, messages }) =>
		messages.map(({ ruleId, message, line }) => ({
			rule: ruleId ?? 'eslint',
			place: `${relative(folder, filePath)}:${line}`,
			message,
		})),
	);
	const allowed = exceptions.filter((each) => each.in.includes(what)).map(({ rule }) => rule);
	return {
		files: results.length,
		rules: new Set(config.flatMap((part) => Object.keys(part.rules ?? {}))).size,
		findings: [
			...found
				.filter(({ rule }) => !allowed.includes(rule))
				.map(({ rule, place, message }) => ({ place, text: `${message}  ${rule}` })),
			...allowed
				.filter((each) => !found.some(({ rule }) => rule === each))
				.map((each) => ({ place: what, text: `the exception for ${each} is not needed` })),
		],
	};
}

async function strictest(): Promise<Linter.Config[]> {
	const { n8nCommunityNodesPlugin } = await import('@n8n/eslint-plugin-community-nodes');
	const { default: n8nNodesBase } = await import('eslint-plugin-n8n-nodes-base');
	const { nodes, credentials, community } = n8nNodesBase.configs;
	const everyRule = Object.keys(n8nCommunityNodesPlugin.rules ?? {}).map(
		(rule) => `@n8n/community-nodes/${rule}`,
	);
	return [
		{
			files: ['**/*.{ts,js,json}'],
			plugins: {
				'@n8n/community-nodes': n8nCommunityNodesPlugin as ESLint.Plugin,
				'n8n-nodes-base': n8nNodesBase,
			},
			languageOptions: { parser: parser as Linter.Parser },
			linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
			rules: asErrors(everyRule),
		},
		{ files: ['**/nodes/**/*.{ts,js}'], rules: asErrors(Object.keys(nodes.rules)) },
		{ files: ['**/credentials/**/*.{ts,js}'], rules: asErrors(Object.keys(credentials.rules)) },
		{ files: ['package.json'], rules: asErrors(Object.keys(community.rules)) },
	];
}

function asErrors(rules: readonly string[]): Linter.RulesRecord {
	return Object.fromEntries(rules.map((rule) => [rule, 'error']));
}
