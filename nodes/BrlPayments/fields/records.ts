import type { INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { requireText } from '../../shared/validation/text';
import { parseUuid } from '../../shared/validation/uuid';
import { path } from '../../shared/transport/path';
import { readPayment, type ApiRecord } from '../../shared/transport/schemas';
import type { ItemCall } from '../execution/itemCall';

/**
 * A required field that picks a record; its modes are not here, because n8n's lint rules require
 * them in each field.
 */
const recordField = (record: 'Payment' | 'Withdrawal'): INodeProperties => ({
	displayName: record,
	name: `${record.toLowerCase()}Id`,
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: `The ${record.toLowerCase()}. The field "ID" of an earlier step contains its ID.`,
});

export const paymentIdField: INodeProperties = {
	...recordField('Payment'),
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a payment…',
			typeOptions: { searchListMethod: 'searchPayments', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
		},
		{
			displayName: 'By TxID',
			name: 'txId',
			type: 'string',
			placeholder: 'e.g. PAY0F8FAD5BD9CB469FA16570867728950E',
		},
	],
};

export const withdrawalIdField: INodeProperties = {
	...recordField('Withdrawal'),
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a withdrawal…',
			typeOptions: { searchListMethod: 'searchWithdrawals', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
		},
	],
};

/**
 * The UUID of the chosen payment; looks it up when it was chosen by its TxID. So a payment has the
 * same ID however it was chosen, and its refund the same idempotency key.
 */
export async function chosenPaymentId(call: ItemCall): Promise<string> {
	const { mode, value } = chosen(call, 'paymentId');
	if (mode !== 'txId') return parseUuid(value, 'Payment ID');

	const txId = requireText(value, 'TxID');
	const { id } = await call.lookUp<ApiRecord>(
		path`/v1/payments/txid/${txId}`,
		readPayment,
		'payments:read',
	);
	return parseUuid(id, 'Payment ID');
}

export function chosenWithdrawalId(call: ItemCall): string {
	return parseUuid(chosen(call, 'withdrawalId').value, 'Withdrawal ID');
}

/** Earlier versions saved a text instead of an object, and agents may provide one. */
function chosen(call: ItemCall, name: string): { mode?: unknown; value: unknown } {
	const given = call.parameter<INodeParameterResourceLocator | string>(name);
	return typeof given === 'object' && '__rl' in given ? given : { value: given };
}
