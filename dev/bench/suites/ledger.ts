import { loadavg } from 'node:os';
import type { DatabaseName } from '../ledger/database';
import { LedgerBench, makeReferenced, type Likeness, type Run } from '../ledger/ledgerBench';
import { alternate } from '../measure/alternate';
import { differences, ratios, summarize } from '../measure/statistics';
import { formatTable, spread, type Row, type Suite, type SuiteOptions } from '../report';

const ITEMS = 400;
/** Rows in the ledger for each payout: 20,000 and 200,000 beside 400. */
const DEPTHS = [0, 50, 500];
const DATABASES: readonly DatabaseName[] = ['SQLite', 'PostgreSQL'];
const LIKENESSES: readonly Likeness[] = ['alike', 'random'];

/** A ratio of nearly 1 is as fast. */
const AS_FAST = 1.1;

/** The most milliseconds in all, or more than without references; or as fast as without. */
type Aim = { readonly inAll: number } | { readonly more: number } | 'as fast';

/** A line of the table, which says whether the aim was reached. Samples in milliseconds. */
function toRow(
	measured: string,
	aim: Aim,
	ours: readonly number[],
	without: readonly number[],
): Row {
	const more = differences(ours, without);
	const ratio = ratios(ours, without);
	const row = (text: string, isReached: boolean, compared: string): Row => ({
		measured,
		ours: spread(ours, 0, ' ms'),
		compared: spread(without, 0, ' ms'),
		ratio: compared,
		note: `${text}: ${isReached ? 'reached' : '**missed**'}`,
	});
	const moreText = `${spread(more, 0, ' ms')} more`;
	if (aim === 'as fast') return row(aim, ratio.median <= AS_FAST, spread(ratio));
	if ('more' in aim) return row(`at most ${aim.more} ms more`, more.median <= aim.more, moreText);
	return row(`at most ${aim.inAll} ms`, summarize(ours).median <= aim.inAll, moreText);
}

export const ledger: Suite = async (options) => {
	const rows: Row[] = [];
	for (const database of DATABASES) {
		const measured = await LedgerBench.open(
			database,
			options.onProgress,
			async (bench) => await measureAll(bench, database, options),
		);
		rows.push(...measured);
	}
	return rows;
};

async function measureAll(
	bench: LedgerBench,
	database: DatabaseName,
	{ runs, items = ITEMS, onProgress }: SuiteOptions,
): Promise<Row[]> {
	const rows: Row[] = [];
	let besideNothing: readonly number[] | undefined;
	for (const depth of DEPTHS) {
		await bench.table.fill(depth * items);
		const where = `${database}, ${(depth * items).toLocaleString('en')} rows`;
		const part: Part = {
			...{ bench, where, items, runs, isDeep: depth === DEPTHS.at(-1) },
			onProgress: (text) => onProgress(`${where}, ${text}`),
		};
		const lists = await measureLists(part);
		const measured = [...lists.rows, await measureSingle(part)];
		besideNothing ??= lists.without;
		if (depth > 0) {
			const what = `${where}: no references, beside an empty ledger`;
			measured.push(toRow(what, 'as fast', lists.without, besideNothing));
		}
		// All of it takes half an hour: what is measured is shown before something else fails.
		onProgress(`${where}, done at a load of ${loadavg()[0]?.toFixed(1)}\n${formatTable(measured)}`);
		rows.push(...measured);
	}
	return rows;
}

/** Beside one number of rows in one database. */
interface Part {
	readonly bench: LedgerBench;
	readonly where: string;
	readonly items: number;
	readonly isDeep: boolean;
	readonly runs: number;
	readonly onProgress: (text: string) => void;
}

interface Twice {
	readonly new: Run;
	readonly 'paid before': Run;
}

/** @returns with the times of runs without references, in ms */
async function measureLists({
	bench,
	where,
	items,
	isDeep,
	runs,
	onProgress,
}: Part): Promise<{ rows: Row[]; without: number[] }> {
	const payTwice = (likeness: Likeness) => async (): Promise<Twice> => {
		const payouts = makeReferenced(items, likeness);
		return { new: await bench.payWith(payouts), 'paid before': await bench.payAgain(payouts) };
	};
	const withoutAny = async (): Promise<Twice> => {
		const run = await bench.payWithout(items);
		return { new: run, 'paid before': run };
	};
	const samples = await alternate(
		{ without: withoutAny, alike: payTwice('alike'), random: payTwice('random') },
		runs,
		onProgress,
	);
	const row = (figure: 'time' | 'stop', what: string, aim: Aim) =>
		LIKENESSES.flatMap((likeness) =>
			(['new', 'paid before'] as const).map((kind) => {
				const list = (name: Likeness | 'without') => samples[name].map((run) => run[kind][figure]);
				const measured = `${where}: ${items} references, ${likeness}, ${kind}${what}`;
				return toRow(measured, aim, list(likeness), list('without'));
			}),
		);
	return {
		rows: [
			...row('time', '', { more: isDeep ? 2_000 : 600 }),
			...row('stop', ', longest stop', { inAll: 200 }),
		],
		without: samples.without.map((run) => run.new.time),
	};
}

async function measureSingle({ bench, where, runs }: Part): Promise<Row> {
	const processor = async (run: Promise<Run>) => (await run).processor ?? NaN;
	const samples = await alternate(
		{
			without: async () => await processor(bench.payWithout(1)),
			with: async () => await processor(bench.payWith(makeReferenced(1, 'random'))),
		},
		runs,
	);
	const measured = `${where}: one reference, processor time`;
	return toRow(measured, { more: 300 }, samples.with, samples.without);
}
