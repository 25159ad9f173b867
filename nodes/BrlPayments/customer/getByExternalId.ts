import { getByExternalIdOf } from '../editor/pickers';

/** GET /v1/customers/external/{externalId} (docs/api.md#get-a-customer-by-external-id). */
export const getByExternalId = getByExternalIdOf('customer', 'customer-1042');
