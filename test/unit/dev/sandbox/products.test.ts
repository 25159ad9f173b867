import { useBench } from './support';

const bench = useBench();

const PNG = Buffer.concat([
	Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
	Buffer.from('the rest of an example image'),
]);

function form(bytes: Buffer, ...names: string[]): FormData {
	const data = new FormData();
	for (const name of names) data.append(name, new Blob([bytes], { type: 'image/png' }), 'one.png');
	return data;
}

const create = async (body: object) => (await bench.post('/v1/products', body)).json.product;

test('a created product has exactly the fields of the API', async () => {
	const fields = { name: 'Coffee', description: 'Beans', amount: 39.9, externalId: 'SKU/1' };
	const answer = await bench.post('/v1/products', { ...fields, metadata: { roast: 'dark' } });
	expect(answer.status).toBe(201);
	expect(answer.json).toEqual({
		product: {
			...fields,
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
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
	expect((await bench.post('/v1/products', body)).refused).toEqual([field]);
});

test('deleting deactivates: the data stays, new payments are refused', async () => {
	const { id } = await create({ name: 'A', amount: 10, externalId: 'a' });
	const path = `/v1/products/${id}`;
	expect((await bench.delete(path, bench.sandbox.keys.live)).status).toBe(404);
	const gone = await bench.delete(path);
	expect([gone.status, gone.json]).toEqual([200, { message: expect.any(String) }]);
	expect((await bench.get('/v1/products/external/a')).json.product.isActive).toBe(false);
	expect((await bench.post('/v1/payments', { productId: id })).status).toBe(400);
});

test('the list searches names and filters by state', async () => {
	await create({ name: 'Green Tea', amount: 1 });
	const coffee = await create({ name: 'Coffee', amount: 1 });
	await bench.delete(`/v1/products/${coffee.id}`);
	const names = async (query: string): Promise<string[]> =>
		(await bench.get(`/v1/products?${query}`)).json.products.map((p: { name: string }) => p.name);
	expect(await names('')).toEqual(['Coffee', 'Green Tea']);
	expect(await names('search=tea')).toEqual(['Green Tea']);
	expect(await names('isActive=true')).toEqual(['Green Tea']);
	expect(await names('isActive=false')).toEqual(['Coffee']);
	expect((await bench.get('/v1/products?isActive=yes')).status).toBe(400);
});

describe('image', () => {
	/** Of a new product. */
	const upload = async (body: FormData | string, id?: string) => {
		const product = id ?? (await create({ name: 'A', amount: 1 })).id;
		return await bench.send({ method: 'POST', path: `/v1/products/${product}/image`, body });
	};
	const image = () => bench.sandbox.books.products[0]!.image;

	test('the very bytes are stored, replaced and deleted', async () => {
		const { status, json } = await upload(form(PNG, 'file'));
		expect(status).toBe(200);
		expect(image()).toEqual(PNG);
		const { id } = json.product;
		const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
		await upload(form(jpeg, 'file'), id);
		expect(image()).toEqual(jpeg);
		const gone = await bench.delete(`/v1/products/${id}/image`);
		expect([gone.status, gone.json.product.id]).toEqual([200, id]);
		expect(image()).toBeNull();
	});

	test('exactly 10 MB pass, one byte more does not', async () => {
		const full = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024 - PNG.length)]);
		expect((await upload(form(full, 'file'))).status).toBe(200);
		const over = await upload(form(Buffer.concat([full, Buffer.alloc(1)]), 'file'));
		expect(over.code).toBe('VALIDATION_ERROR');
		expect(over.json.error.details).toEqual({ file: 'At most 10 MB' });
		expect(bench.sandbox.books.products[1]!.image).toBeNull();
	});

	test.each<[string, string | FormData]>([
		['another part name', form(PNG, 'picture')],
		['two parts', form(PNG, 'file', 'file')],
		['no part', form(PNG)],
		['no multipart', '{}'],
		['neither PNG nor JPEG, whatever the part says', form(Buffer.from('GIF89a'), 'file')],
	])('%s is a VALIDATION_ERROR', async (_what, body) => {
		const { status, code } = await upload(body);
		expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(image()).toBeNull();
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
		const metadata = { vip: true };
		const { id, customerId } = bench.sandbox.seed.customer({ externalId: 'c 1', metadata });
		const shared = {
			...{ name: 'Maria Exemplo', email: 'maria@customer.example', document: '52998224725' },
			...{ phone: '+5511987654321', externalId: 'c 1', isActive: true },
			createdAt: expect.stringMatching(/Z$/),
		};
		expect(customerId).toMatch(/^cus_/);
		expect((await bench.get(`/v1/customers/${customerId}`)).json).toEqual({
			customer: { customerId, ...shared, metadata, updatedAt: expect.stringMatching(/Z$/) },
		});
		expect((await bench.get('/v1/customers/external/c%201')).json).toEqual({
			customer: { id, ...shared },
		});
	});

	test('deleting is soft; the other environment and another form are refused', async () => {
		const { seed, keys } = bench.sandbox;
		const path = `/v1/customers/${seed.customer().customerId}`;
		expect((await bench.get(path, keys.live)).status).toBe(404);
		expect((await bench.get('/v1/customers/none')).code).toBe('VALIDATION_ERROR');
		const gone = await bench.delete(path);
		expect([gone.status, gone.json]).toEqual([200, { message: expect.any(String) }]);
		expect((await bench.get(path)).json.customer.isActive).toBe(false);
	});
});
