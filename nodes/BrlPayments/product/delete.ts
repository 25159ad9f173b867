import { path } from '../../shared/transport/path';
import { readObject } from '../../shared/transport/schemas';
import { chosenProductId, productField } from '../editor/pickers';
import type { ItemOperation } from '../operation';

/** DELETE /v1/products/{productId} (docs/api.md#delete-a-product). */
export const deleteProduct: ItemOperation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete product',
		description: 'Deactivate a product, so that no new payment can use it. Its data is kept.',
	},
	scope: 'products:write',
	isWrite: true,
	fields: [productField],
	async execute(call) {
		const productId = await chosenProductId(call);
		await call.repeatable('DELETE', path`/v1/products/${productId}`, readObject);
		return { json: { deleted: true } };
	},
};
