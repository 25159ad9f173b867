import { z } from 'zod';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { uuid } from '../../ids';
import { metadata, reais } from '../../schemas/common';
import type { Product } from '../../store/types';

const productBody = z.object({
	name: z.string().min(1),
	amount: reais,
	description: z.string().default(''),
	externalId: z.string().min(1).optional(),
	metadata: metadata.default({}),
});

/** POST /v1/products (Products). */
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
			amountCents: body.amount,
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
