import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenProductId, productField } from '../editor/pickers';
import type { ItemOperation } from '../operation';

/** DELETE /v1/products/{productId}/image (docs/api.md#delete-a-product-image). */
export const deleteImage: ItemOperation = {
	option: {
		name: 'Delete Image',
		value: 'deleteImage',
		action: 'Delete image of product',
		description: 'Remove the image of a product. This cannot be undone.',
	},
	scope: 'products:write',
	isWrite: true,
	fields: [productField],
	async execute(call) {
		const productId = await chosenProductId(call);
		const product = await call.repeatable(
			'DELETE',
			path`/v1/products/${productId}/image`,
			readRecord('product'),
		);
		return { json: product };
	},
};
