import { loadavg } from 'node:os';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { ensureBuilt } from '../n8n/install/build';
import { describeError, runMain } from '../cli/command';
import { LEAST_RUNS } from './measure/alternate';
import { burst, lazyBurst } from './suites/burst';
import { deliveries, lazyDeliveries } from './suites/deliveries';
import { largeRun } from './suites/largeRun';
import { lazyLoad, lazySlowClients, load, slowClients } from './suites/load';
import { pages } from './suites/pages';
import type { Suite } from './suite';
import { payouts } from './suites/payouts';
import { polling } from './suites/polling';
import { rateLimits } from './suites/rateLimits';
import { references } from './suites/references';
import { describeMachine, formatTable, type Row } from './report';
import { refusals } from './suites/refusals';
import { remembered } from './suites/remembered';
import { stops } from './suites/stops';

interface Entry {
	readonly suite: Suite;
	/** How often each measurement is run by default. */
	readonly runs: number;
}

/** Where a run takes minutes, as few as possible. */
const suites: Readonly<Record<string, Entry>> = {
	burst: { suite: burst, runs: LEAST_RUNS },
	deliveries: { suite: deliveries, runs: 7 },
	largeRun: { suite: largeRun, runs: LEAST_RUNS },
	lazyBurst: { suite: lazyBurst, runs: LEAST_RUNS },
	lazyDeliveries: { suite: lazyDeliveries, runs: 7 },
	lazyLoad: { suite: lazyLoad, runs: 1 },
	lazySlowClients: { suite: lazySlowClients, runs: 1 },
	load: { suite: load, runs: 1 },
	pages: { suite: pages, runs: 7 },
	payouts: { suite: payouts, runs: LEAST_RUNS },
	polling: { suite: polling, runs: 7 },
	rateLimits: { suite: rateLimits, runs: LEAST_RUNS },
	references: { suite: references, runs: LEAST_RUNS },
	refusals: { suite: refusals, runs: LEAST_RUNS },
	remembered: { suite: remembered, runs: LEAST_RUNS },
	slowClients: { suite: slowClients, runs: 1 },
	stops: { suite: stops, runs: LEAST_RUNS },
};

interface Options {
	readonly runs?: number;
	readonly items?: number;
	readonly seconds?: number;
}

function readRuns(text: string): number {
	const runs = Number(text);
	if (Number.isInteger(runs) && runs >= LEAST_RUNS) return runs;
	throw new InvalidArgumentError(`Must be a whole number from ${LEAST_RUNS}.`);
}

function readCount(text: string): number {
	const count = Number(text);
	if (Number.isInteger(count) && count >= 1) return count;
	throw new InvalidArgumentError('Must be a whole number from 1.');
}

function showProgress(text: string): void {
	if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
	else process.stderr.write(`${text}\n`);
}

async function measure(names: readonly string[], { runs, items, seconds }: Options): Promise<void> {
	await ensureBuilt();
	const rows: Row[] = [];
	const ran: string[] = [];
	const loadBefore = loadavg()[0] ?? 0;
	for (const name of names.length > 0 ? names : Object.keys(suites)) {
		const { suite, runs: ownRuns } = suites[name]!;
		const onProgress = (text: string) => showProgress(`${name}: ${text}`);
		try {
			const measured = await suite({ runs: runs ?? ownRuns, items, seconds, onProgress });
			rows.push(...measured);
			ran.push(`${name} ${runs ?? ownRuns}`);
			// A run takes most of an hour: what is measured is shown before something else fails.
			onProgress(`done\n${formatTable(measured)}`);
		} catch (error) {
			process.exitCode = 1;
			console.error(`\n${name} failed: ${describeError(error)}`);
		}
	}
	if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
	console.log(`${formatTable(rows)}\n`);
	console.log(
		`Median (interquartile range) of alternating runs (${ran.join(', ')}). ${describeMachine()}. Other processes kept ${loadBefore.toFixed(1)} cores busy at the start.`,
	);
}

async function main(): Promise<void> {
	await new Command('npm run bench --')
		.description('Measures this package against the alternatives: all suites, or those named.')
		.addArgument(new Argument('[suites...]', 'what to measure').choices(Object.keys(suites)))
		.option('-r, --runs <count>', 'how often to run each measurement', readRuns)
		.option(
			'-i, --items <count>',
			'withdrawals, deliveries or rows per run, to try out a suite',
			readCount,
		)
		.option('-s, --seconds <count>', 'how long a load lasts, to try out a suite', readCount)
		.action(measure)
		.parseAsync();
}

runMain(main);
