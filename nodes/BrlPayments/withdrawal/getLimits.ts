import { readLimits } from '../../shared/transport/schemas';
import type { ItemOperation } from '../operation';

/** GET /v1/withdrawals/limits (docs/api.md#get-withdrawal-limits). */
export const getLimits: ItemOperation = {
	option: {
		name: 'Get Limits',
		value: 'getLimits',
		action: 'Get withdrawal limits',
		description: 'Retrieve how much can be withdrawn now, and the fee',
	},
	scope: 'withdrawals:read',
	forAgents:
		'Amounts are in reais. The largest amount that can be paid now is remaining minus fee.',
	fields: [],
	async execute(call) {
		return {
			json: await call.get('/v1/withdrawals/limits', readLimits),
		};
	},
};
