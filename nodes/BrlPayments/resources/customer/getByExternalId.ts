import { requireText } from '../../../api/input/text';
import { path } from '../../../api/path';
import { readRecord } from '../../../api/schemas';
import { EXTERNAL_ID_MAX_LENGTH, externalIdField } from '../../fields/ids';
import type { ItemOperation } from '../../operation';

/** GET /v1/customers/external/{externalId} ("Customers"). */
export const getByExternalId: ItemOperation = {
	option: {
		name: 'Get by External ID',
		value: 'getByExternalId',
		action: 'Get a customer by external ID',
		description: 'Get a customer by the ID that your own system gave it',
	},
	scope: 'customers:read',
	fields: [externalIdField('customer')],
	async execute(call) {
		const externalId = requireText(
			call.parameter('externalId'),
			'External ID',
			EXTERNAL_ID_MAX_LENGTH,
		);
		return {
			json: await call.get(path`/v1/customers/external/${externalId}`, readRecord('customer')),
		};
	},
};
