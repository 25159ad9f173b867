import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { externalIdField, parseExternalId } from '../fields/records';
import type { ItemOperation } from '../execution/operation';

/** GET /v1/products/external/{externalId} (docs/api.md#get-a-product-by-external-id). */
export const getByExternalId: ItemOperation = {
	option: {
		name: 'Get by External ID',
		value: 'getByExternalId',
		action: 'Get product by external ID',
		description: 'Get a product by its ID in your own system',
	},
	scope: 'products:read',
	fields: [externalIdField('product', 'plan-monthly')],
	async execute(call) {
		const externalId = parseExternalId(call.parameter('externalId'));
		return {
			json: await call.get(path`/v1/products/external/${externalId}`, readRecord('product')),
		};
	},
};
