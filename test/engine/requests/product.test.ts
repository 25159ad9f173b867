import { itemWithFile, useBench } from '../support/harness';
import { JPEG, PNG } from '../support/values';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, expectOwnKeys, sent } from '../support/wire';
import { operation, type Parameters } from '../support/workflow';

const LOOK_UP = `GET /v1/products/external/${AWKWARD_ENCODED}`;

const product = (name: string, more: Parameters = {}, options: Parameters = {}): Parameters =>
	operation(
		`product.${name}`,
		{
			productId: { __rl: true, mode: '={{ $json.mode ?? "id" }}', value: '={{ $json.product }}' },
			...more,
		},
		{ maxConcurrency: 1, ...options },
	);

describe('Product', () => {
	const bench = useBench();

	it('Product: Create creates what each item says', async () => {
		const run = await bench.run(
			product('create', {
				name: '={{ $json.name }}',
				amount: '={{ $json.amount }}',
				additionalFields: {
					description: '={{ $json.description }}',
					externalId: '={{ $json.externalId }}',
					metadata: '={{ $json.metadata }}',
				},
			}),
			[
				{ name: 'Plano mensal', amount: '49,90' },
				{
					name: 'Anual',
					amount: 499,
					description: '12 meses',
					externalId: AWKWARD,
					metadata: { level: 2 },
				},
			],
		);

		expect(sent(bench)).toEqual([
			'POST /v1/products {"name":"Plano mensal","amount":49.9}',
			`POST /v1/products {"name":"Anual","amount":499,"description":"12 meses","externalId":"${AWKWARD}","metadata":{"level":2}}`,
		]);
		expectOwnKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json.map(({ amount }) => amount)).toEqual([49.9, 499]);
		expect(bench.sandbox.books.products.map(({ externalId }) => externalId)).toEqual([
			null,
			AWKWARD,
		]);
	});

	it('Product: Delete deletes by ID, list and external ID, and says so', async () => {
		const [one, two, three] = [
			bench.sandbox.seed.product(),
			bench.sandbox.seed.product(),
			bench.sandbox.seed.product({ externalId: AWKWARD }),
		];

		const run = await bench.run(product('delete'), [
			{ product: one.id },
			{ mode: 'list', product: two.id },
			{ mode: 'externalId', product: AWKWARD },
		]);

		expect(sent(bench)).toEqual([
			`DELETE /v1/products/${one.id}`,
			`DELETE /v1/products/${two.id}`,
			LOOK_UP,
			`DELETE /v1/products/${three.id}`,
		]);
		expectNoKeys(bench);
		expect([one.isActive, two.isActive, three.isActive]).toEqual([false, false, false]);
		expect(run.output()).toEqual(
			[0, 1, 2].map((item) => ({ json: { deleted: true }, pairedItem: { item } })),
		);
	});

	it('Product: Delete Image takes the image away', async () => {
		const products = [1, 2].map(() => bench.sandbox.seed.product({ image: PNG }));

		const run = await bench.run(
			product('deleteImage'),
			products.map(({ id }) => ({ product: id })),
		);

		expect(sent(bench)).toEqual(products.map(({ id }) => `DELETE /v1/products/${id}/image`));
		expectNoKeys(bench);
		expect(products.map((row) => row.image)).toEqual([null, null]);
		expect(run.sources).toEqual([0, 1]);
		expect(run.ids).toEqual(products.map(({ id }) => id));
	});
});

describe.each(['filesystem', 'memory'] as const)(
	'Product: Upload Image, with files in %s',
	(mode) => {
		const bench = useBench(mode);
		const upload = product('uploadImage');

		it('delivers the very bytes of each file', async () => {
			const [one, two] = [
				bench.sandbox.seed.product(),
				bench.sandbox.seed.product({ externalId: AWKWARD }),
			];

			const run = await bench.run(upload, [
				await itemWithFile(PNG, 'image/png', 'logo.png', { product: one.id }),
				// Neither the name nor the declared type is right; the bytes are.
				await itemWithFile(JPEG, 'application/octet-stream', 'foto "ação".bin', {
					mode: 'externalId',
					product: AWKWARD,
				}),
			]);

			expect(run.error).toBeUndefined();
			expect(bench.requests().map(({ method, url }) => `${method} ${url}`)).toEqual([
				`POST /v1/products/${one.id}/image`,
				LOOK_UP,
				`POST /v1/products/${two.id}/image`,
			]);
			expectNoKeys(bench);
			const [first, second] = bench.requests('POST').map(({ headers, rawBody }) => {
				const boundary = /^multipart\/form-data; boundary=(n8n-[0-9a-f]{32})$/.exec(
					headers['content-type'] ?? '',
				)?.[1];
				return { boundary, rawBody };
			});
			const body = (boundary: string | undefined, head: string, content: Buffer) =>
				Buffer.concat([
					Buffer.from(
						`--${boundary}\r\nContent-Disposition: form-data; name="file"; ${head}\r\n\r\n`,
					),
					content,
					Buffer.from(`\r\n--${boundary}--\r\n`),
				]);
			expect(first?.rawBody).toEqual(
				body(first?.boundary, 'filename="logo.png"\r\nContent-Type: image/png', PNG),
			);
			expect(second?.rawBody).toEqual(
				body(second?.boundary, 'filename="foto %22ação%22.bin"\r\nContent-Type: image/jpeg', JPEG),
			);
			expect(one.image?.equals(PNG)).toBe(true);
			expect(two.image?.equals(JPEG)).toBe(true);
			expect(run.sources).toEqual([0, 1]);
			expect(run.ids).toEqual([one.id, two.id]);
		});

		it('takes an image of 10 MB, and sends nothing larger', async () => {
			const { id } = bench.sandbox.seed.product();
			const large = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024 - PNG.length)]);
			const tooLarge = Buffer.concat([large, Buffer.alloc(1)]);

			const { error } = await bench.run(upload, [
				await itemWithFile(large, 'image/png', 'large.png', { product: id }),
				await itemWithFile(tooLarge, 'image/png', 'larger.png', { product: id }),
			]);

			expect(bench.requests().map(({ status }) => status)).toEqual([200]);
			expect(error?.message).toContain('and at most 10 MB are allowed');
			expect(error).toHaveProperty('itemIndex', 1);
		});
	},
);
