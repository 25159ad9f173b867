/** Prints the test files that failed, to be run again, from the JSON report of Vitest. Fails if they are more than a few. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

import { runMain } from './command';

interface Report {
	readonly testResults: ReadonlyArray<{ readonly name: string; readonly status: string }>;
}

/** More of them do not fail by chance. */
const MOST = 3;

runMain(async () => {
	const { testResults } = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Report;
	const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
	if (failed.length === 0) throw new Error('The report names no test file that failed.');
	if (failed.length > MOST) throw new Error(`${failed.length} test files failed.`);
	process.stdout.write(`${failed.map((name) => relative(process.cwd(), name)).join('\n')}\n`);
});
