import { ESLint } from 'eslint';

/** Says whether n8n's own scanner runs a rule on a file. */
type RunByN8n = (rule: string, file: string) => Promise<boolean>;

/** Asks the configuration that n8n's scanner would lint with. @param folder of the package */
export async function rulesRunByN8n(folder: string): Promise<RunByN8n> {
	const { buildScanConfig } = await import('@n8n/scan-community-package/scanner/scanner.mjs');
	const eslint = new ESLint({
		cwd: folder,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
	});
	return async (rule, file) => {
		const config = (await eslint.calculateConfigForFile(file)) as {
			rules?: Record<string, [severity: number]>;
		};
		return (config.rules?.[rule]?.[0] ?? 0) > 0;
	};
}
