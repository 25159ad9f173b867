import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { productIdParams } from '../../schemas/common';
import { findProduct } from './find';

/** DELETE /v1/products/{productId}/image (docs/api.md#delete-a-product-image). */
export const deleteProductImage = operation({
	method: 'DELETE',
	path: '/v1/products/:productId/image',
	scopes: ['products:write'],
	params: productIdParams,
	handle({ world, key, params }) {
		const product = findProduct(world, key.environment, params.productId);
		product.image = null;
		return json(200, { product: presentProduct(product) });
	},
});
