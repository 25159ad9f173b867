import { NodeApiError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';
import { searchProducts } from '../../../../../nodes/BrlPayments/methods/recordSearch';
import { answer, refusal } from '../../../support/answers';
import { SECRET } from '../../../support/credential';
import { fakeNodeContext, type NodeContextOptions } from '../../../support/nodeContext';

const product = (id: string, changed: object = {}) => ({
	id,
	name: `Plano ${id}`,
	amount: 1234.5,
	isActive: true,
	...changed,
});

const page = (products: object[], totalPages?: number) =>
	answer(200, {
		products,
		...(totalPages === undefined ? {} : { pagination: { total: 999, totalPages } }),
	});

const search = async (options: NodeContextOptions, filter?: string, token?: string) => {
	const { context, requests } = fakeNodeContext(options);
	const result: INodeListSearchResult = await searchProducts.call(
		context as unknown as ILoadOptionsFunctions,
		filter,
		token,
	);
	return { ...result, requests };
};

test('shows products in use with their prices', async () => {
	const { results, requests, paginationToken } = await search({
		respond: () => page([product('a'), product('b', { amount: 5 })], 1),
	});

	expect(results).toEqual([
		{ name: 'Plano a (R$ 1.234,50)', value: 'a' },
		{ name: 'Plano b (R$ 5,00)', value: 'b' },
	]);
	expect(paginationToken).toBeUndefined();
	expect(requests).toHaveLength(1);
	expect(requests[0]).toMatchObject({
		method: 'GET',
		url: 'https://api.example.com/v1/products',
		qs: { page: 1, limit: 100 },
	});
});

test('leaves out what the server should have left out', async () => {
	const products = [product('a'), product('b', { isActive: false }), product('c', { name: 'X' })];

	const { results } = await search({ respond: () => page(products, 1) }, 'plano');

	expect(results.map(({ value }) => value)).toEqual(['a']);
});

test('does not leave the search to a server that may distinguish accents', async () => {
	const { requests } = await search({ respond: () => page([], 1) }, 'plano');

	expect(requests[0]?.qs).toEqual({ page: 1, limit: 100 });
});

test('continues to the next page until the last one', async () => {
	const respond = () => page([product('a'), product('b')], 3);

	expect((await search({ respond })).paginationToken).toBe('2');
	const second = await search({ respond }, undefined, '2');
	expect(second.paginationToken).toBe('3');
	expect(second.requests[0]?.qs).toMatchObject({ page: 2 });
	expect((await search({ respond }, undefined, '3')).paginationToken).toBeUndefined();
});

test('continues while pages are full where the server counts nothing', async () => {
	const full = Array.from({ length: 100 }, (_, index) => product(String(index)));

	expect((await search({ respond: () => page(full) })).paginationToken).toBe('2');
	expect((await search({ respond: () => page(full.slice(1)) })).paginationToken).toBeUndefined();
});

test('explains a refusal in the list, without the key', async () => {
	const pending = search({ respond: () => refusal(403, 'FORBIDDEN') });

	await expect(pending).rejects.toBeInstanceOf(NodeApiError);
	await expect(pending).rejects.toMatchObject({
		message: 'The API key is not allowed to do this',
		description: expect.stringContaining('products:read'),
	});
	const shown = await pending.catch((error: unknown) => JSON.stringify(error));
	expect(shown).not.toContain(SECRET);
});

test('explains an unusable credential and sends nothing', async () => {
	const { context, requests } = fakeNodeContext({ credential: { apiKey: 'brlpay_example' } });
	const pending = searchProducts.call(context as unknown as ILoadOptionsFunctions);

	await expect(pending).rejects.toMatchObject({
		message: expect.stringContaining('The API key is not complete'),
	});
	expect(requests).toEqual([]);
});
