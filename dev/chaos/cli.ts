import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { Listr } from 'listr2';

import { ensureBuilt } from '../n8n/install/build';
import { interruption, runMain } from '../cli/command';
import { ensureN8nInstalled, INSTALLATION_TAKES, type N8nHost } from '../n8n/install/install';
import { sometimes } from '../cli/progress';
import { keepsPromise } from './report/reconcile';
import { parseOptions, type Options } from './options';
import { selectGroups, presentPeople } from './people/campaign';
import { runPeople, type PeopleResult } from './people/run';
import { formatFaults, formatProgress, formatResults, formatFaultCounts } from './report/report';
import { runStrategy, type Progress, type Result } from './run';
import { PROCEDURE } from './user';

function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

interface Campaign {
	readonly options: Options;
	readonly results: Result[];
	readonly peopleResults: PeopleResult[];
	n8nVersion: string;
}

async function readVersion(host: N8nHost): Promise<string> {
	const manifest = await readFile(join(host.folder, 'node_modules', 'n8n', 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

/** What runs in a separate n8n. */
interface Part {
	readonly title: string;
	readonly run: (
		host: N8nHost,
		onProgress: (progress: Progress) => void,
		signal: AbortSignal,
	) => Promise<void>;
}

function parts({ options, results, peopleResults }: Campaign): Part[] {
	if (options.people) {
		return selectGroups(options).map(({ title, strategies }) => ({
			title,
			run: async (host, onProgress, signal) => {
				peopleResults.push(await runPeople(strategies, options, host, onProgress, signal));
			},
		}));
	}
	return options.strategies.map((strategy) => ({
		title: strategy.title,
		run: async (host, onProgress, signal) => {
			results.push(await runStrategy(strategy, options, host, onProgress, signal));
		},
	}));
}

function steps(campaign: Campaign, signal: AbortSignal): Listr {
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
					campaign.n8nVersion = await readVersion(host);
					task.title = `n8n ${campaign.n8nVersion} is installed`;
				},
			},
			{ title: 'Build the package', task: async () => await ensureBuilt(signal) },
			...parts(campaign).map(({ title, run }) => ({
				title,
				task: async (_context: unknown, task: { output: string }) => {
					const startedAt = Date.now();
					const onProgress = sometimes((text: string) => (task.output = text));
					await run(
						host,
						(progress) => onProgress(formatProgress(progress, Date.now() - startedAt)),
						signal,
					);
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

/** Prints the outcome. @returns whether this package kept its promise */
function present({ options, results, peopleResults, n8nVersion }: Campaign): boolean {
	const useColour = process.stdout.isTTY;
	if (options.people) return presentPeople(options, peopleResults, useColour, print);
	print(`\n${formatFaultCounts(results, useColour)}`);
	print(`\n${formatResults(results, useColour)}`);
	print(`\n${PROCEDURE}`);
	if (results.some(({ strategy }) => !strategy.isKeyRequired)) {
		print(
			'As documented, the service refuses a write without a key, so nothing is paid. "Accepted" shows what a service without idempotency would have paid.',
		);
	}
	print(`n8n ${n8nVersion} on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}.`);
	print(
		`Repeat it: npm run campaign -- --seed ${options.seed} --payouts ${options.payouts} --kills ${options.kills}`,
	);
	const failed = results.filter(({ strategy, total }) => strategy.isOurs && !keepsPromise(total));
	for (const result of failed) {
		print(`\n${result.strategy.title} did not keep its promise:\n${formatFaults(result)}`);
	}
	return failed.length === 0;
}

async function main(): Promise<void> {
	const options = parseOptions(process.argv.slice(2));
	print(`Seed ${options.seed}, ${options.payouts} payouts, ${options.kills} kills.`);
	const campaign: Campaign = { options, results: [], peopleResults: [], n8nVersion: '' };
	try {
		await steps(campaign, interruption()).run();
	} catch (error) {
		// The other results took minutes and must not be lost.
		if (campaign.results.length + campaign.peopleResults.length > 0) present(campaign);
		throw error;
	}
	process.exitCode = present(campaign) ? 0 : 1;
}

runMain(main);
