import { dateFilters, filtersField, listFields, WITHDRAWAL_STATUSES } from '../editor/fields';
import { simplifyFields } from '../editor/simplify';
import { listRecords } from '../listing';
import type { ItemOperation } from '../operation';
import { withdrawalShower } from './fields';

const dates = dateFilters('withdrawals');

/** GET /v1/withdrawals (docs/api.md#list-withdrawals). */
export const getAll: ItemOperation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many withdrawals',
		description: 'Retrieve a list of withdrawals, all or those that match filters',
	},
	scope: 'withdrawals:read',
	fields: [
		...listFields,
		filtersField([
			{
				displayName: 'Currency',
				name: 'currency',
				type: 'options',
				default: 'BRL',
				options: [{ name: 'BRL', value: 'BRL' }],
				description: 'Only withdrawals in this currency',
			},
			dates.end,
			{
				displayName: 'Method',
				name: 'method',
				type: 'options',
				default: 'PIX',
				options: [{ name: 'PIX', value: 'PIX' }],
				description: 'Only withdrawals made with this method',
			},
			dates.start,
			{
				displayName: 'Status',
				name: 'status',
				type: 'options',
				default: 'COMPLETED',
				options: WITHDRAWAL_STATUSES,
				description: 'Only withdrawals that currently have this status',
			},
		]),
		...simplifyFields,
	],
	async execute(call) {
		const withdrawals = await listRecords(call, '/v1/withdrawals', 'withdrawals');
		const shown = withdrawalShower(call);
		return withdrawals.map((withdrawal) => ({ json: shown(withdrawal) }));
	},
};
