import { loadavg } from 'node:os';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { ensureBuilt } from '../n8n/install/build';
import { runMain } from '../cli/command';
import { LEAST_RUNS } from './alternate';
import { burst } from './parts/burst';
import { deliveries, lazyDeliveries } from './parts/deliveries';
import { handler } from './parts/handler';
import { pages } from './parts/pages';
import type { Part } from './part';
import { payoutProfile } from './parts/payoutProfile';
import { payouts } from './parts/payouts';
import { polling } from './parts/polling';
import { rateLimits } from './parts/rateLimits';
import { references } from './parts/references';
import { describeMachine, tableOf, type Row } from './report';
import { refusals } from './parts/refusals';
import { weight } from './parts/weight';

interface Entry {
	readonly part: Part;
	/** How often each thing is run unless told. */
	readonly runs: number;
}

/** Where a run takes minutes, there are as few as may be. */
const parts: Readonly<Record<string, Entry>> = {
	burst: { part: burst, runs: LEAST_RUNS },
	deliveries: { part: deliveries, runs: 7 },
	handler: { part: handler, runs: 7 },
	lazyDeliveries: { part: lazyDeliveries, runs: 7 },
	pages: { part: pages, runs: 7 },
	payoutProfile: { part: payoutProfile, runs: LEAST_RUNS },
	payouts: { part: payouts, runs: LEAST_RUNS },
	polling: { part: polling, runs: 7 },
	rateLimits: { part: rateLimits, runs: LEAST_RUNS },
	references: { part: references, runs: LEAST_RUNS },
	refusals: { part: refusals, runs: LEAST_RUNS },
	weight: { part: weight, runs: 7 },
};

interface Options {
	readonly runs?: number;
	readonly items?: number;
}

function readRuns(text: string): number {
	const runs = Number(text);
	if (Number.isInteger(runs) && runs >= LEAST_RUNS) return runs;
	throw new InvalidArgumentError(`Must be a whole number from ${LEAST_RUNS}.`);
}

function readItems(text: string): number {
	const items = Number(text);
	if (Number.isInteger(items) && items >= 1) return items;
	throw new InvalidArgumentError('Must be a whole number from 1.');
}

function showProgress(text: string): void {
	if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
	else process.stderr.write(`${text}\n`);
}

async function measure(names: readonly string[], { runs, items }: Options): Promise<void> {
	await ensureBuilt();
	const rows: Row[] = [];
	const ran: string[] = [];
	const loadBefore = loadavg()[0] ?? 0;
	for (const name of names.length > 0 ? names : Object.keys(parts)) {
		const { part, runs: ownRuns } = parts[name]!;
		const onProgress = (text: string) => showProgress(`${name}: ${text}`);
		rows.push(...(await part({ runs: runs ?? ownRuns, items, onProgress })));
		ran.push(`${name} ${runs ?? ownRuns}`);
	}
	if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
	console.log(`${tableOf(rows)}\n`);
	console.log(
		`Median and, in brackets, the middle half of alternating runs (${ran.join(', ')}). ${describeMachine()}. Other processes kept ${loadBefore.toFixed(1)} cores busy when it began.`,
	);
}

async function main(): Promise<void> {
	await new Command('npm run bench --')
		.description(
			'Measures this package beside what one would use instead. All of it, or some parts.',
		)
		.addArgument(new Argument('[parts...]', 'what to measure').choices(Object.keys(parts)))
		.option('-r, --runs <count>', 'how often each thing is run', readRuns)
		.option(
			'-i, --items <count>',
			'withdrawals, deliveries or rows of a run, to try a part out',
			readItems,
		)
		.action(measure)
		.parseAsync();
}

runMain(main);
