import { readRecent } from '../../../../../nodes/BrlPaymentsTrigger/polling/lists';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';

// Lists in another order, without times, or with the same page forever: rowCollector.test.ts.

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const row = (index: number) => ({
	id: `row-${index}`,
	createdAt: new Date(NOW - index * HOUR).toISOString(),
});
/** One row an hour, newest first. */
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));

interface Server {
	date?: number;
	/** Without counts of pages. */
	isBare?: boolean;
}

function serve(list: readonly ApiRecord[], { date, isBare = false }: Server = {}) {
	const asked: number[] = [];
	const fetchPage = async (page: number): Promise<Page> => {
		asked.push(page);
		return {
			rows: list.slice((page - 1) * 100, page * 100),
			total: isBare ? undefined : list.length,
			totalPages: isBare ? undefined : Math.ceil(list.length / 100),
			date,
		};
	};
	return { asked, fetchPage };
}

const read = async (
	{ fetchPage }: { fetchPage: (page: number) => Promise<Page> },
	daysBack: number,
	resumeAt = 1,
) => await readRecent(fetchPage, NOW - daysBack * DAY, resumeAt, () => NOW);

test('stops behind the window, and leaves out what is older', async () => {
	const server = serve(rows(1_000));
	const { rows: found, nextPage } = await read(server, 3);
	expect(server.asked).toEqual([1]);
	expect(found).toHaveLength(73);
	expect(nextPage).toBe(1);
});

test.each([false, true])('reads to the end of a list, without counts: %s', async (isBare) => {
	const server = serve(rows(250), { isBare });
	expect((await read(server, 30)).rows).toHaveLength(250);
	expect(server.asked).toEqual([1, 2, 3]);
});

test('reads on where rows do not come newest first', async () => {
	const server = serve(rows(250).reverse());
	const { rows: found } = await read(server, 1);
	expect(server.asked).toEqual([1, 2, 3]);
	expect(found).toHaveLength(25);
});

test('stops after 20 pages, and continues there after the first one', async () => {
	const server = serve(rows(2_150));
	expect((await read(server, 365)).nextPage).toBe(21);
	server.asked.length = 0;
	expect((await read(server, 365, 21)).nextPage).toBe(1);
	expect(server.asked).toEqual([1, 21, 22]);
});

test.each([
	[1, 1, 1, 0],
	[3, 1, 3, 200],
	[1, 7, 7, 0],
	[8, 7, 8, 200],
])(
	'when page %i fails at a reading that resumes at %i, it continues at %i',
	async (failing, resumeAt, nextPage, count) => {
		const server = serve(rows(1_000));
		const trouble = new Error('too many requests');
		const fetchPage = async (page: number) => {
			if (page === failing) throw trouble;
			return await server.fetchPage(page);
		};
		const reading = await read({ fetchPage }, 365, resumeAt);
		expect(reading).toMatchObject({ nextPage, error: trouble });
		expect(reading.rows).toHaveLength(count);
	},
);

test('counts the window by the clock of the service', async () => {
	const list = [row(0), row(30)];
	expect((await read(serve(list, { date: NOW }), 1)).rows).toHaveLength(1);
	expect((await read(serve(list, { date: NOW - 7 * HOUR }), 1)).rows).toHaveLength(2);
});
