declare module 'eslint-plugin-n8n-nodes-base' {
	import type { ESLint, Linter } from 'eslint';

	const plugin: Required<Pick<ESLint.Plugin, 'rules'>> & {
		configs: Record<'community' | 'credentials' | 'nodes', { rules: Linter.RulesRecord }>;
	};
	export = plugin;
}

declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	import type { Linter } from 'eslint';

	/** What n8n lints in the sources that the provenance names. */
	export const SOURCE_FILE_PATTERNS: string[];
	export function buildScanConfig(): Promise<Linter.Config[]>;
	export function analyzePackage(
		packageFolder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
