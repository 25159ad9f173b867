import { useBench } from '../support/harness';
import type { JsonRow } from '../support/execution';
import type { Parameters } from '../support/workflow';

const bench = useBench();
// These are about the names of filters; what happens under others is in dialects.test.ts.
beforeEach(() => bench.assume('listFilters', 'listOrder'));

const HINT = 'The server did not apply all filters.';

interface FilterCase {
	resource: 'payment' | 'withdrawal' | 'product';
	name: string;
	value: string | boolean;
	/** What goes out for it, raw. */
	query: string;
}

const CASES: FilterCase[] = [
	{ resource: 'payment', name: 'status', value: 'PAID', query: 'status=PAID' },
	{ resource: 'payment', name: 'method', value: 'BOLETO', query: 'method=BOLETO' },
	{ resource: 'payment', name: 'minAmount', value: '200,00', query: 'minAmount=200' },
	{ resource: 'payment', name: 'maxAmount', value: '100.50', query: 'maxAmount=100.5' },
	{
		resource: 'payment',
		name: 'startDate',
		value: '2026-03-02',
		query: 'startDate=2026-03-02T03:00:00.000Z',
	},
	{
		resource: 'payment',
		name: 'endDate',
		value: '2026-03-01',
		query: 'endDate=2026-03-02T02:59:59.999Z',
	},
	{ resource: 'withdrawal', name: 'status', value: 'FAILED', query: 'status=FAILED' },
	{
		resource: 'withdrawal',
		name: 'startDate',
		value: '2026-03-02T00:00:00',
		query: 'startDate=2026-03-02T03:00:00.000Z',
	},
	{
		resource: 'withdrawal',
		name: 'endDate',
		value: '2026-03-01',
		query: 'endDate=2026-03-02T02:59:59.999Z',
	},
	{ resource: 'product', name: 'isActive', value: false, query: 'isActive=false' },
];

/** Two records of each kind: the first is the one that every filter above asks for. */
const seed = {
	payment: () => [
		// A value for each filter at once would contradict itself: the two amounts are distinguished below.
		bench.sandbox.seed.payment({ createdAt: Date.parse('2026-03-02T02:59:59.999Z') }),
		bench.sandbox.seed.payment({ createdAt: Date.parse('2026-03-02T03:00:00.000Z') }),
		bench.sandbox.seed.payment({ status: 'PAID', amountCents: 20_000 }),
		bench.sandbox.seed.payment({ paymentMethod: 'BOLETO', amountCents: 19_999 }),
		bench.sandbox.seed.payment({ paymentMethod: 'CARD', amountCents: 10_050 }),
		bench.sandbox.seed.payment({ status: 'REFUNDED', amountCents: 10_051 }),
	],
	withdrawal: () => [
		bench.sandbox.seed.withdrawal({ createdAt: Date.parse('2026-03-02T02:59:59.999Z') }),
		bench.sandbox.seed.withdrawal({ createdAt: Date.parse('2026-03-02T03:00:00.000Z') }),
		bench.sandbox.seed.withdrawal({ status: 'FAILED' }),
	],
	product: () => [
		bench.sandbox.seed.product({ name: 'Plano mensal' }),
		bench.sandbox.seed.product({ name: 'Monthly PLAN' }),
		bench.sandbox.seed.product({ name: 'T-shirt' }),
		bench.sandbox.seed.product({ name: 'Old shirt', isActive: false }),
	],
};

const listWith = ({ resource, name, value }: FilterCase, more: Parameters = {}): Parameters => ({
	resource,
	operation: 'getAll',
	returnAll: true,
	simplify: false,
	filters: { [name]: value },
	options: {},
	...more,
});

/** Names of the fields that a filter looks at, and whether a row passes; written apart from the node. */
const passes = ({ name, value }: FilterCase, row: JsonRow): boolean => {
	switch (name) {
		case 'status':
			return row.status === value;
		case 'method':
			return row.paymentMethod === value;
		case 'minAmount':
			return row.amount >= 200;
		case 'maxAmount':
			return row.amount <= 100.5;
		case 'startDate':
			return row.createdAt >= '2026-03-02T03:00:00.000Z';
		case 'endDate':
			return row.createdAt < '2026-03-02T03:00:00.000Z';
		default:
			return row.isActive === value;
	}
};

