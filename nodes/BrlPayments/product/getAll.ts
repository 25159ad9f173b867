import { filtersField, textField, listFields } from '../editor/fields';
import { listRecords } from '../listing';
import type { ItemOperation } from '../operation';

/** GET /v1/products (docs/api.md#list-products). */
export const getAll: ItemOperation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many products',
		description: 'Retrieve a list of products from the catalog',
	},
	scope: 'products:read',
	fields: [
		...listFields,
		filtersField([
			{
				displayName: 'Is Active',
				name: 'isActive',
				type: 'boolean',
				default: true,
				description: 'Whether to list products in use (on) or deleted ones (off)',
			},
			textField('Search', 'search', {
				placeholder: 'e.g. plan',
				description:
					'Only products whose name contains this text, ignoring case and accents. The node reads all products to find them.',
			}),
		]),
	],
	async execute(call) {
		const products = await listRecords(call, '/v1/products', 'products');
		return products.map((json) => ({ json }));
	},
};
