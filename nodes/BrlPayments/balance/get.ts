import type { IDataObject } from 'n8n-workflow';
import { readBalance } from '../../shared/transport/schemas';
import type { ItemOperation } from '../operation';

/** GET /v1/balance (docs/api.md#get-the-balance). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get balance',
		description: 'Retrieve what is available for withdrawals and what is not yet',
	},
	scope: 'balance:read',
	forAgents: 'Amounts are in reais.',
	fields: [],
	async execute(call) {
		if (call.environment === 'sandbox') {
			call.hint('With a test key, the balance is always zero.');
		}
		return { json: await call.get<IDataObject>('/v1/balance', readBalance) };
	},
};
