import fc from 'fast-check';
import { collectPages, PAGES_AT_ONCE } from '../../../../../nodes/shared/lists/pagination';
import type { ApiRecord, Page } from '../../../../../nodes/shared/transport/schemas';
import { countCases } from '../../../support/cases';

const row = (id: string): ApiRecord => ({ id });
const getIds = (rows: readonly ApiRecord[]) => rows.map(({ id }) => id);
const all = () => true;

/** A list, newest first, that may change between two requests. */
class FakeList {
	readonly asked: number[] = [];

	constructor(
		public rows: string[],
		private readonly pageSize: number,
		private readonly counts = true,
	) {}

	readonly fetchPage = async (page: number): Promise<Page> => {
		if (this.asked.length >= 1_000) throw new Error('The list is read for ever');
		this.asked.push(page);
		const rows = this.rows.slice((page - 1) * this.pageSize, page * this.pageSize).map(row);
		const total = this.rows.length;
		return this.counts
			? { rows, total, totalPages: Math.ceil(total / this.pageSize) }
			: { rows, total: undefined, totalPages: undefined };
	};
}

/** Distinct names of one character: A, B, C, … */
const letters = (count: number) =>
	Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index));

test.each([
	[0, true, [1]],
	[2, true, [1]],
	[3, true, [1, 2]],
	[5, true, [1, 2, 3]],
	// Only a page that is not full, or empty, shows the end.
	[5, false, [1, 2, 3]],
	[4, false, [1, 2, 3]],
])('a list of %i rows, counted (%o), is read with the pages %o', async (count, counts, pages) => {
	const list = new FakeList(letters(count), 2, counts);

	const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

	expect(getIds(rows)).toEqual(letters(count));
	expect(isComplete).toBe(true);
	expect(list.asked).toEqual(pages);
});

describe('a server that counts wrongly', () => {
	const forever = 3 * (1 + 3 * PAGES_AT_ONCE);

	const same = () => [row('A')];

	test.each<[string, (page: number) => ApiRecord[], count: number, limit: number, most: number]>([
		[
			'promises rows that it does not have',
			(page) => (page === 1 ? [row('A')] : []),
			...([50, Infinity, 3 * (1 + PAGES_AT_ONCE)] as const),
		],
		['names more pages than can be counted', same, 2 ** 53, Infinity, forever],
		['always sends the same page', same, 1e9, Infinity, forever],
		['always sends the same page, of which few rows are wanted', same, 1e9, 2, 15],
		['sends the same page without a usable ID', () => [{ id: { odd: true } }], 1e9, Infinity, 15],
	])('is not asked forever if it %s', async (_, toRows, count, limit, atMost) => {
		const counts = { total: count, totalPages: count };
		const fetchPage = vi.fn(async (page: number) => ({ rows: toRows(page), ...counts }));

		const { rows, isComplete } = await collectPages(fetchPage, 1, limit, all);

		expect([rows.length, isComplete]).toEqual([1, false]);
		expect(fetchPage.mock.calls.length).toBeLessThanOrEqual(atMost);
	});

	test('is asked no third time for the page that it repeats without counting', async () => {
		const uncounted = { total: undefined, totalPages: undefined };
		const fetchPage = vi.fn(async () => ({ rows: letters(2).map(row), ...uncounted }));

		const { rows } = await collectPages(fetchPage, 2, Infinity, all);

		expect(getIds(rows)).toEqual(letters(2));
		expect(fetchPage).toHaveBeenCalledTimes(2);
	});
});

