/** Prints the test files that failed, from the JSON report of Vitest. Fails if they are more than a few. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

import { runMain } from './command';

export interface Report {
	readonly testResults: ReadonlyArray<{ readonly name: string; readonly status: string }>;
}

/** More of them do not fail by chance. */
const MOST = 3;

/**
 * @returns paths relative to the folder, to be run again
 * @throws RangeError if none failed, or too many
 */
function findFailedSuites({ testResults }: Report, folder: string): string[] {
	const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
	if (failed.length === 0) throw new RangeError('The report names no test file that failed.');
	if (failed.length > MOST) throw new RangeError(`${failed.length} test files failed.`);
	return failed.map((name) => relative(folder, name));
}

const [, script, file = ''] = process.argv;
if (script?.endsWith('failedSuites.ts')) {
	runMain(async () => {
		const report = JSON.parse(await readFile(file, 'utf8')) as Report;
		process.stdout.write(`${findFailedSuites(report, process.cwd()).join('\n')}\n`);
	});
}
