import { Listr } from 'listr2';

import { interruption, runMain } from '../cli/command';
import { firstSteps, sometimes, STEP_OPTIONS } from '../cli/steps';
import type { N8nHost } from '../n8n/install/install';
import { parseOptions, type Options } from './options';
import { present } from './report';
import { runCampaign, type Result } from './run';
import { HTTP_REQUEST, WITHOUT_REFERENCES, WITH_REFERENCES, type Strategy } from './workflows';

function select(name: Options['only'][number], people: boolean): Strategy[] {
	if (name === 'random-key') return [HTTP_REQUEST];
	// Without people, references have nothing to show: nobody runs a list again.
	return people ? [WITH_REFERENCES, WITHOUT_REFERENCES] : [WITHOUT_REFERENCES];
}

runMain(async () => {
	const options = parseOptions(process.argv.slice(2));
	const { seed, payouts, kills, people, only } = options;
	console.log(`Seed ${seed}, ${payouts} payouts, ${kills} kills.`);
	const signal = interruption();
	const results: Result[] = [];
	let host: N8nHost;
	const steps = new Listr(
		[
			...firstSteps(signal, (installed) => (host = installed)),
			...only.map((name) => ({
				title: name === 'ours' ? 'BRL Payments' : HTTP_REQUEST.title,
				task: async (_context: unknown, task: { output: string }) => {
					const show = sometimes((text) => (task.output = text));
					results.push(await runCampaign(select(name, people), options, host, show, signal));
				},
			})),
		],
		STEP_OPTIONS,
	);
	let isKept = false;
	try {
		await steps.run();
	} finally {
		// The results took minutes and must not be lost if a later part fails.
		if (results.length > 0) isKept = present(options, results);
	}
	process.exitCode = isKept ? 0 : 1;
});
