import { z } from 'zod';
import type { Dialect } from '../../settings/dialects';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { uuid } from '../../values/ids';
import { freeText, metadata, reais, unknownIn } from '../../schemas/common';
import type { Product } from '../../store/types';

/** Which fields are required is not shown. A product without an amount is one of 0.00. */
function productBody(dialect: Dialect) {
	const { required } = dialect.productFields;
	const text = freeText(dialect);
	const fields = {
		name: text.min(1),
		amount: reais,
		description: text,
		externalId: text.min(1),
		metadata: metadata(dialect),
	};
	if (required === 'all') return unknownIn(dialect, z.object(fields));
	return unknownIn(
		dialect,
		z.object({
			...fields,
			amount: required === 'nameOnly' ? reais.optional() : reais,
			description: text.default(''),
			externalId: fields.externalId.optional(),
			metadata: fields.metadata.default({}),
		}),
	);
}

/** POST /v1/products (docs/api.md#create-a-product). */
export const createProduct = operation({
	method: 'POST',
	path: '/v1/products',
	scopes: ['products:write'],
	idempotent: true,
	body: productBody,
	handle({ world, key, body, idempotencyKey, now }) {
		const product: Product = {
			id: uuid(),
			environment: key.environment,
			createdAt: now,
			name: body.name,
			description: body.description,
			amountCents: body.amount ?? 0,
			externalId: body.externalId ?? null,
			metadata: body.metadata,
			isActive: true,
			image: null,
			idempotencyKey,
		};
		world.store.products.insert(product);
		world.store.books.product(product);
		return json(201, { product: presentProduct(product) });
	},
});
