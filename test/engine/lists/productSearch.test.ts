import { LoadOptionsContext } from 'n8n-core';
import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';
import type { ApiCredential } from '../../../nodes/api/connection';
import { useBench } from '../support/bench';
import { additionalDataFor } from '../support/execution';
import { NODE } from '../support/names';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();

beforeEach(() => bench.assume('listOrder'));

/** What the editor does when somebody opens the list behind Product. */
const search = async (filter?: string, token?: string, credential: Partial<ApiCredential> = {}) => {
	const workflow = buildWorkflow({
		parameters: { resource: 'product', operation: 'delete', options: {} },
	});
	const context = new LoadOptionsContext(
		workflow,
		workflow.getNode(NODE)!,
		additionalDataFor({ ...bench.credential, ...credential }, ''),
		'parameters.productId',
	);
	return await new BrlPayments().methods.listSearch.searchProducts.call(context, filter, token);
};

describe('the list behind Product', () => {
	it('shows the products in use with their prices, page by page', async () => {
		for (let n = 0; n < 101; n += 1) bench.sandbox.seed.product({ name: `Plan ${n}` });
		const old = bench.sandbox.seed.product({ isActive: false });

		const first = await search();
		const second = await search(undefined, String(first.paginationToken));

		expect(bench.requests().map(({ url }) => url)).toEqual([
			'/v1/products?page=1&limit=100',
			'/v1/products?page=2&limit=100',
		]);
		const results = [...first.results, ...second.results];
		expect(new Set(results.map(({ value }) => value)).size).toBe(101);
		expect(results.map(({ name }) => name)).toContain('Plan 7 (R$ 49,90)');
		expect(results.map(({ value }) => value)).not.toContain(old.id);
		expect(second.paginationToken).toBeUndefined();
	});

	it.each(['assumedNames', 'ignoredNames'] as const)('finds what is typed (%s)', async (names) => {
		bench.sandbox.dialect.listFilters.names = names;
		const wanted = bench.sandbox.seed.product({ name: 'Plano mensal' });
		bench.sandbox.seed.product({ name: 'T-shirt' });
		bench.sandbox.seed.product({ name: 'Plano antigo', isActive: false });

		const { results } = await search('PLÂNO');

		expect(bench.requests()[0]?.url).toBe('/v1/products?page=1&limit=100');
		expect(results.map(({ value }) => value)).toEqual([wanted.id]);
	});

	it('finds a name on a later page, and reads no further', async () => {
		const wanted = bench.sandbox.seed.product({ name: 'Crédito' });
		for (let n = 0; n < 250; n += 1) bench.sandbox.seed.product({ name: `Plan ${n}` });
		const first = bench.sandbox.seed.product({ name: 'Crédito novo' });

		const found = await search('credito');
		const more = await search('credito', String(found.paginationToken));

		expect(found.results.map(({ value }) => value)).toEqual([first.id]);
		expect(more.results.map(({ value }) => value)).toEqual([wanted.id]);
		expect(more.paginationToken).toBeUndefined();
		expect(bench.requests()).toHaveLength(3);
	});

	it('gives the editor a chance to stop a search that finds nothing', async () => {
		for (let n = 0; n < 1_050; n += 1) bench.sandbox.seed.product({ name: `Plan ${n}` });

		const first = await search('credito');
		const second = await search('credito', String(first.paginationToken));

		expect(first).toEqual({ results: [], paginationToken: '11' });
		expect(second).toEqual({ results: [] });
		expect(bench.requests()).toHaveLength(11);
	});

	it('says which scope is missing', async () => {
		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: ['balance:read'] });

		await expect(search(undefined, undefined, { apiKey })).rejects.toMatchObject({
			name: 'NodeApiError',
			message: 'The API key is not allowed to do this',
			description: expect.stringContaining('products:read'),
		});
	});
});
