import { getByExternalIdOf } from '../editor/pickers';

/** GET /v1/products/external/{externalId} (docs/api.md#get-a-product-by-external-id). */
export const getByExternalId = getByExternalIdOf('product', 'plan-monthly');
