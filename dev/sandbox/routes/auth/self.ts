import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentKey } from '../../http/present';

/** GET /v1/auth/self: the API key in use (docs/api.md#get-the-api-key). */
export const authSelf = operation({
	method: 'GET',
	path: '/v1/auth/self',
	scopes: [],
	handle: ({ key }) => json(200, { apiKey: presentKey(key) }),
});
