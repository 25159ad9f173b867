import Table from 'cli-table3';
import exceptions from './exceptions.json';
import type { CheckResult } from './finding';

/** What `npm run verify` prints: each finding, what was checked, and the sum. */
export function report(results: readonly CheckResult[]): string {
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
		'Rules of the plugins that are wrong here, and why (dev/release/exceptions.json):',
		...exceptions.map(({ rule, reason }) => `  ${rule}: ${reason}`),
		'',
		`${found.length} ${found.length === 1 ? 'finding' : 'findings'}`,
	].join('\n');
}

/** 0 only when something was checked and nothing was found. */
export function toExitCode(results: readonly CheckResult[]): 0 | 1 {
	return results.length > 0 && results.every(({ findings }) => findings.length === 0) ? 0 : 1;
}
