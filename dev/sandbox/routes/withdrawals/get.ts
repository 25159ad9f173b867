import { ServiceError } from '../../errors';
import { json } from '../../http/answer';
import { operation } from '../../http/operation';
import { presentWithdrawal } from '../../http/present';
import { withdrawalIdParams } from '../../schemas/common';

/** GET /v1/withdrawals/{withdrawalId} (docs/api.md#get-a-withdrawal). */
export const getWithdrawal = operation({
	method: 'GET',
	path: '/v1/withdrawals/:withdrawalId',
	scopes: ['withdrawals:read'],
	params: withdrawalIdParams,
	handle({ world, key, params }) {
		const withdrawal = world.store.withdrawals.get(key.environment, params.withdrawalId);
		if (!withdrawal) throw new ServiceError('NOT_FOUND', { message: 'No such withdrawal' });
		return json(200, { withdrawal: presentWithdrawal(withdrawal, world.dialect) });
	},
});
