import { loadavg } from 'node:os';
import { Argument, Command } from 'commander';
import { ensureBuilt } from '../n8n/install/build';
import { describeError, runMain, wholeNumber } from '../cli/command';
import { LEAST_RUNS } from './alternate';
import { describeMachine, formatTable, type Row, type Suite } from './report';
import { deliveries } from './suites/deliveries';
import { ledger } from './suites/ledger';
import { pages } from './suites/pages';
import { payouts } from './suites/payouts';

const suites: Readonly<Record<string, Suite>> = { deliveries, ledger, pages, payouts };

/** How often each measurement is run by default, where that is more than the least. */
const RUNS: Readonly<Record<string, number>> = { deliveries: 7, pages: 7 };

interface Options {
	readonly runs?: number;
	readonly items?: number;
}

async function measure(names: readonly string[], given: Options): Promise<void> {
	await ensureBuilt();
	const rows: Row[] = [];
	const ran: string[] = [];
	const loadBefore = loadavg()[0] ?? 0;
	for (const name of names.length > 0 ? names : Object.keys(suites)) {
		const runs = given.runs ?? RUNS[name] ?? LEAST_RUNS;
		const onProgress = (text: string) => console.error(`${name}: ${text}`);
		try {
			const measured = await suites[name]!({ ...given, runs, onProgress });
			rows.push(...measured);
			ran.push(`${name} ${runs}`);
			// A run takes most of an hour: what is measured is shown before something else fails.
			onProgress(`done\n${formatTable(measured)}`);
		} catch (error) {
			process.exitCode = 1;
			console.error(`\n${name} failed: ${describeError(error)}`);
		}
	}
	console.log(`${formatTable(rows)}\n`);
	console.log(
		`Median (interquartile range) of alternating runs (${ran.join(', ')}). ${describeMachine()}. Other processes kept ${loadBefore.toFixed(1)} cores busy at the start.`,
	);
}

async function main(): Promise<void> {
	await new Command('npm run bench --')
		.description('Measures this package against the alternatives: all suites, or those named.')
		.addArgument(new Argument('[suites...]', 'what to measure').choices(Object.keys(suites)))
		.option('-r, --runs <count>', 'how often to run each measurement', wholeNumber(LEAST_RUNS))
		.option(
			'-i, --items <count>',
			'withdrawals, deliveries or rows per run, to try out a suite',
			wholeNumber(1),
		)
		.action(measure)
		.parseAsync();
}

runMain(main);
