import { keyExpiryNotice } from '../../shared/client/connection';
import { readRecord } from '../../shared/transport/schemas';
import { simplifier, simplifyFields } from '../editor/simplify';
import type { ItemOperation } from '../operation';

const SIMPLE_FIELDS = [
	'id',
	'name',
	'environment',
	'prefix',
	'scopes',
	'ipAllowlist',
	'rateLimitPerMinute',
	'expiresAt',
	'lastUsedAt',
];

/** GET /v1/auth/self (docs/api.md#get-the-api-key). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get API key in use',
		description: 'Retrieve the details and permissions of the API key in the credential',
	},
	scope: null,
	forAgents: 'The key itself is not shown.',
	fields: simplifyFields,
	async execute(call) {
		const apiKey = await call.get('/v1/auth/self', readRecord('apiKey'));
		const notice = keyExpiryNotice(apiKey.expiresAt, call.now());
		if (notice !== undefined) call.hint(notice);
		return { json: simplifier(call)(apiKey, SIMPLE_FIELDS) };
	},
};
