import { path } from '../../../api/path';
import { readObject } from '../../../api/schemas';
import { chosenProductId, productField } from '../../fields/product';
import type { ItemOperation } from '../../operation';

/** DELETE /v1/products/{productId} (docs/api.md#delete-a-product). */
export const deleteProduct: ItemOperation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete product',
		description: 'Make a product inactive, so that no new payment can use it. Its data is kept.',
	},
	scope: 'products:write',
	isWrite: true,
	fields: [productField],
	async execute(call) {
		const productId = await chosenProductId(call);
		await call.repeatable('DELETE', path`/v1/products/${productId}`, readObject);
		return { json: { deleted: true, productId } };
	},
};
