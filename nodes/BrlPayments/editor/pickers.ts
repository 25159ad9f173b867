import { textField } from './fields';
import type { INodeParameterResourceLocator, INodeProperties, IDataObject } from 'n8n-workflow';
import { optionalName, requireText } from '../../shared/input/text';
import { parseUuid, isUuid } from '../../shared/input/uuid';
import { path } from '../../shared/transport/path';
import { readRecord, type ApiRecord } from '../../shared/transport/schemas';
import type { ItemCall } from '../item';
import type { ItemOperation } from '../operation';
import { InputError } from '../../shared/input/inputError';

/** Gets a record by the ID that the user's own system gave it, such as `example`. */
export const getByExternalIdOf = (
	record: 'customer' | 'product',
	example: string,
): ItemOperation => ({
	option: {
		name: 'Get by External ID',
		value: 'getByExternalId',
		action: `Get ${record} by external ID`,
		description: `Retrieve a ${record} by its ID in your own system`,
	},
	scope: `${record}s:read`,
	fields: [externalIdField(record, example)],
	async execute(call) {
		const externalId = parseExternalId(call.parameter('externalId'));
		return {
			json: await call.get(path`/v1/${record}s/external/${externalId}`, readRecord(record)),
		};
	},
});

const externalIdField = (of: string, example: string): INodeProperties =>
	textField('External ID', 'externalId', {
		required: true,
		placeholder: `e.g. ${example}`,
		description: `ID of the ${of} in your own system, up to 100 characters`,
	});

/** The bound of the API on external IDs in paths (docs/api.md#limits): a longer one could never be found again. */
export const EXTERNAL_ID_MAX_LENGTH = 100;

function parseExternalId(value: unknown): string {
	const label = 'External ID';
	return requireText(optionalName(value, label, EXTERNAL_ID_MAX_LENGTH), label);
}

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
		readRecord('payment'),
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

/** Picks a product from a list, by its ID or by the user's own ID. */
export const productField: INodeProperties = {
	displayName: 'Product',
	name: 'productId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Product from the catalog',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a product…',
			typeOptions: { searchListMethod: 'searchProducts', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
		},
		{
			displayName: 'By External ID',
			name: 'externalId',
			type: 'string',
			placeholder: 'e.g. plan-monthly',
		},
	],
};

/** The UUID of the chosen product; looks it up when it was chosen by external ID. */
export async function chosenProductId(call: ItemCall): Promise<string> {
	const { mode, value } = call.parameter<INodeParameterResourceLocator>('productId');
	if (mode !== 'externalId') return parseUuid(value, 'Product');

	const externalId = parseExternalId(value);
	const product = await call.lookUp<IDataObject>(
		path`/v1/products/external/${externalId}`,
		readRecord('product'),
		'products:read',
	);
	if (typeof product.id !== 'string' || !isUuid(product.id)) {
		throw new InputError(
			`The service returned the product "${externalId}" without a valid ID`,
			'Choose it from the list instead.',
		);
	}
	return product.id;
}

export const customerIdField: INodeProperties = textField('Customer ID', 'customerId', {
	required: true,
	placeholder: 'e.g. cus_maria-silva',
	description: 'ID of the customer. It begins with "cus_".',
});

/** The prefixed identifier, `cus_<slug>` (docs/api.md#identifiers). */
export function chosenCustomerId(call: ItemCall): string {
	const customerId = requireText(call.parameter('customerId'), 'Customer ID');
	if (!customerId.startsWith('cus_')) {
		throw new InputError(
			`Customer ID "${customerId}" does not begin with "cus_"`,
			isUuid(customerId)
				? 'This is the internal ID, by which the service finds no customer. Use the ID that begins with "cus_", from where the customer was created or from the dashboard; Get by External ID does not return it.'
				: 'If this is the ID from your own system, use Get by External ID. All other operations require the ID that begins with "cus_", from where the customer was created or from the dashboard.',
		);
	}
	return customerId;
}
