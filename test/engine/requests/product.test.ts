import { itemWithFile, useBench } from '../support/harness';
import { JPEG, PNG } from '../support/values';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys } from '../support/wire';
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
