import fc from 'fast-check';
import { collectPages } from '../../../../nodes/api/pagination';
import type { ApiRecord, Page } from '../../../../nodes/api/schemas';

const row = (id: string): ApiRecord => ({ id });
const idsOf = (rows: readonly ApiRecord[]) => rows.map(({ id }) => id);
const all = () => true;

/** A list, newest first, that may change between two requests. */
class FakeList {
	readonly asked: number[] = [];

	constructor(
		public rows: string[],
		private readonly pageSize: number,
		/** Runs after each answer; the argument counts requests from 1. */
		private readonly afterRequest: (list: FakeList, request: number) => void = () => undefined,
		private readonly counts = true,
	) {}

	readonly fetchPage = async (page: number): Promise<Page> => {
		if (this.asked.length >= 1_000) throw new Error('The list is read for ever');
		this.asked.push(page);
		const rows = this.rows.slice((page - 1) * this.pageSize, page * this.pageSize).map(row);
		const total = this.rows.length;
		const answer = this.counts
			? { rows, total, totalPages: Math.ceil(total / this.pageSize) }
			: { rows, total: undefined, totalPages: undefined };
		this.afterRequest(this, this.asked.length);
		return answer;
	};
}

const letters = (count: number) =>
	Array.from({ length: count }, (_, index) => String.fromCharCode(65 + index));

describe('a list that stands still', () => {
	test.each([
		[0, [1]],
		[1, [1]],
		[2, [1]],
		[3, [1, 2]],
		[4, [1, 2]],
		[5, [1, 2, 3]],
	])('of %i rows is read with the pages %p', async (count, pages) => {
		const list = new FakeList(letters(count), 2);

		const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows)).toEqual(letters(count));
		expect(isComplete).toBe(true);
		expect(list.asked).toEqual(pages);
	});

	test('is read until a page is not full where the server counts nothing', async () => {
		const list = new FakeList(letters(5), 2, undefined, false);

		const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows)).toEqual(letters(5));
		expect(isComplete).toBe(true);
		expect(list.asked).toEqual([1, 2, 3]);
	});

	test('is read until a page is empty where the server counts nothing and all pages are full', async () => {
		const list = new FakeList(letters(4), 2, undefined, false);

		const { rows } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows)).toEqual(letters(4));
		expect(list.asked).toEqual([1, 2, 3]);
	});
});

describe('limit', () => {
	test.each([
		[1, [1]],
		[2, [1]],
		[3, [1, 2]],
	])('%i rows need the pages %p', async (limit, pages) => {
		const list = new FakeList(letters(6), 2);

		const { rows, isComplete } = await collectPages(list.fetchPage, 2, limit, all);

		expect(idsOf(rows)).toEqual(letters(limit));
		expect(isComplete).toBe(true);
		expect(list.asked).toEqual(pages);
	});

	test('counts rows that match, not rows that came', async () => {
		const list = new FakeList(letters(6), 2);

		const { rows, leftOut } = await collectPages(
			list.fetchPage,
			2,
			2,
			({ id }) => id === 'C' || id === 'F',
		);

		expect(idsOf(rows)).toEqual(['C', 'F']);
		expect(leftOut).toBe(4);
	});
});

test('a server that ignores filters makes no row appear that does not match', async () => {
	const list = new FakeList(letters(5), 2);

	const { rows, leftOut, isComplete } = await collectPages(
		list.fetchPage,
		2,
		Infinity,
		({ id }) => id === 'B' || id === 'E',
	);

	expect(idsOf(rows)).toEqual(['B', 'E']);
	expect(leftOut).toBe(3);
	expect(isComplete).toBe(true);
});

