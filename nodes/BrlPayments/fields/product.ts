import type { IDataObject, INodeParameterResourceLocator, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { isUuid, parseUuid } from '../../shared/validation/uuid';
import { path } from '../../shared/transport/path';
import { readRecord } from '../../shared/transport/schemas';
import type { ItemCall } from '../execution/itemCall';
import { parseExternalId } from './ids';

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
