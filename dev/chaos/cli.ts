import { Listr } from 'listr2';

import { interruption, runMain } from '../cli/command';
import { firstSteps, sometimes, STEP_OPTIONS } from '../cli/steps';
import type { N8nHost } from '../n8n/install/install';
import { parseOptions, type Options } from './options';
import { present, selectGroups } from './people/campaign';
import { formatProgress } from './people/report';
import { runPeople, type PeopleResult } from './people/run';

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** @param results one is added by each part that has ended */
function steps(options: Options, results: PeopleResult[], signal: AbortSignal) {
	let host: N8nHost;
	return new Listr(
		[
			...firstSteps(signal, (installed) => (host = installed)),
			...selectGroups(options).map(({ title, strategies }) => ({
				title,
				task: async (_context: unknown, task: { output: string }) => {
					const startedAt = Date.now();
					const show = sometimes((text: string) => (task.output = text));
					const result = await runPeople(
						strategies,
						options,
						host,
						(progress) => show(formatProgress(progress, Date.now() - startedAt)),
						signal,
					);
					results.push(result);
				},
			})),
		],
		STEP_OPTIONS,
	);
}

async function main(): Promise<void> {
	const options = parseOptions(process.argv.slice(2));
	print(`Seed ${options.seed}, ${options.payouts} payouts, ${options.kills} kills.`);
	const results: PeopleResult[] = [];
	const showResults = () => present(options, results, process.stdout.isTTY, print);
	try {
		await steps(options, results, interruption()).run();
	} catch (error) {
		// The other results took minutes and must not be lost.
		if (results.length > 0) showResults();
		throw error;
	}
	process.exitCode = showResults() ? 0 : 1;
}

runMain(main);
