import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentExternalCustomer } from '../../http/present';
import { externalIdParams } from '../../schemas/common';
import { findCustomer } from './find';

/** GET /v1/customers/external/{externalId}: the internal id, no metadata (docs/api.md#get-a-customer-by-external-id). */
export const getCustomerByExternalId = operation({
	method: 'GET',
	path: '/v1/customers/external/:externalId',
	scopes: ['customers:read'],
	params: externalIdParams,
	handle({ world, key, params }) {
		if (world.dialect.customerAuthorization.takes === 'oauthToken') {
			throw new ServiceError('INVALID_API_KEY', { message: 'Send an OAuth token' });
		}
		const { externalId } = params;
		const customer = findCustomer(world, key.environment, (row) => row.externalId === externalId);
		return json(200, { customer: presentExternalCustomer(customer) });
	},
});
