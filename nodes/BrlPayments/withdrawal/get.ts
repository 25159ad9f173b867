import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenWithdrawalId, withdrawalIdField } from '../editor/pickers';
import { simplifyFields } from '../editor/simplify';
import type { ItemOperation } from '../operation';
import { withdrawalShower } from './fields';

/** GET /v1/withdrawals/{withdrawalId} (docs/api.md#get-a-withdrawal). */
export const get: ItemOperation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get withdrawal',
		description: 'Retrieve a withdrawal by its ID',
	},
	scope: 'withdrawals:read',
	fields: [withdrawalIdField, ...simplifyFields],
	async execute(call) {
		const withdrawalId = chosenWithdrawalId(call);
		const withdrawal = await call.get(
			path`/v1/withdrawals/${withdrawalId}`,
			readRecord('withdrawal'),
		);
		return { json: withdrawalShower(call)(withdrawal, call.inputJson) };
	},
};