describe('a list that changes while it is read', () => {
	test('gives a row once that a new one pushed onto the next page', async () => {
		const list = new FakeList(letters(4), 2, (changing, request) => {
			if (request === 1) changing.rows.unshift('new');
		});

		const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows)).toEqual(letters(4));
		expect(isComplete).toBe(true);
	});

	test('finds a row that a vanished one pulled onto a page already read', async () => {
		const list = new FakeList(letters(4), 2, (changing, request) => {
			if (request === 1) changing.rows.splice(0, 1);
		});

		const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows).sort()).toEqual(letters(4));
		expect(isComplete).toBe(true);
		expect(list.asked).toEqual([1, 2, 1, 2]);
	});

	test('finds such a row even when a new one makes up for the vanished one', async () => {
		const list = new FakeList(letters(6), 2, (changing, request) => {
			if (request === 1) changing.rows.splice(0, 1);
			if (request === 2) changing.rows.unshift('new');
		});

		const { rows } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(idsOf(rows)).toEqual(expect.arrayContaining(letters(6)));
	});

	test('says so when rows keep vanishing', async () => {
		const list = new FakeList(letters(26), 2, (changing) => changing.rows.shift());

		const { isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

		expect(isComplete).toBe(false);
	});

	test('counts a row that is met again and left out once', async () => {
		const list = new FakeList(letters(4), 2, (changing, request) => {
			if (request === 1) changing.rows.unshift('new');
		});

		const { leftOut } = await collectPages(list.fetchPage, 2, Infinity, () => false);

		expect(leftOut).toBe(4);
	});

	const changes = fc.array(
		fc.record({
			inserted: fc.nat({ max: 3 }),
			removedAt: fc.array(fc.nat({ max: 30 }), { maxLength: 3 }),
		}),
		{ maxLength: 25 },
	);

	test('never gives a row twice, and none is missing when it says that it is complete', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 20 }),
				fc.integer({ min: 1, max: 5 }),
				changes,
				async (count, pageSize, schedule) => {
					const removed = new Set<string>();
					const list = new FakeList(letters(count), pageSize, (changing, request) => {
						const { inserted = 0, removedAt = [] } = schedule[request - 1] ?? {};
						for (const index of removedAt) {
							for (const id of changing.rows.splice(index, 1)) removed.add(id);
						}
						for (let added = 0; added < inserted; added += 1) {
							changing.rows.unshift(`new-${request}-${added}`);
						}
					});

					const { rows, isComplete } = await collectPages(list.fetchPage, pageSize, Infinity, all);

					const ids = idsOf(rows);
					expect(new Set(ids).size).toBe(ids.length);
					if (isComplete) {
						expect(ids).toEqual(
							expect.arrayContaining(letters(count).filter((id) => !removed.has(id))),
						);
					}
				},
			),
			{ numRuns: 1_000 },
		);
	});

	test('is complete as soon as one reading was not disturbed', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 4, max: 20 }),
				fc.integer({ min: 1, max: 20 }),
				async (count, removedAfter) => {
					const list = new FakeList(letters(count), 2, (changing, request) => {
						if (request === removedAfter) changing.rows.shift();
					});

					const { rows, isComplete } = await collectPages(list.fetchPage, 2, Infinity, all);

					expect(isComplete).toBe(true);
					expect(idsOf(rows).sort()).toEqual(letters(count));
				},
			),
		);
	});
});

describe('a server that counts wrongly', () => {
	test('does not keep the reading going when it promises more rows than it has', async () => {
		let requests = 0;
		const { rows, isComplete } = await collectPages(
			async (page) => {
				requests += 1;
				return { rows: page === 1 ? letters(2).map(row) : [], total: 99, totalPages: 50 };
			},
			2,
			Infinity,
			all,
		);

		expect(idsOf(rows)).toEqual(letters(2));
		expect(isComplete).toBe(false);
		expect(requests).toBe(6);
	});

	test('does not keep the reading going when it sends the same full page for ever', async () => {
		let requests = 0;
		const { rows } = await collectPages(
			async () => {
				requests += 1;
				if (requests > 100) throw new Error('The list is read for ever');
				return { rows: letters(2).map(row), total: undefined, totalPages: undefined };
			},
			2,
			Infinity,
			all,
		);

		expect(idsOf(rows)).toEqual(letters(2));
		expect(requests).toBe(2);
	});
});

test('rows without ID are told apart by their content', async () => {
	const { rows } = await collectPages(
		async () => ({ rows: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], total: 2, totalPages: 1 }),
		10,
		Infinity,
		all,
	);

	expect(rows).toEqual([{ name: 'a' }, { name: 'b' }]);
});

test('an error while reading is passed on', async () => {
	const broken = collectPages(
		async (page) => {
			if (page === 2) throw new Error('lost');
			return { rows: letters(2).map(row), total: 4, totalPages: 2 };
		},
		2,
		Infinity,
		all,
	);

	await expect(broken).rejects.toThrow('lost');
});

test('a server that counts pages and always sends the same one is not asked for ever', async () => {
	const fetchPage = jest.fn(async () => ({
		rows: [{ id: { odd: true } }],
		total: 1e9,
		totalPages: 1e9,
	}));

	const { rows, isComplete } = await collectPages(fetchPage, 1, Infinity, () => true);

	expect([rows.length, isComplete]).toEqual([1, false]);
	expect(fetchPage.mock.calls.length).toBeLessThan(15);
});
