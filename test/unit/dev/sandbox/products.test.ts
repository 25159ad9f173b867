import { form, PNG, useBench } from './support';

const bench = useBench();

const create = async (body: object) => (await bench.post('/v1/products', body)).json.product;
const upload = (id: string, body: FormData | string) =>
	bench.send({ method: 'POST', path: `/v1/products/${id}/image`, body });

test('a created product has exactly the fields of the API', async () => {
	const answer = await bench.post('/v1/products', {
		name: 'Coffee',
		description: 'Beans',
		amount: 39.9,
		externalId: 'SKU/1',
		metadata: { roast: 'dark' },
	});
	expect(answer.status).toBe(201);
	expect(answer.json).toEqual({
		product: {
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: 'Coffee',
			description: 'Beans',
			amount: 39.9,
			externalId: 'SKU/1',
			isActive: true,
			createdAt: '2026-03-18T15:00:00.000Z',
		},
	});
	const read = await bench.get(`/v1/products/external/${encodeURIComponent('SKU/1')}`);
	expect(read.json).toEqual(answer.json);
	expect(bench.sandbox.books.products).toMatchObject([{ name: 'Coffee', amountCents: 3_990 }]);
});

test.each([
	[{ amount: 1 }, 'name'],
	[{ name: 'A' }, 'amount'],
	[{ name: 'A', amount: 0 }, 'amount'],
	[{ name: 'A', amount: 1, metadata: [] }, 'metadata'],
])('%j is refused for its %s', async (body, field) => {
	const { json } = await bench.post('/v1/products', body);
	expect(Object.keys(json.error.details)).toEqual([field]);
});

test('deleting deactivates: the data stays, new payments are refused', async () => {
	const { id } = await create({ name: 'A', amount: 10, externalId: 'a' });
	const gone = await bench.send({ method: 'DELETE', path: `/v1/products/${id}` });
	expect([gone.status, gone.json]).toEqual([200, { message: expect.any(String) }]);
	expect((await bench.get('/v1/products/external/a')).json.product.isActive).toBe(false);
	expect((await bench.post('/v1/payments', { productId: id })).status).toBe(400);
	const { live } = bench.sandbox.keys;
	const other = await bench.send({ method: 'DELETE', path: `/v1/products/${id}`, key: live });
	expect(other.status).toBe(404);
});

test('the list searches names and filters by state', async () => {
	await create({ name: 'Green Tea', amount: 1 });
	const coffee = await create({ name: 'Coffee', amount: 1 });
	await bench.send({ method: 'DELETE', path: `/v1/products/${coffee.id}` });
	const names = async (query: string): Promise<string[]> =>
		(await bench.get(`/v1/products?${query}`)).json.products.map((p: { name: string }) => p.name);
	expect(await names('')).toEqual(['Coffee', 'Green Tea']);
	expect(await names('search=tea')).toEqual(['Green Tea']);
	expect(await names('isActive=true')).toEqual(['Green Tea']);
	expect(await names('isActive=false')).toEqual(['Coffee']);
	expect((await bench.get('/v1/products?isActive=yes')).status).toBe(400);
});

describe('image', () => {
	test('the very bytes are stored, replaced and deleted', async () => {
		const { id } = await create({ name: 'A', amount: 1 });
		const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
		const answer = await upload(id, form(PNG));
		expect(answer.status).toBe(200);
		expect(answer.json.product.id).toBe(id);
		expect(bench.sandbox.books.products[0]?.image).toEqual(PNG);
		await upload(id, form(jpeg));
		expect(bench.sandbox.books.products[0]?.image).toEqual(jpeg);
		const gone = await bench.send({ method: 'DELETE', path: `/v1/products/${id}/image` });
		expect([gone.status, gone.json.product.id]).toEqual([200, id]);
		expect(bench.sandbox.books.products[0]?.image).toBeNull();
	});

	test('exactly 10 MB pass, one byte more does not', async () => {
		const { id } = await create({ name: 'A', amount: 1 });
		const full = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024 - PNG.length)]);
		expect((await upload(id, form(full))).status).toBe(200);
		const over = await upload(id, form(Buffer.concat([full, Buffer.alloc(1)])));
		expect(over.json.error).toMatchObject({
			code: 'VALIDATION_ERROR',
			details: { file: 'At most 10 MB' },
		});
		expect(bench.sandbox.books.products[0]?.image?.equals(full)).toBe(true);
	});

	const twoParts = form(PNG);
	twoParts.append('file', new Blob([PNG]), 'again.png');

	test.each<[string, string | FormData]>([
		['another part name', form(PNG, 'picture')],
		['two parts', twoParts],
		['no part', new FormData()],
		['no multipart', '{}'],
		['neither PNG nor JPEG, whatever the part says', form(Buffer.from('GIF89a'))],
	])('%s is a VALIDATION_ERROR', async (_what, body) => {
		const { id } = await create({ name: 'A', amount: 1 });
		const { status, json } = await upload(id, body);
		expect([status, json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(bench.sandbox.books.products[0]?.image).toBeNull();
	});
});

test('an externalId of 100 characters is looked up, one of 101 is refused', async () => {
	bench.sandbox.seed.product({ externalId: 'ç'.repeat(100) });
	const found = await bench.get(`/v1/products/external/${encodeURIComponent('ç'.repeat(100))}`);
	expect(found.status).toBe(200);
	for (const resource of ['products', 'customers']) {
		const long = await bench.get(`/v1/${resource}/external/${'x'.repeat(101)}`);
		expect(long.json.error.details).toEqual({ externalId: 'At most 100 characters' });
	}
});

describe('customers', () => {
	test('by id with metadata, by external id with the internal id', async () => {
		const { seed } = bench.sandbox;
		const { id, customerId } = seed.customer({ externalId: 'c 1', metadata: { vip: true } });
		const shared = {
			name: 'Maria Exemplo',
			email: 'maria@customer.example',
			document: '52998224725',
			phone: '+5511987654321',
			externalId: 'c 1',
			isActive: true,
			createdAt: expect.stringMatching(/Z$/),
		};
		expect(customerId).toMatch(/^cus_/);
		expect((await bench.get(`/v1/customers/${customerId}`)).json).toEqual({
			customer: {
				customerId,
				...shared,
				metadata: { vip: true },
				updatedAt: expect.stringMatching(/Z$/),
			},
		});
		expect((await bench.get('/v1/customers/external/c%201')).json).toEqual({
			customer: { id, ...shared },
		});
	});

	test('deleting is soft; the other environment and another form are refused', async () => {
		const { seed, keys } = bench.sandbox;
		const { customerId } = seed.customer();
		const path = `/v1/customers/${customerId}`;
		expect((await bench.get(path, keys.live)).status).toBe(404);
		expect((await bench.get('/v1/customers/none')).json.error.code).toBe('VALIDATION_ERROR');
		const gone = await bench.send({ method: 'DELETE', path });
		expect([gone.status, gone.json]).toEqual([200, { message: expect.any(String) }]);
		expect((await bench.get(path)).json.customer.isActive).toBe(false);
	});
});
