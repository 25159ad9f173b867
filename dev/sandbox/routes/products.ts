import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { found, invalid } from '../errors';
import { json } from '../http/answer';
import { page, readFilters } from '../http/list';
import { operation } from '../http/operation';
import { bodyOf } from '../http/recorder';
import { presentProduct } from '../http/present';
import { externalIdParams, productIdParams, reais } from '../schemas/common';
import { listQuery, productFilters } from '../schemas/lists';
import { newProduct, type Product } from '../store/rows';
import type { Environment } from '../store/types';
import type { World } from '../world';

function findProduct(world: World, environment: Environment, id: string): Product {
	return found(world.store.products.get(environment, id), 'product');
}

/** Which fields are required is not shown: here, name and amount. */
const productBody = z.object({
	name: z.string().min(1),
	amount: reais,
	description: z.string().default(''),
	externalId: z.string().min(1).optional(),
	metadata: z.record(z.unknown()).default({}),
});

/** POST /v1/products (docs/api.md#create-a-product). */
export const createProduct = operation('POST /v1/products', {
	scopes: ['products:write'],
	idempotent: true,
	body: productBody,
	handle({ world, key, body }) {
		const product = newProduct(world, {
			...{ environment: key.environment, amountCents: body.amount },
			...{ name: body.name, description: body.description, metadata: body.metadata },
			externalId: body.externalId ?? null,
		});
		world.store.products.book(product);
		return json(201, { product: presentProduct(product) });
	},
});

/** GET /v1/products; `search` finds a part of the name (docs/api.md#list-products). */
export const listProducts = operation('GET /v1/products', {
	scopes: ['products:read'],
	query: listQuery,
	handle({ world, key, query }) {
		const filters = readFilters(world.dialect, productFilters, query);
		const wanted = filters.search?.toLowerCase();
		const rows = world.store.products.newestFirst(
			key.environment,
			(row) =>
				(wanted === undefined || row.name.toLowerCase().includes(wanted)) &&
				(filters.isActive === undefined || row.isActive === filters.isActive),
		);
		return page(world.dialect, 'products', rows, query, presentProduct);
	},
});

/** GET /v1/products/external/{externalId}: the newest product of that id (docs/api.md#get-a-product-by-external-id). */
export const getProductByExternalId = operation('GET /v1/products/external/:externalId', {
	scopes: ['products:read'],
	params: externalIdParams,
	handle({ world, key, params }) {
		const product = world.store.products.newest(
			key.environment,
			(row) => row.externalId === params.externalId,
		);
		return json(200, { product: presentProduct(found(product, 'product')) });
	},
});

/** DELETE /v1/products/{productId}: soft delete (docs/api.md#delete-a-product). */
export const deleteProduct = operation('DELETE /v1/products/:productId', {
	scopes: ['products:write'],
	params: productIdParams,
	handle({ world, key, params }) {
		findProduct(world, key.environment, params.productId).isActive = false;
		return json(200, { message: 'The product was deactivated' });
	},
});

/** POST /v1/products/{productId}/image: one part `file`, PNG or JPEG, at most 10 MB (docs/api.md#upload-a-product-image). */
export const uploadProductImage = operation('POST /v1/products/:productId/image', {
	scopes: ['products:write'],
	params: productIdParams,
	async handle({ world, key, params, request }) {
		const product = findProduct(world, key.environment, params.productId);
		product.image = await readImage(request);
		return json(200, { product: presentProduct(product) });
	},
});

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const IMAGE_STARTS = ['89504e470d0a1a0a', 'ffd8ff'];

function isImage(bytes: Buffer): boolean {
	return IMAGE_STARTS.some((start) => bytes.toString('hex', 0, start.length / 2) === start);
}

async function readImage(request: FastifyRequest): Promise<Buffer> {
	const type = request.headers['content-type'] ?? '';
	if (!/^multipart\/form-data\b/i.test(type)) {
		throw invalid('file', 'Send multipart/form-data with a part named file');
	}
	const body = new Response(bodyOf(request), { headers: { 'content-type': type } });
	const form = await body.formData().catch(() => {
		throw invalid('body', 'The multipart body is malformed');
	});
	const [file, ...others] = form.getAll('file');
	if (!(file instanceof File) || others.length > 0) {
		throw invalid('file', 'Send exactly one part named file');
	}
	if (file.size > MAX_IMAGE_BYTES) throw invalid('file', 'At most 10 MB');
	const bytes = Buffer.from(await file.arrayBuffer());
	// The bytes decide: what the part says of itself is only a claim.
	if (!isImage(bytes)) throw invalid('file', 'Must be a PNG or JPEG image');
	return bytes;
}

/** DELETE /v1/products/{productId}/image (docs/api.md#delete-a-product-image). */
export const deleteProductImage = operation('DELETE /v1/products/:productId/image', {
	scopes: ['products:write'],
	params: productIdParams,
	handle({ world, key, params }) {
		const product = findProduct(world, key.environment, params.productId);
		product.image = null;
		return json(200, { product: presentProduct(product) });
	},
});
