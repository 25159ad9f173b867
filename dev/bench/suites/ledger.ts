import { loadavg } from 'node:os';
import type { DatabaseName } from '../ledger/database';
import { LedgerBench, makeReferenced, type Likeness, type Run } from '../ledger/ledgerBench';
import { makePayouts } from '../bulk/payouts';
import { alternate } from '../measure/alternate';
import { differences, summarize } from '../measure/statistics';
import { formatTable, spread, type Row, type Suite, type SuiteOptions } from '../report';

const ITEMS = 400;
/** Rounds of a loop that pays one item in each. */
const ROUNDS = 20;
/** Rows in the ledger for each payout: 20,000 and 200,000 beside 400. */
const DEPTHS = [50, 500];
const DATABASES: readonly DatabaseName[] = ['SQLite', 'PostgreSQL'];
const LIKENESSES: readonly Likeness[] = ['alike', 'random'];

/** The most that a run may take more than the same number of charges without External ID. Milliseconds. */
const MORE_WITHOUT_REFERENCE = 250;
const MORE_FOR_EACH_ROUND = 200;
const MORE_WITH_REFERENCES = { 50: 600, 500: 2_000 } as Readonly<Record<number, number>>;
/** The longest that n8n's event loop may stop. */
const LONGEST_STOP = 200;

/** What the ledger costs: payouts beside as many charges that are not written down. */
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
	for (const depth of DEPTHS) {
		const size = depth * items;
		await bench.table.fill(size);
		const where = `${database}, ${size.toLocaleString('en')} rows`;
		const part: Part = {
			...{ bench, where, items, runs, moreWithReferences: MORE_WITH_REFERENCES[depth]! },
			onProgress: (text) => onProgress(`${where}, ${text}`),
		};
		const measured = await measureLists(part);
		if (depth === DEPTHS[0]) {
			measured.push(...(await measureSingle(part)), ...(await measureLoop(part)));
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
	readonly runs: number;
	/** Milliseconds. */
	readonly moreWithReferences: number;
	readonly onProgress: (text: string) => void;
}

type Figure = keyof Run;

/** Compares a figure of runs with that of the same number of charges. */
function compare(
	measured: string,
	[figure, ours, charges]: readonly [Figure, readonly Run[], readonly Run[]],
	most: number,
): Row {
	const [own, others] = [ours, charges].map((runs) => runs.map((run) => run[figure] ?? NaN));
	const more = differences(own!, others!);
	return {
		measured: figure === 'processor' ? `${measured}, processor time` : measured,
		ours: spread(own!, 0, ' ms'),
		compared: spread(others!, 0, ' ms'),
		ratio: `${spread(more, 0, ' ms')} more`,
		note: `at most ${most} ms more: ${more.median <= most ? 'reached' : '**missed**'}`,
	};
}

function stops(measured: string, runs: readonly Run[]): Row {
	const longest = runs.map(({ stop }) => stop);
	const isReached = summarize(longest).median <= LONGEST_STOP;
	return {
		measured: `${measured}, longest stop of n8n's event loop`,
		ours: spread(longest, 0, ' ms'),
		compared: '',
		note: `at most ${LONGEST_STOP} ms: ${isReached ? 'reached' : '**missed**'}`,
	};
}

async function measureLists(part: Part): Promise<Row[]> {
	const { bench, where, items, runs, moreWithReferences, onProgress } = part;
	const payTwice = (likeness: Likeness) => async () => {
		const payouts = makeReferenced(items, likeness);
		return [await bench.pay('reference', payouts), await bench.payAgain(payouts)];
	};
	const payOnce = (kind: 'charge' | 'automatic') => async () => [
		await bench.pay(kind, makePayouts(items)),
	];
	const samples = await alternate<'charges' | 'automatic' | Likeness, readonly Run[]>(
		{
			charges: payOnce('charge'),
			automatic: payOnce('automatic'),
			alike: payTwice('alike'),
			random: payTwice('random'),
		},
		runs,
		onProgress,
	);
	const charges = samples.charges.flat();
	const automatic = samples.automatic.flat();
	const what = `${where}: ${items} payouts`;
	const without = `${what} without references`;
	return [
		compare(without, ['time', automatic, charges], MORE_WITHOUT_REFERENCE),
		compare(without, ['processor', automatic, charges], MORE_WITHOUT_REFERENCE),
		stops(without, automatic),
		...LIKENESSES.flatMap((likeness) =>
			['new', 'paid before'].flatMap((kind, which) => {
				const measured = `${what} with references, ${likeness}, ${kind}`;
				const own = samples[likeness].map((both) => both[which]!);
				return [
					compare(measured, ['time', own, charges], moreWithReferences),
					stops(measured, own),
				];
			}),
		),
	];
}

async function measureSingle({ bench, where, runs }: Part): Promise<Row[]> {
	const { charge, automatic, reference } = await alternate(
		{
			charge: async () => await bench.pay('charge', makePayouts(1)),
			automatic: async () => await bench.pay('automatic', makePayouts(1)),
			reference: async () => await bench.pay('reference', makeReferenced(1, 'random')),
		},
		runs,
	);
	const without = `${where}: 1 payout without a reference`;
	return [
		compare(without, ['time', automatic, charge], MORE_WITHOUT_REFERENCE),
		compare(without, ['processor', automatic, charge], MORE_WITHOUT_REFERENCE),
		compare(`${where}: 1 payout with a reference`, ['time', reference, charge], 600),
	];
}

async function measureLoop({ bench, where, runs }: Part): Promise<Row[]> {
	const loop = (kind: 'charge' | 'automatic') => async () => {
		const { time, processor = NaN, stop } = await bench.pay(kind, makePayouts(ROUNDS), 'loop');
		return { time: time / ROUNDS, processor: processor / ROUNDS, stop };
	};
	const { charge, automatic } = await alternate(
		{ charge: loop('charge'), automatic: loop('automatic') },
		runs,
	);
	const measured = `${where}: a round of a loop that pays 1 without a reference`;
	return [compare(measured, ['time', automatic, charge], MORE_FOR_EACH_ROUND)];
}
