declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	/** What n8n lints in the sources that the provenance names. */
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(
		packageFolder: string,
		filePatterns?: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}
