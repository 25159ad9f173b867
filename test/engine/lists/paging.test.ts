import type { Payment, Product } from '../../../dev/sandbox';
import { useBench } from '../support/harness';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();

beforeEach(() => bench.assume('listFilters'));

const list = (resource: string, parameters: Parameters = {}, options = {}): Parameters =>
	operation(`${resource}.getAll`, { returnAll: true, ...parameters }, options);
const seedPayments = (count: number): Payment[] =>
	Array.from({ length: count }, (_, n) =>
		bench.sandbox.seed.payment({ createdAt: bench.clock.now() - 1_000 * (count - n) }),
	);
/** Newest first, as lists come. */
const getIds = (rows: Array<{ id: string }>) => rows.map(({ id }) => id).reverse();

/** Does something right before the server returns this page. */
const before = (page: number, act: () => void) =>
	bench.sandbox.faults.add({
		...{ kind: 'delay', ms: 0 },
		when: ({ url }) => {
			const isIt = url.includes(`page=${page}&`);
			if (isIt) act();
			return isIt;
		},
	});

describe('Return All', () => {
	beforeEach(() => bench.assume('listOrder'));

	it('reads 250 payments for each item, each once and in order', async () => {
		const payments = seedPayments(250);

		const run = await bench.run(list('payment', {}, { maxConcurrency: 1 }), [{}, {}]);

		expect(bench.requests().map(({ url }) => url)).toEqual(
			[1, 2, 3, 1, 2, 3].map((page) => `/v1/payments?page=${page}&limit=100`),
		);
		expect(run.ids).toEqual([...getIds(payments), ...getIds(payments)]);
		expect(run.sources).toEqual([...Array(250).fill(0), ...Array(250).fill(1)]);
		expect(run.hints).toEqual([]);
	});

	it('puts out nothing for an empty list', async () => {
		const run = await bench.run(list('payment'), [{}, {}]);

		expect(run.error).toBeUndefined();
		expect(run.output()).toEqual([]);
	});
});

describe('Limit', () => {
	beforeEach(() => bench.assume('listOrder'));

	it.each([
		[30, ['page=1&limit=30']],
		[150, ['page=1&limit=100', 'page=2&limit=100']],
	])('of %d reads no more than needed', async (limit, pages) => {
		const payments = seedPayments(250);

		const { ids } = await bench.run(list('payment', { returnAll: false, limit }), [{}]);

		expect(bench.requests().map(({ url }) => url)).toEqual(
			pages.map((page) => `/v1/payments?${page}`),
		);
		expect(ids).toEqual(getIds(payments).slice(0, limit));
	});
});

describe('a list that changes while it is read', () => {
	it.each([
		['three of those already read go away', [0, 1, 2], 0],
		['as many come in as go away', [5], 1],
	])('misses none when %s', async (_what, gone, added) => {
		const products = Array.from({ length: 250 }, (_, n): Product =>
			bench.sandbox.seed.product({ createdAt: bench.clock.now() - 1_000 * n }),
		);
		before(2, () => gone.forEach((index) => (products[index]!.isActive = false)));
		const createdAt = bench.clock.now() + 1_000;
		if (added > 0) before(3, () => bench.sandbox.seed.product({ createdAt }));

		const run = await bench.run(list('product', { filters: { isActive: true } }), [{}]);

		expect(new Set(run.ids).size).toBe(run.ids.length);
		const expected = products.filter(({ isActive }) => isActive);
		expect(run.ids).toEqual(expect.arrayContaining(getIds(expected)));
		if (added === 0) expect(run.hints).toEqual([]);
	});

	it('says that rows may be missing when it never comes to rest', async () => {
		const pagination = { page: 1, limit: 100, total: 2, totalPages: 1 };
		bench.answer({ payments: [{ id: 'one' }], pagination }, { times: Infinity });

		const run = await bench.run(list('payment'), [{}]);

		expect(run.json).toEqual([{ id: 'one' }]);
		expect(run.hints).toEqual([expect.stringContaining('a few rows may be missing')]);
	});
});
