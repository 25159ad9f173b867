import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { alternate } from '../measure/alternate';
import type { PageMemory } from '../children/pageMemory';
import { collectGarbage } from '../measure/collectGarbage';
import { getMany, prepareEngine, type Manner } from '../getMany';
import { PageServer } from '../pageServer';
import type { Suite, SuiteOptions } from '../suite';
import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';

const ROWS = 10_000;

const VARIANTS = [
	{
		name: '50 ms away',
		latencyMs: 50,
		insertEvery: 0,
		limit: 'The first page has to come alone, and where two readers meet a page is read twice.',
	},
	{
		name: '50 ms away, new ones coming in',
		latencyMs: 50,
		insertEvery: 7,
		limit: 'The same; what comes in makes no page be read again.',
	},
	{
		name: 'no latency',
		latencyMs: 0,
		insertEvery: 0,
		limit: 'One processor core: requests and parsing, which no waiting for the network hides.',
	},
];

/** Reading a long list: time compared with reading it page by page, and memory on top of the rows. */
export const pages: Suite = async (options) => {
	const cleanUp = await prepareEngine();
	const server = await PageServer.start();
	try {
		const rows: Row[] = [];
		for (const variant of VARIANTS) rows.push(await measureTime(server, variant, options));
		rows.push(...(await measureMemory(server, options)));
		return rows;
	} finally {
		server.stop();
		cleanUp();
	}
};

async function measureTime(
	server: PageServer,
	{ name, limit, ...settings }: (typeof VARIANTS)[number],
	{ runs, onProgress }: SuiteOptions,
): Promise<Row> {
	const measure = (manner: Manner) => async () => {
		await server.serve({ rows: ROWS, ...settings });
		collectGarbage();
		const start = performance.now();
		const ids = await getMany(manner, server.url);
		const took = performance.now() - start;
		expectEachOnce(ids);
		return took;
	};
	const samples = await alternate(
		{ sideBySide: measure('sideBySide'), oneByOne: measure('oneByOne') },
		runs,
		(manner, run) => onProgress(`${name}, ${manner}, run ${run} of ${runs}`),
	);
	return {
		measured: `Get Many, Return All, 10,000 rows, ${name}`,
		ours: spread(summarize(samples.sideBySide), 0, ' ms'),
		compared: `one page after the other: ${spread(summarize(samples.oneByOne), 0, ' ms')}`,
		ratio: `${spread(ratios(samples.oneByOne, samples.sideBySide))} times as fast`,
		limitedBy: limit,
	};
}

/** Every row that was there at the beginning, in the order of the list, newest first; new ones may be. */
function expectEachOnce(ids: readonly unknown[]): void {
	const numbers = ids.map((id) => Number(String(id).slice(-12)));
	const old = numbers.filter((number) => number < ROWS);
	const inOrder = old.every((number, index) => number === ROWS - 1 - index);
	if (old.length !== ROWS || !inOrder) throw new Error('Rows are missing, doubled or out of order');
	if (new Set(numbers).size !== numbers.length) throw new Error('A new row came out twice');
}

async function measureMemory(
	server: PageServer,
	{ runs, onProgress }: SuiteOptions,
): Promise<Row[]> {
	const rows: Row[] = [];
	for (const count of [1_000, 10_000, 50_000]) {
		const samples: PageMemory[] = [];
		for (let run = 1; run <= runs; run += 1) {
			onProgress(`memory for ${count} rows, run ${run} of ${runs}`);
			await server.serve({ rows: count, latencyMs: 1, insertEvery: 0 });
			samples.push(await memoryOnce(server.url, count));
		}
		const mebibytes = (values: number[]) => summarize(values.map((bytes) => bytes / 2 ** 20));
		rows.push({
			measured: `Get Many, memory beside the rows, ${count.toLocaleString('en')} rows`,
			ours: spread(mebibytes(samples.map(({ peak, rows: kept }) => peak - kept)), 1, ' MiB'),
			compared: `the rows themselves: ${spread(mebibytes(samples.map(({ rows: kept }) => kept)), 1, ' MiB')}`,
			ratio: `${spread(summarize(samples.map(({ peak, rows: kept }) => peak / kept)))} of the rows at the peak`,
			limitedBy:
				'The pages under way, and one entry for the ID of each row, by which it comes out once.',
		});
	}
	return rows;
}

async function memoryOnce(url: string, rows: number): Promise<PageMemory> {
	const child = fork(join(__dirname, '..', 'children', 'pageMemory.ts'), [url, String(rows)]);
	const exit = once(child, 'exit').then(([code]) => {
		throw new Error(`The measuring process ended with code ${String(code)}`);
	});
	const [memory] = (await Promise.race([once(child, 'message'), exit])) as [PageMemory];
	exit.catch(() => undefined);
	return memory;
}
