import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { productIdParams } from '../../schemas/common';
import { findProduct } from './find';

/** DELETE /v1/products/{productId}: soft delete (docs/api.md#delete-a-product). */
export const deleteProduct = operation({
	method: 'DELETE',
	path: '/v1/products/:productId',
	scopes: ['products:write'],
	params: productIdParams,
	handle({ world, key, params }) {
		findProduct(world, key.environment, params.productId).isActive = false;
		return json(200, { message: 'The product was deactivated' });
	},
});
