import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { externalIdField, parseExternalId } from '../fields/records';
import type { ItemOperation } from '../execution/operation';

/** GET /v1/customers/external/{externalId} (docs/api.md#get-a-customer-by-external-id). */
export const getByExternalId: ItemOperation = {
	option: {
		name: 'Get by External ID',
		value: 'getByExternalId',
		action: 'Get customer by external ID',
		description: 'Get a customer by its ID in your own system',
	},
	scope: 'customers:read',
	fields: [externalIdField('customer', 'customer-1042')],
	async execute(call) {
		const externalId = parseExternalId(call.parameter('externalId'));
		return {
			json: await call.get(path`/v1/customers/external/${externalId}`, readRecord('customer')),
		};
	},
};
