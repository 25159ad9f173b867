import { loadavg } from 'node:os';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { ensureBuilt } from '../demo/build';
import { LEAST_RUNS } from './alternate';
import { deliveries } from './deliveries';
import { handler } from './handler';
import { pages } from './pages';
import type { Part } from './part';
import { describeMachine, tableOf, type Row } from './report';
import { weight } from './weight';

const parts: Readonly<Record<string, Part>> = { deliveries, handler, pages, weight };

function readRuns(text: string): number {
	const runs = Number(text);
	if (Number.isInteger(runs) && runs >= LEAST_RUNS) return runs;
	throw new InvalidArgumentError(`Must be a whole number from ${LEAST_RUNS}.`);
}

function showProgress(text: string): void {
	if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${text}`);
	else process.stderr.write(`${text}\n`);
}

async function main(names: readonly string[], { runs }: { runs: number }): Promise<void> {
	await ensureBuilt();
	const rows: Row[] = [];
	const loadBefore = loadavg()[0] ?? 0;
	for (const name of names.length > 0 ? names : Object.keys(parts)) {
		const onProgress = (text: string) => showProgress(`${name}: ${text}`);
		rows.push(...(await parts[name]!({ runs, onProgress })));
	}
	if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
	console.log(`${tableOf(rows)}\n`);
	console.log(
		`Median and, in brackets, the middle half of ${runs} alternating runs. ${describeMachine()}. Other processes kept ${loadBefore.toFixed(1)} cores busy when it began.`,
	);
}

const program = new Command()
	.name('bench')
	.description('Measures this package beside what one would use instead. All of it, or some parts.')
	.addArgument(new Argument('[parts...]', 'what to measure').choices(Object.keys(parts)))
	.option('-r, --runs <count>', 'how often each thing is run', readRuns, 7)
	.action(async (names: string[], options: { runs: number }) => await main(names, options));

program.parseAsync().catch((error: unknown) => {
	console.error(error instanceof Error ? error.stack : error);
	process.exitCode = 1;
});