test('rows without ID are distinguished by their content', async () => {
	const { rows } = await collectPages(
		async () => ({ rows: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], total: 2, totalPages: 1 }),
		10,
		Infinity,
		all,
	);

	expect(rows).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('rows without ID are read one page after the other, since it would be unknown where readers meet', async () => {
	const list = new FakeList(letters(9), 1);
	const nameless = async (page: number): Promise<Page> => {
		const answer = await list.fetchPage(page);
		return {
			...answer,
			rows: answer.rows.map(() => ({ name: page > 6 ? 'many' : `one ${page}` })),
		};
	};

	const { rows } = await collectPages(nameless, 1, Infinity, all);

	expect(rows.map(({ name }) => name)).toEqual([
		...['one 1', 'one 2', 'one 3', 'one 4', 'one 5', 'one 6'],
		'many',
	]);
	expect(list.asked.slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

/** Returns pages on demand, in any order. */
class SlowList extends FakeList {
	mostAtOnce = 0;
	readonly underWay = new Map<number, { answer: () => void; fail: (error: Error) => void }>();

	readonly fetchSlowly = async (page: number): Promise<Page> =>
		await new Promise((resolve, reject) => {
			const done = () => this.underWay.delete(page);
			this.underWay.set(page, {
				answer: () => void (done() && resolve(this.fetchPage(page))),
				fail: (error) => void (done() && reject(error)),
			});
			this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay.size);
		});

	/** The pages that are being asked for. */
	async pages(): Promise<number[]> {
		await new Promise(setImmediate);
		return [...this.underWay.keys()];
	}

	async answer(...pages: number[]): Promise<void> {
		for (const page of pages) {
			this.underWay.get(page)!.answer();
			await new Promise(setImmediate);
		}
	}

	async answerAll(): Promise<void> {
		while (this.underWay.size > 0) await this.answer(...this.underWay.keys());
	}
}

describe('pages that are read ahead', () => {
	test.each([
		// Page 1 alone; then so many readers, of which all but the last read one page of the next one.
		[7, 10, 1 + 6 + 1, 2],
		[100, 10, 1 + 99 + 9, 10],
		[100, 3, 1 + 99 + 2, 3],
		[100, 1, 1 + 99, 1],
		[6, 10, 1 + 5, 1],
	])('of %i, %i at once, take %i requests', async (count, atOnce, requests, mostAtOnce) => {
		const list = new SlowList(letters(count), 1);

		const reading = collectPages(list.fetchSlowly, 1, Infinity, all, atOnce);
		await list.answerAll();

		expect(getIds((await reading).rows)).toEqual(letters(count));
		expect(list.asked).toHaveLength(requests);
		expect(list.mostAtOnce).toBe(mostAtOnce);
	});

	test('are the next ones when too few rows match to fill the limit', async () => {
		const list = new FakeList(letters(60), 1);
		const isEven = ({ id }: ApiRecord) => letters(60).indexOf(String(id)) % 2 === 0;

		const { rows, leftOut } = await collectPages(list.fetchPage, 1, 20, isEven);

		expect(getIds(rows)).toEqual(letters(40).filter((_, index) => index % 2 === 0));
		expect(leftOut).toBeLessThanOrEqual(20);
		expect(Math.max(...list.asked)).toBeLessThanOrEqual(40);
	});

	test('are read again when so many rows come in that a reader cannot reach the next one', async () => {
		const list = new SlowList(letters(10), 1);

		const reading = collectPages(list.fetchSlowly, 1, Infinity, all);
		await list.pages();
		await list.answer(1, 2, 5, 8, 6, 7, 8);
		list.rows.unshift(...letters(20).slice(10));
		await list.answerAll();
		const { rows, isComplete } = await reading;

		expect(getIds(rows)).toEqual(expect.arrayContaining(letters(10)));
		expect(isComplete).toBe(true);
		expect(list.asked.filter((page) => page === 1)).toHaveLength(2);
	});
});

test('an error ends the other readers too, when what they have under way has come in', async () => {
	const list = new SlowList(letters(10), 1);
	const caught = vi.fn();

	const reading = collectPages(list.fetchSlowly, 1, Infinity, all).catch(caught);
	await list.pages();
	await list.answer(1);
	list.underWay.get(5)!.fail(new Error('lost'));
	await list.answer(8);
	expect(caught).not.toHaveBeenCalled();
	await list.answer(2);
	await reading;

	expect(caught).toHaveBeenCalledWith(new Error('lost'));
	expect(list.asked).toEqual([1, 8, 2]);
});

test('an error is the first one when all pages under way fail, and none goes unhandled', async () => {
	const unhandled = vi.fn();
	process.on('unhandledRejection', unhandled);
	const list = new SlowList(letters(10), 1);

	const reading = collectPages(list.fetchSlowly, 1, Infinity, all);
	await list.pages();
	await list.answer(1);
	for (const page of [8, 2, 5]) list.underWay.get(page)!.fail(new Error(`lost ${page}`));
	await expect(reading).rejects.toThrow('lost 8');
	await new Promise(setImmediate);
	process.off('unhandledRejection', unhandled);

	expect(unhandled).not.toHaveBeenCalled();
});

/**
 * A server and a network between which everything takes its time: `scheduler` decides when a request
 * is processed and when its response arrives, and before each page that is processed the list changes.
 */
async function collectAmidst(
	scheduler: fc.Scheduler,
	{ count, pageSize, atOnce }: { count: number; pageSize: number; atOnce: number },
	change: (rows: string[], request: number) => void,
) {
	const list = new FakeList(letters(count), pageSize);
	const travel = async () => await scheduler.schedule(Promise.resolve());
	const fetchPage = async (page: number) => {
		await travel();
		change(list.rows, list.asked.length);
		const answer = await list.fetchPage(page);
		await travel();
		return answer;
	};
	const collected = await scheduler.waitFor(
		collectPages(fetchPage, pageSize, Infinity, all, atOnce),
	);
	return { ...collected, ids: getIds(collected.rows) as string[], requests: list.asked.length };
}

/** Each costs thousands of promises. */
const RUNS = countCases(150);

const sizes = fc.record({
	count: fc.integer({ min: 0, max: 60 }),
	pageSize: fc.integer({ min: 1, max: 4 }),
	atOnce: fc.integer({ min: 1, max: 10 }),
});

describe('a list that changes while several pages are under way', () => {
	test('returns every row once and in order while fewer rows come in than a page holds', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				sizes,
				fc.array(fc.nat({ max: 40 }), { maxLength: 4 }),
				async (scheduler, size, arrivals) => {
					const comingIn = arrivals.slice(0, size.pageSize - 1);
					const { ids, isComplete, requests } = await collectAmidst(
						scheduler,
						size,
						(rows, request) => {
							const count = comingIn.filter((when) => when === request).length;
							for (let added = 0; added < count; added += 1) {
								rows.unshift(`new-${request}-${added}`);
							}
						},
					);

					const old = letters(size.count);
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.filter((id) => old.includes(id))).toEqual(old);
					expect(isComplete).toBe(true);
					// One page more for what came in, and for every reader but the last two at the most.
					const pages = Math.ceil((size.count + comingIn.length) / size.pageSize);
					expect(requests).toBeLessThanOrEqual(Math.max(1, pages) + 2 * (size.atOnce - 1));
				},
			),
			{ numRuns: RUNS },
		);
	});

	const changes = fc.array(
		fc.record({
			inserted: fc.nat({ max: 2 }),
			removedAt: fc.array(fc.nat({ max: 70 }), { maxLength: 2 }),
		}),
		{ maxLength: 40 },
	);

	test('returns no row twice, and has all that stayed when it says that it is complete', async () => {
		let complete = 0;
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), sizes, changes, async (scheduler, size, schedule) => {
				const removed = new Set<string>();
				const { ids, isComplete } = await collectAmidst(scheduler, size, (rows, request) => {
					const { inserted = 0, removedAt = [] } = schedule[request] ?? {};
					for (const index of removedAt) {
						for (const id of rows.splice(index, 1)) removed.add(id);
					}
					for (let added = 0; added < inserted; added += 1) {
						rows.unshift(`new-${request}-${added}`);
					}
				});

				expect(new Set(ids).size).toBe(ids.length);
				if (!isComplete) return;
				complete += 1;
				const stayed = letters(size.count).filter((id) => !removed.has(id));
				expect(ids).toEqual(expect.arrayContaining(stayed));
			}),
			{ numRuns: RUNS },
		);
		expect(complete).toBeGreaterThan(RUNS / 2);
	});
});
