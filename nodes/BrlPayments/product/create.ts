import { textField } from '../editor/fields';
import { InputError } from '../../shared/input/inputError';
import { parseReais, toReais } from '../../shared/input/money';
import { parseObject, optionalName, optionalText, requireText } from '../../shared/input/text';
import { readCreated } from '../../shared/transport/schemas';
import { EXTERNAL_ID_MAX_LENGTH } from '../editor/pickers';
import type { OrderOperation } from '../operation';
import { omitUndefined } from '../../shared/text/omitUndefined';

/** POST /v1/products (docs/api.md#create-a-product). */
export const create: OrderOperation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create product',
		description: 'Add a product to the catalog',
	},
	scope: 'products:write',
	verificationHint: 'Product > Get Many, and look for the name',
	isWrite: true,
	guardedFields: ['name', 'amount', 'externalId'],
	fields: [
		textField('Name', 'name', {
			required: true,
			placeholder: 'e.g. Monthly plan',
			description: 'Name of the product in the catalog',
		}),
		textField('Amount', 'amount', {
			required: true,
			placeholder: 'e.g. 49,90',
			description: 'Price in reais, such as 1234.56 or R$ 1.234,56',
		}),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				textField('Description', 'description', {
					placeholder: 'e.g. Access to all courses for one month',
				}),
				textField('External ID', 'externalId', {
					placeholder: 'e.g. plan-monthly',
					description: `ID of this product in your own system, up to ${EXTERNAL_ID_MAX_LENGTH} characters`,
				}),
				{
					displayName: 'Metadata',
					name: 'metadata',
					type: 'json',
					default: '{}',
					description: 'Your own data to store with the product, as a JSON object',
				},
			],
		},
	],
	prepare(call) {
		const name = requireText(call.parameter('name'), 'Name');
		const cents = parseReais(call.parameter('amount'));
		if (cents === 0) throw new InputError('Amount is zero', 'Enter the price in reais.');
		const given = call.parameter<Record<string, unknown>>('additionalFields', {});
		const description = optionalText(given.description, 'Description');
		const externalId = optionalName(given.externalId, 'External ID', EXTERNAL_ID_MAX_LENGTH);
		const metadata = parseObject(given.metadata, 'Metadata');
		return {
			path: '/v1/products',
			body: omitUndefined({
				name,
				amount: toReais(cents),
				description,
				externalId,
				metadata,
			}),
			identity: { externalId, name, amount: cents },
			read: readCreated('product'),
		};
	},
};
