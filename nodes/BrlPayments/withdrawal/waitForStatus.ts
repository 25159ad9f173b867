import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import { chosenWithdrawalId, withdrawalIdField } from '../editor/pickers';
import { simplifyFields } from '../editor/simplify';
import { WITHDRAWAL_STATUSES, waitTimeoutField } from '../editor/fields';
import type { ItemOperation } from '../operation';
import { isFailed } from '../orders/payouts';
import { waitForStatus as wait } from '../waiting';
import { withdrawalShower } from './fields';

/** Polls GET /v1/withdrawals/{withdrawalId} (docs/api.md#webhooks: sandbox payments send none). */
export const waitForStatus: ItemOperation = {
	option: {
		name: 'Wait for Status',
		value: 'waitForStatus',
		action: 'Wait for status of withdrawal',
		description: 'Wait until a withdrawal has one of the chosen statuses',
	},
	scope: 'withdrawals:read',
	forAgents: 'It may take minutes to respond. To check once, get the withdrawal instead.',
	fields: [
		withdrawalIdField,
		{
			displayName: 'Statuses',
			name: 'statuses',
			type: 'multiOptions',
			required: true,
			// If FAILED were among them, the message of the next node would say that it was paid.
			default: ['COMPLETED'],
			options: WITHDRAWAL_STATUSES,
			description: 'The wait ends as soon as one of these statuses is reached',
		},
		waitTimeoutField,
		...simplifyFields,
	],
	async execute(call) {
		const withdrawalId = chosenWithdrawalId(call);
		const withdrawal = await wait(
			call,
			'withdrawal',
			async () => await call.get(path`/v1/withdrawals/${withdrawalId}`, readRecord('withdrawal')),
			isFailed,
		);
		return { json: withdrawalShower(call)(withdrawal, call.inputJson) };
	},
};
