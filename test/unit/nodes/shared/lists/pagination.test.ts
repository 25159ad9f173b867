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
	const first = (page: number) => (page === 1 ? [row('A')] : []);
	const nameless = () => [{ id: { odd: true } }];

	test.each<[string, (page: number) => ApiRecord[], count: number, limit: number, most: number]>([
		['promises rows that it does not have', first, 50, Infinity, 3 * (1 + PAGES_AT_ONCE)],
		['names more pages than can be counted', same, 2 ** 53, Infinity, forever],
		['always sends the same page, of which few rows are wanted', same, 1e9, 2, 15],
		['sends the same page without a usable ID', nameless, 1e9, Infinity, forever],
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

		expect(getIds((await collectPages(fetchPage, 2, Infinity, all)).rows)).toEqual(letters(2));
		expect(fetchPage).toHaveBeenCalledTimes(2);
	});
});

test('rows without ID are distinguished by their content', async () => {
	const page = { rows: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], total: 2, totalPages: 1 };
	const { rows } = await collectPages(async () => page, 10, Infinity, all);
	expect(rows).toEqual([{ name: 'a' }, { name: 'b' }]);
});

/** Returns pages on demand, in any order. */
class SlowList extends FakeList {
	readonly underWay = new Map<number, { answer: () => void; fail: (error: Error) => void }>();

	readonly fetchSlowly = async (page: number): Promise<Page> =>
		await new Promise((resolve, reject) => {
			const done = () => this.underWay.delete(page);
			this.underWay.set(page, {
				answer: () => void (done() && resolve(this.fetchPage(page))),
				fail: (error) => void (done() && reject(error)),
			});
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

test.each([
	// Page 1 alone, then as many at once as are allowed, then page 1 again, which shows whether rows came.
	[14, 10, [[1], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [12, 13, 14], [1]]],
	[13, 10, [[1], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [12, 13], [1]]],
	[5, 2, [[1], [2], [3], [4], [5]]],
	[3, 10, [[1], [2], [3]]],
])('a list of %i pages, at most %i at once, is read in waves: %j', async (count, atOnce, waves) => {
	const list = new SlowList(letters(count), 1);
	const seen: number[][] = [];

	const reading = collectPages(list.fetchSlowly, 1, Infinity, all, atOnce);
	for (let pages = await list.pages(); pages.length > 0; pages = await list.pages()) {
		seen.push(pages);
		// The last one first.
		await list.answer(...[...pages].reverse());
	}

	expect(await reading).toEqual({ rows: letters(count).map(row), isComplete: true });
	expect(seen).toEqual(waves);
});

/** What no random order below finds: each of these alone shows one condition of the proof. */
describe('a row is not missed when rows come and go between two pages', () => {
	function expectAllOnce(ids: unknown[], isComplete: boolean, stayed: string[]): void {
		expect(isComplete).toBe(true);
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(stayed));
	}

	test.each([
		['three come, two of them are met, and all are gone when page 1 is read again', [], 0],
		['the same, and three that were met are gone as well', [6, 7, 8], 3],
	])('at the same time: %s', async (_, pagesBefore, gone) => {
		const list = new SlowList(letters(8), 1);
		const reading = collectPages(list.fetchSlowly, 1, Infinity, all);
		await list.pages();
		await list.answer(1);
		await list.pages();
		await list.answer(...pagesBefore);
		list.rows.unshift('newest', 'newer', 'new');
		list.rows.splice(8, gone);
		await list.answer(2, 3);
		list.rows.splice(0, 3);
		while ((await list.pages()).length > 0) await list.answerAll();
		const { rows, isComplete } = await reading;

		expectAllOnce(getIds(rows), isComplete, list.rows);
	});

	test('one after the other: two come, and one that was met goes', async () => {
		const list = new FakeList(letters(4), 1);
		const fetchPage = async (page: number) => {
			if (list.asked.length === 1) list.rows.unshift('newer', 'new');
			// As many are met as there were, with a new one in place of B.
			if (list.asked.length === 3) list.rows.splice(2, 1);
			return await list.fetchPage(page);
		};
		const { rows, isComplete } = await collectPages(fetchPage, 1, Infinity, all, 1);

		expectAllOnce(getIds(rows), isComplete, ['B', 'C', 'D']);
	});
});

test('an error is the first one, when all that is under way has come in, and none goes unhandled', async () => {
	const unhandled = vi.fn();
	process.on('unhandledRejection', unhandled);
	const list = new SlowList(letters(10), 1);
	const caught = vi.fn();

	const reading = collectPages(list.fetchSlowly, 1, Infinity, all).catch(caught);
	await list.pages();
	await list.answer(1);
	const pages = await list.pages();
	for (const page of [8, 5]) list.underWay.get(page)!.fail(new Error(`lost ${page}`));
	await list.answer(...pages.filter((page) => page > 2 && page !== 8 && page !== 5));
	expect(caught).not.toHaveBeenCalled();
	await list.answer(2);
	await reading;
	process.off('unhandledRejection', unhandled);

	expect(caught).toHaveBeenCalledWith(new Error('lost 5'));
	expect(Math.max(...list.asked)).toBe(10);
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
	limit = Infinity,
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
	const collected = await scheduler.waitFor(collectPages(fetchPage, pageSize, limit, all, atOnce));
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
	test('returns rows once and in order while rows come in, and all if fewer come than a page holds', async () => {
		const limits = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 70 }));
		const arrivals = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				sizes,
				limits,
				arrivals,
				async (scheduler, size, limit, all) => {
					const comingIn = limit === Infinity ? all.slice(0, size.pageSize - 1) : all;
					const change = (rows: string[], request: number) => {
						const count = comingIn.filter((when) => when === request).length;
						for (let nth = 0; nth < count; nth += 1) rows.unshift(`new-${request}-${nth}`);
					};
					const { ids, isComplete, requests } = await collectAmidst(scheduler, size, change, limit);

					expect(new Set(ids).size).toBe(ids.length);
					const old = ids.filter((id) => !id.startsWith('new'));
					if (isComplete) expect(old).toEqual(letters(size.count).slice(0, old.length));
					if (limit !== Infinity) return;
					expect([isComplete, old.length]).toEqual([true, size.count]);
					// Three passes at most, the first two with page 1 once more.
					const pages = Math.ceil((size.count + comingIn.length) / size.pageSize);
					expect(requests).toBeLessThanOrEqual(3 * (Math.max(1, pages) + size.atOnce) + 2);
				},
			),
			{ numRuns: 2 * RUNS },
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
