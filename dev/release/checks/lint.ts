import { relative } from 'node:path';
import { ESLint, type Linter } from 'eslint';
import { parser } from 'typescript-eslint';
import knownExceptions from '../exceptions.json';
import type { ExceptionUse, Finding } from '../finding';
import { rulesRunByN8n } from '../n8nRules';

/** A rule that is wrong for this package. */
export interface Exception {
	readonly rule: string;
	readonly in: readonly string[];
	readonly reason: string;
}

export interface LintResult {
	readonly files: number;
	readonly rules: number;
	readonly findings: readonly Finding[];
	readonly exceptions: readonly ExceptionUse[];
}

const FILES = {
	sources: ['nodes/**/*.{ts,json}', 'credentials/**/*.ts', 'package.json'],
	packed: ['dist/**/*.{js,json}', 'package.json'],
};

/**
 * Runs every rule of both n8n plugins as an error, those that the plugins themselves only warn about
 * or leave out included, and ignores comments that turn one off.
 *
 * An exception holds only where n8n's own scanner does not run the rule either, and only as long as
 * the rule objects to something.
 *
 * @param folder a checkout of the sources, or an unpacked package
 */
export async function lint(
	folder: string,
	what: 'sources' | 'packed',
	exceptions: readonly Exception[] = knownExceptions,
): Promise<LintResult> {
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
	const runByN8n = await rulesRunByN8n(folder);

	const uses = exceptions
		.filter((exception) => exception.in.includes(what))
		.map(({ rule, reason }) => ({ rule, reason, count: 0 }));
	const findings: Finding[] = [];
	for (const { filePath, messages } of results) {
		const file = relative(folder, filePath);
		for (const { ruleId, message, line } of messages) {
			const use = uses.find(({ rule }) => rule === ruleId);
			if (use && !(await runByN8n(use.rule, filePath))) use.count += 1;
			else findings.push({ place: `${file}:${line}`, text: `${message}  ${ruleId ?? 'eslint'}` });
		}
	}
	for (const { rule, count } of uses) {
		if (count > 0) continue;
		findings.push({ place: what, text: `the exception for ${rule} is not needed` });
	}
	const rules = new Set(config.flatMap((part) => Object.keys(part.rules ?? {}))).size;
	return { files: results.length, rules, findings, exceptions: uses };
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
