import { Listr } from 'listr2';

import { ensureBuilt } from '../n8n/install/build';
import { interruption, runMain } from '../cli/command';
import { ensureN8nInstalled, INSTALLATION_TAKES, type N8nHost } from '../n8n/install/install';
import { sometimes } from '../cli/progress';
import { parseOptions, type Options } from './options';
import { present, selectGroups } from './people/campaign';
import { formatProgress } from './people/report';
import { runPeople, type PeopleResult } from './people/run';

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** @param results one is added by each part that has ended */
function steps(options: Options, results: PeopleResult[], signal: AbortSignal): Listr {
	let host: N8nHost;
	return new Listr(
		[
			{
				title: `n8n (installed once: ${INSTALLATION_TAKES})`,
				task: async (_context, task) => {
					host = await ensureN8nInstalled({
						signal,
						onProgress: sometimes((text) => (task.output = text)),
					});
				},
			},
			{ title: 'Build the package', task: async () => await ensureBuilt(signal) },
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
		{
			// Ctrl-C is handled below, where everything that runs can be ended first.
			registerSignalListeners: false,
			fallbackRenderer: 'simple',
			fallbackRendererCondition: () => !process.stdout.isTTY,
		},
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