describe.each(CASES)('the filter $name of $resource', (filter) => {
	it('goes out under its name, and the server applies it', async () => {
		const all = seed[filter.resource]();

		const run = await bench.run(listWith(filter), [{}, {}]);

		for (const { url } of bench.requests()) {
			expect(decodeURIComponent(url)).toBe(
				`/v1/${filter.resource}s?${filter.query}&page=1&limit=100`,
			);
		}
		expect(run.json.length).toBeGreaterThan(0);
		expect(run.json.length).toBeLessThan(all.length * 2);
		expect(run.json.every((row) => passes(filter, row))).toBe(true);
		expect(run.hints).toEqual([]);
	});

	it('is applied here where the server ignores it, on all pages, and that is said', async () => {
		seed[filter.resource]();
		// Newer, and so many that the wanted rows are on the second page.
		for (let n = 0; n < 120; n += 1) addUnwanted(filter);
		const honoured = await bench.run(listWith(filter), [{}, {}]);
		bench.sandbox.dialect.listFilters.names = 'ignoredNames';

		const run = await bench.run(listWith(filter), [{}, {}]);

		expect(run.json).toEqual(honoured.json);
		expect(run.hints).toEqual([expect.stringContaining(HINT)]);
	});

	const addUnwanted = ({ resource, name }: FilterCase) => {
		const createdAt = name === 'startDate' ? Date.parse('2026-02-01T00:00:00Z') : bench.clock.now();
		if (resource === 'product') bench.sandbox.seed.product({ name: 'Mug', createdAt });
		else if (resource === 'withdrawal') bench.sandbox.seed.withdrawal({ createdAt });
		else bench.sandbox.seed.payment({ amountCents: 15_000, createdAt });
	};
});

describe('the method and the currency of withdrawals', () => {
	const rows = [
		{ id: '1', paymentMethod: 'PIX', currency: 'BRL' },
		{ id: '2', paymentMethod: 'TED', currency: 'BRL' },
		{ id: '3', paymentMethod: 'PIX', currency: 'USD' },
	];

	it.each([
		[{ method: 'PIX' }, 'method=PIX', ['1', '3']],
		[{ currency: 'BRL' }, 'currency=BRL', ['1', '2']],
		[{ method: 'PIX', currency: 'BRL' }, 'method=PIX&currency=BRL', ['1']],
	])('go out, and are applied here as well: %j', async (filters, query, ids) => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			body: { withdrawals: rows, pagination: { page: 1, limit: 100, total: 3, totalPages: 1 } },
			times: 2,
		});

		const run = await bench.run(
			{
				resource: 'withdrawal',
				operation: 'getAll',
				returnAll: true,
				simplify: false,
				filters,
				options: {},
			},
			[{}, {}],
		);

		expect(run.ids).toEqual([...ids, ...ids]);
		expect(bench.requests()[0]?.url).toBe(`/v1/withdrawals?${query}&page=1&limit=100`);
		expect(run.hints).toEqual([expect.stringContaining(HINT)]);
	});
});

describe('the search for products', () => {
	const search = (text: string, more: Parameters = {}): Parameters => ({
		resource: 'product',
		operation: 'getAll',
		returnAll: true,
		filters: { search: text },
		options: {},
		...more,
	});

	it.each(['credito', 'CRÉDITO', 'crédi'])(
		'finds names in any case and with any accents, however the server compares: %s',
		async (text) => {
			for (const name of ['Crédito', 'Cartão de CREDITO', 'Débito']) {
				bench.sandbox.seed.product({ name });
			}

			const run = await bench.run(search(text), [{}, {}]);

			expect(run.json.map(({ name }) => name)).toEqual([
				'Cartão de CREDITO',
				'Crédito',
				'Cartão de CREDITO',
				'Crédito',
			]);
			expect(run.hints).toEqual([]);
			expect(bench.requests().map(({ url }) => url)).toEqual([
				'/v1/products?page=1&limit=100',
				'/v1/products?page=1&limit=100',
			]);
		},
	);

	it('finds what is on a later page, up to the limit', async () => {
		for (const name of ['Plan A', 'Plan B']) bench.sandbox.seed.product({ name });
		for (let n = 0; n < 120; n += 1) bench.sandbox.seed.product({ name: 'Mug' });

		const { json } = await bench.run(search('plan', { returnAll: false, limit: 1 }), [{}]);

		expect(json.map(({ name }) => name)).toEqual(['Plan B']);
	});

	it('still says where the server ignores another filter', async () => {
		bench.sandbox.seed.product({ name: 'Plan' });
		bench.sandbox.seed.product({ name: 'Old plan', isActive: false });
		bench.sandbox.dialect.listFilters.names = 'ignoredNames';

		const run = await bench.run(search('plan', { filters: { search: 'plan', isActive: true } }), [
			{},
		]);

		expect(run.json.map(({ name }) => name)).toEqual(['Plan']);
		expect(run.hints).toEqual([expect.stringContaining(HINT)]);
	});
});

describe('filters that contradict each other', () => {
	it.each([
		[{ minAmount: '20', maxAmount: '10' }, 'Min Amount is above Max Amount'],
		[{ startDate: '2026-03-02', endDate: '2026-03-01' }, 'Start Date is after End Date'],
		[{ startDate: '21/11/2026' }, 'Start Date "21/11/2026" is not a date'],
		[{ minAmount: '1.000' }, 'is ambiguous: R$ 1.000,00'],
	])('are refused: %j', async (filters, message) => {
		const { error } = await bench.run(
			{ resource: 'payment', operation: 'getAll', returnAll: true, filters, options: {} },
			[{}],
		);

		expect(error?.message).toContain(message);
		expect(bench.requests()).toEqual([]);
	});
});
