import { loadavg } from 'node:os';
import { alternate } from '../alternate';
import type { DatabaseName } from '../database';
import { LedgerBench, makeReferenced, type Likeness, type Run } from '../ledgerBench';
import { formatTable, spread, type Row, type Suite, type SuiteOptions } from '../report';
import { makePayouts } from '../service';
import { differences, median } from '../statistics';

const ITEMS = 400;
/** Rows in the ledger for each payout: 20,000 and 200,000 beside 400. */
const DEPTHS = [50, 500];
const DATABASES: readonly DatabaseName[] = ['SQLite', 'PostgreSQL'];
/** Rounds of a loop that pays one item in each. */
const ROUNDS = 20;

/** The most milliseconds in all, or more than without a ledger. */
type Aim = { readonly inAll: number } | { readonly more: number };

/** A line of the table, which says whether the aim was reached. Samples in milliseconds. */
function toRow(
	measured: string,
	aim: Aim,
	ours: readonly number[],
	withoutLedger: readonly number[],
): Row {
	const more = differences(ours, withoutLedger);
	const [what, most, measuredMs] =
		'more' in aim
			? (['ms more', aim.more, median(more)] as const)
			: (['ms', aim.inAll, median(ours)] as const);
	return {
		measured,
		ours: spread(ours, 0, ' ms'),
		compared: spread(withoutLedger, 0, ' ms'),
		ratio: `${spread(more, 0, ' ms')} more`,
		note: `at most ${most} ${what}: ${measuredMs <= most ? 'reached' : '**missed**'}`,
	};
}

/** What it costs that payouts are written down. */
export const ledger: Suite = async (options) => {
	const rows: Row[] = [];
	for (const database of DATABASES) {
		await LedgerBench.open(database, options.onProgress, async (bench) => {
			for (const depth of DEPTHS) rows.push(...(await measure(bench, database, depth, options)));
		});
	}
	return rows;
};

async function measure(
	bench: LedgerBench,
	database: DatabaseName,
	depth: number,
	{ runs, items = ITEMS, onProgress }: SuiteOptions,
): Promise<Row[]> {
	await bench.table.fill(depth * items);
	const where = `${database}, ${(depth * items).toLocaleString('en')} rows`;
	const compare = async <Name extends string, Sample>(
		measures: Readonly<Record<Name, () => Promise<Sample>>>,
	) => await alternate(measures, runs, (text) => onProgress(`${where}, ${text}`));
	const pay = async (workflow: 'withoutLedger' | 'withoutReference', count: number) =>
		await bench.payNew(workflow, makePayouts(count));
	const payTwice = (likeness: Likeness) => async (): Promise<[Run, Run]> => {
		const payouts = makeReferenced(items, likeness);
		return [
			await bench.payNew('withReference', payouts),
			await bench.pay('withReference', payouts),
		];
	};

	const lists = await compare({
		withoutLedger: async () => [await pay('withoutLedger', items)],
		withoutReference: async () => [await pay('withoutReference', items)],
		alike: payTwice('alike'),
		random: payTwice('random'),
	});
	const row = (
		what: string,
		figure: keyof Run,
		aim: Aim,
		ours: ReadonlyArray<Run | undefined>,
		others: ReadonlyArray<Run | undefined>,
	): Row => {
		const toFigures = (samples: typeof ours) => samples.map((run) => run?.[figure] ?? NaN);
		return toRow(`${where}: ${what}, ${figure}`, aim, toFigures(ours), toFigures(others));
	};
	const without = lists.withoutLedger.map(([run]) => run);
	const automatic = lists.withoutReference.map(([run]) => run);
	const inTime = { more: depth === DEPTHS.at(-1) ? 2_000 : 600 };
	const rows = [
		row(`${items} without reference`, 'time', { more: 250 }, automatic, without),
		row(`${items} without reference`, 'processor', { more: 250 }, automatic, without),
		row(`${items} without reference`, 'stop', { inAll: 200 }, automatic, without),
		...(['alike', 'random'] as const).flatMap((likeness) =>
			['new', 'paid before'].flatMap((kind, index) => {
				const ours = lists[likeness].map((both) => both[index]);
				const what = `${items} references, ${likeness}, ${kind}`;
				return [
					row(what, 'time', inTime, ours, without),
					row(what, 'stop', { inAll: 200 }, ours, without),
				];
			}),
		),
	];
	if (depth === DEPTHS[0]) {
		const single = await compare({
			withoutLedger: async () => await pay('withoutLedger', 1),
			withoutReference: async () => await pay('withoutReference', 1),
			withReference: async () => await bench.payNew('withReference', makeReferenced(1, 'random')),
		});
		const one = 'one without reference';
		/** @returns milliseconds for each round */
		const payInLoop = async (workflow: 'loopWithoutLedger' | 'loopWithoutReference') =>
			(await bench.payNew(workflow, makePayouts(ROUNDS))).time / ROUNDS;
		const rounds = await compare({
			withoutLedger: async () => await payInLoop('loopWithoutLedger'),
			withoutReference: async () => await payInLoop('loopWithoutReference'),
		});
		rows.push(
			row(one, 'time', { more: 250 }, single.withoutReference, single.withoutLedger),
			row(one, 'processor', { more: 250 }, single.withoutReference, single.withoutLedger),
			row('one reference', 'time', inTime, single.withReference, single.withoutLedger),
			toRow(
				`${where}: a round of a loop, without reference`,
				{ more: 200 },
				rounds.withoutReference,
				rounds.withoutLedger,
			),
		);
	}
	// All of it takes half an hour: what is measured is shown before something else fails.
	onProgress(`${where}, done at a load of ${loadavg()[0]?.toFixed(1)}\n${formatTable(rows)}`);
	return rows;
}
