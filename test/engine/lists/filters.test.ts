import { useBench } from '../support/harness';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();
// These are about the names of filters; what happens under others is in dialects.test.ts.
beforeEach(() => bench.assume('listFilters', 'listOrder'));

type Listed = 'payment' | 'withdrawal' | 'product';
const HINT = /The server did not apply all filters\..*the result is correct/;
const list = (resource: Listed, more: Parameters): Parameters =>
	operation(`${resource}.getAll`, { returnAll: true, ...more });

/** What goes out for a filter, raw, and which of the rows below pass it. */
const CASES: Array<
	[resource: Listed, name: string, value: string | boolean, query: string, rows: number[]]
> = [
	['payment', 'status', 'PAID', 'status=PAID', [2]],
	['payment', 'method', 'BOLETO', 'method=BOLETO', [3]],
	['payment', 'minAmount', '200,00', 'minAmount=200', [2]],
	['payment', 'maxAmount', '100.50', 'maxAmount=100.5', [0, 1, 4]],
	['payment', 'startDate', '2026-03-02', 'startDate=2026-03-02T03:00:00.000Z', [1, 2, 3, 4, 5]],
	['payment', 'endDate', '2026-03-01', 'endDate=2026-03-02T02:59:59.999Z', [0]],
	['withdrawal', 'status', 'FAILED', 'status=FAILED', [2]],
	['withdrawal', 'startDate', '2026-03-02T00:00', 'startDate=2026-03-02T03:00:00.000Z', [1, 2]],
	['withdrawal', 'endDate', '2026-03-01', 'endDate=2026-03-02T02:59:59.999Z', [0]],
	['product', 'isActive', false, 'isActive=false', [1]],
];

const [BEFORE, AFTER] = ['2026-03-02T02:59:59.999Z', '2026-03-02T03:00:00.000Z'].map(Date.parse);
const ROWS = {
	payment: [
		{ createdAt: BEFORE },
		{ createdAt: AFTER },
		{ status: 'PAID', amountCents: 20_000 },
		{ paymentMethod: 'BOLETO', amountCents: 19_999 },
		{ paymentMethod: 'CARD', amountCents: 10_050 },
		{ status: 'REFUNDED', amountCents: 10_051 },
	],
	withdrawal: [{ createdAt: BEFORE }, { createdAt: AFTER }, { status: 'FAILED' }],
	product: [{ name: 'T-shirt' }, { name: 'Old shirt', isActive: false }],
};
const seed = (resource: Listed, row: object): string => bench.sandbox.seed[resource](row).id;

it.each(CASES)(
	'the filter of %s by %s goes out, and is applied here where the server ignores it, which is said',
	async (resource, name, value, query, wanted) => {
		const ids = ROWS[resource].map((row) => seed(resource, row));
		// So many that the wanted rows are on the second page, if the server shows them all.
		const createdAt = name === 'startDate' ? Date.parse('2026-02-01') : bench.clock.now();
		const amountCents = resource === 'payment' ? 15_000 : undefined;
		for (let n = 0; n < 120; n += 1) seed(resource, { createdAt, amountCents });
		const parameters = list(resource, { filters: { [name]: value }, simplify: false });

		const honoured = await bench.run(parameters, [{}, {}]);
		const sent = bench.requests().map(({ url }) => decodeURIComponent(url));
		bench.sandbox.dialect.listFilters.names = 'ignoredNames';
		const ignored = await bench.run(parameters, [{}, {}]);

		const url = `/v1/${resource}s?${query}&page=1&limit=100`;
		expect(sent).toEqual([url, url]);
		const expected = wanted.map((row) => ids[row]).sort();
		const half = honoured.ids.length / 2;
		expect(honoured.ids.slice(0, half).sort()).toEqual(expected);
		expect(honoured.ids.slice(half).sort()).toEqual(expected);
		expect(honoured.hints).toEqual([]);
		expect(ignored.json).toEqual(honoured.json);
		expect(ignored.hints).toEqual([expect.stringMatching(HINT)]);
	},
);

describe('the search for products', () => {
	const search = (text: string, more: Parameters = {}): Parameters =>
		list('product', { filters: { search: text }, ...more });

	it('finds names in any case and with any accents, however the server compares', async () => {
		for (const name of ['Crédito', 'Cartão de CREDITO', 'Débito']) {
			bench.sandbox.seed.product({ name });
		}

		const run = await bench.run(search('={{ $json.text }}'), [
			{ text: 'credito' },
			{ text: 'CRÉDI' },
		]);

		const found = ['Cartão de CREDITO', 'Crédito'];
		expect(run.json.map(({ name }) => name)).toEqual([...found, ...found]);
		expect(run.hints).toEqual([]);
		const urls = bench.requests().map(({ url }) => url);
		expect(urls).toEqual(Array(2).fill('/v1/products?page=1&limit=100'));
	});
});

it.each([
	[{ minAmount: '20', maxAmount: '10' }, "Min Amount is above 'Max Amount'"],
	[{ minAmount: '1.000' }, 'is ambiguous: it may be R$ 1.000,00'],
])('impossible filters are refused: %j', async (filters, message) => {
	const { error } = await bench.run(list('payment', { filters }), [{}]);

	expect(error?.message).toContain(message);
	expect(bench.requests()).toEqual([]);
});

it('a filter whose expression returns nothing is refused: without it, all rows would pass for the wanted ones', async () => {
	seed('payment', {});

	for (const [name, shown] of Object.entries({ startDate: 'Start Date', status: 'Status' })) {
		const filters = { [name]: '={{ $json.notThere }}' };
		const { error } = await bench.run(list('payment', { filters }), [{}, {}]);
		expect(error?.message).toContain(`The filter ${shown} is empty in this row`);
	}
	expect(bench.requests()).toEqual([]);
});
