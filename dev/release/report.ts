import Table from 'cli-table3';
import type { CheckResult, ExceptionUse } from './finding';

/** What `npm run verify` prints: each finding, what was checked, and the sum. */
export function report(
	results: readonly CheckResult[],
	exceptions: readonly ExceptionUse[],
): string {
	const found = results.flatMap(({ name, findings }) =>
		findings.map(({ place, text }) => `${name}: ${place}: ${text}`),
	);
	const table = new Table({
		head: ['check', 'looked at', 'findings'],
		style: { head: [], border: [] },
		colAligns: ['left', 'left', 'right'],
	});
	table.push(...results.map(({ name, extent, findings }) => [name, extent, findings.length]));
	return [
		...(found.length > 0 ? [...found, ''] : []),
		table.toString(),
		'',
		...describeExceptions(exceptions),
		`${found.length} ${found.length === 1 ? 'finding' : 'findings'}`,
	].join('\n');
}

function describeExceptions(exceptions: readonly ExceptionUse[]): string[] {
	if (exceptions.length === 0) return [];
	return [
		"Rules of the plugins that n8n's scanner does not run either, and why (dev/release/exceptions.json):",
		...exceptions.map(
			({ rule, count, reason }) =>
				`  ${rule} (${count} ${count === 1 ? 'place' : 'places'}): ${reason}`,
		),
		'',
	];
}

/** 0 only when something was checked and nothing was found. */
export function toExitCode(results: readonly CheckResult[]): 0 | 1 {
	return results.length > 0 && results.every(({ findings }) => findings.length === 0) ? 0 : 1;
}

/** One line for a rule, whether it was set aside in the sources, the package, or both. */
export function mergeUses(uses: readonly ExceptionUse[]): ExceptionUse[] {
	const merged = new Map<string, ExceptionUse>();
	for (const use of uses) {
		const count = (merged.get(use.rule)?.count ?? 0) + use.count;
		merged.set(use.rule, { ...use, count });
	}
	return [...merged.values()];
}
