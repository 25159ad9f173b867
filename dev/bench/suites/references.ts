import { loadavg } from 'node:os';
import { LedgerBench, type Run } from '../ledger/ledgerBench';
import type { DatabaseName } from '../ledger/database';
import { makeReferenced, type Likeness } from '../ledger/payouts';
import { toRow, type Comparison } from '../ledger/rows';
import { alternate } from '../measure/alternate';
import { formatTable, type Row } from '../report';
import type { Suite, SuiteOptions } from '../suite';

const ITEMS = 400;
/** Rows in the ledger for each payout: 20,000 and 200,000 beside 400. */
const DEPTHS = [0, 50, 500];
/** The depth beside which payouts are refused, and how many in place of 400. */
const REFUSED = { depth: 50, times: 1.25 };
const DATABASES: readonly DatabaseName[] = ['SQLite', 'PostgreSQL'];
const LIKENESSES: readonly Likeness[] = ['alike', 'random'];

/** What it costs to pay each payout once by its reference, in every execution. */
export const references: Suite = async (options) => {
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
	options: SuiteOptions,
): Promise<Row[]> {
	const { items = ITEMS, onProgress } = options;
	const rows: Row[] = [];
	let besideNothing: readonly number[] | undefined;
	for (const depth of DEPTHS) {
		await bench.table.fill(depth * items);
		const where = `${database}, ${(depth * items).toLocaleString('en')} rows`;
		const part: Part = {
			...{ bench, where, items, isDeep: depth === DEPTHS.at(-1) },
			options: { ...options, onProgress: (text) => onProgress(`${where}, ${text}`) },
		};
		const lists = await measureLists(part);
		const measured = [...lists.rows, await measureSingle(part)];
		besideNothing ??= lists.without;
		if (depth > 0) {
			const comparison = {
				ours: lists.without,
				without: besideNothing,
				most: 1,
				of: 'ratio',
			} as const;
			measured.push(toRow(`${where}: no references, beside an empty ledger`, comparison));
			measured.push(...(await measureOthers(part)));
		}
		if (depth === REFUSED.depth) measured.push(await measureRefused(part));
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
	/** How many are paid at once. */
	readonly items: number;
	readonly isDeep: boolean;
	readonly options: SuiteOptions;
}

type Kind = 'without' | `${Likeness}, new` | `${Likeness}, paid before`;

/** @returns with the times of runs without references, in ms */
async function measureLists({
	bench,
	where,
	items,
	isDeep,
	options,
}: Part): Promise<{ rows: Row[]; without: number[] }> {
	const runs = new Map<Kind, Run[]>();
	const note = (kind: Kind, number: number, run: Run) => {
		if (number > 0) runs.set(kind, [...(runs.get(kind) ?? []), run]);
		return run.time;
	};
	const measure = (likeness: Likeness) => async (number: number) => {
		const payouts = makeReferenced(items, likeness);
		note(`${likeness}, new`, number, await bench.payWith(payouts));
		return note(`${likeness}, paid before`, number, await bench.payAgain(payouts));
	};
	await alternate(
		{
			without: async (number) => note('without', number, await bench.payWithout(items)),
			alike: measure('alike'),
			random: measure('random'),
		},
		options.runs,
		(name, run) => options.onProgress(`${name}, run ${run} of ${options.runs}`),
	);

	const list = (kind: Kind, figure: 'time' | 'stop') =>
		(runs.get(kind) ?? []).map((run) => run[figure]);
	const row = (figure: 'time' | 'stop', what: string, comparison: Comparison) => (kind: Kind) =>
		toRow(`${where}: ${items} references, ${kind}${what}`, {
			...comparison,
			...{ ours: list(kind, figure), without: list('without', figure) },
		});
	const kinds = LIKENESSES.flatMap((one): Kind[] => [`${one}, new`, `${one}, paid before`]);
	const rows = [
		...kinds.map(row('time', '', { most: isDeep ? 2_000 : 600, of: 'more' })),
		...kinds.map(row('stop', ', longest stop', { most: 200, of: 'all' })),
	];
	return { rows, without: list('without', 'time') };
}

async function measureSingle({ bench, where, options }: Part): Promise<Row> {
	const processor = async (run: Promise<Run>) => (await run).processor ?? NaN;
	const samples = await alternate(
		{
			without: async () => await processor(bench.payWithout(1)),
			with: async () => await processor(bench.payWith(makeReferenced(1, 'random'))),
		},
		options.runs,
	);
	const comparison = {
		ours: samples.with,
		without: samples.without,
		most: 300,
		of: 'more',
	} as const;
	return toRow(`${where}: one reference, processor time`, comparison);
}

async function measureOthers({ bench, where, items, options }: Part): Promise<Row[]> {
	const measure = (likeness: Likeness) => async () =>
		await bench.longestVisit(async () => await bench.payWith(makeReferenced(items, likeness)));
	const samples = await alternate(
		{
			without: async () => await bench.longestVisit(async () => await bench.payWithout(items)),
			alike: measure('alike'),
			random: measure('random'),
		},
		options.runs,
		(name, run) => options.onProgress(`visited, ${name}, run ${run} of ${options.runs}`),
	);
	return LIKENESSES.map((likeness) =>
		toRow(`${where}: ${items} references, ${likeness}, longest wait of another execution`, {
			...{ ours: samples[likeness], without: samples.without, most: 500, of: 'more' },
		}),
	);
}

async function measureRefused({ bench, where, items, options }: Part): Promise<Row> {
	const count = Math.round(items * REFUSED.times);
	const make = () => makeReferenced(count, 'alike');
	const samples = await alternate(
		{
			refused: async () => (await bench.payRefused(make())).time,
			paid: async () => (await bench.payWith(make())).time,
		},
		options.runs,
		(name, run) => options.onProgress(`${name}, run ${run} of ${options.runs}`),
	);
	return toRow(`${where}: ${count} references, refused, beside as many paid`, {
		...{ ours: samples.refused, without: samples.paid, most: 1, of: 'ratio' },
	});
}
