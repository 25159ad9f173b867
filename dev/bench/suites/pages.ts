import { getMany, oneByOne, withPageServer, type PageServer } from '../getMany';
import { alternate } from '../measure/alternate';
import { collectGarbage } from '../measure/processes';
import { spread, timesAsFast, type Row, type Suite, type SuiteOptions } from '../report';

const ROWS = 10_000;

const VARIANTS = [
	{ name: '50 ms away', latencyMs: 50, insertEvery: 0 },
	{ name: '50 ms away, new ones coming in', latencyMs: 50, insertEvery: 7 },
	{ name: 'no latency', latencyMs: 0, insertEvery: 0 },
];

/** Reading a long list: time compared with reading it page by page. */
export const pages: Suite = async (options) =>
	await withPageServer(async (server) => {
		const rows: Row[] = [];
		for (const variant of VARIANTS) rows.push(await measureTime(server, variant, options));
		return rows;
	});

async function measureTime(
	server: PageServer,
	{ name, ...settings }: (typeof VARIANTS)[number],
	{ runs, onProgress }: SuiteOptions,
): Promise<Row> {
	const measure = (read: typeof getMany) => async () => {
		await server.serve({ rows: ROWS, ...settings });
		collectGarbage();
		const start = performance.now();
		const ids = await read(server.url);
		const took = performance.now() - start;
		expectEachOnce(ids);
		return took;
	};
	const samples = await alternate(
		{ sideBySide: measure(getMany), oneByOne: measure(oneByOne) },
		runs,
		(text) => onProgress(`${name}, ${text}`),
	);
	return {
		measured: `Get Many, Return All, 10,000 rows, ${name}`,
		ours: spread(samples.sideBySide, 0, ' ms'),
		compared: `one page after the other, by fetch: ${spread(samples.oneByOne, 0, ' ms')}`,
		ratio: timesAsFast(samples.sideBySide, samples.oneByOne),
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
