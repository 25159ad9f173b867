import { z } from 'zod';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { productIdParams, freeText } from '../../schemas/common';
import { findProduct } from './find';

/** Implied by its scope, without a path in the API: there in one dialect only. */
export const updateProduct = operation({
	method: 'PATCH',
	path: '/v1/products/:productId',
	scopes: ['products:write'],
	isThere: ({ unlistedEndpoints }) => unlistedEndpoints.endpoints === 'present',
	params: productIdParams,
	body: (dialect) => z.object({ name: freeText(dialect).min(1) }),
	handle({ world, key, params, body }) {
		const product = findProduct(world, key.environment, params.productId);
		product.name = body.name;
		return json(200, { product: presentProduct(product) });
	},
});
