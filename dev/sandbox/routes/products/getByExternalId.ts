import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentProduct } from '../../http/present';
import { externalIdParams } from '../../schemas/common';

/** GET /v1/products/external/{externalId}: the newest product of that id (docs/api.md#get-a-product-by-external-id). */
export const getProductByExternalId = operation({
	method: 'GET',
	path: '/v1/products/external/:externalId',
	scopes: ['products:read'],
	params: externalIdParams,
	handle({ world, key, params }) {
		const product = world.store.products.newest(
			key.environment,
			(row) => row.externalId === params.externalId,
		);
		if (!product) throw new ServiceError('NOT_FOUND', { message: 'No such product' });
		return json(200, { product: presentProduct(product) });
	},
});
