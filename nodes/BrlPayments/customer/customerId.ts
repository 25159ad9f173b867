import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { requireText } from '../../shared/validation/text';
import { isUuid } from '../../shared/validation/uuid';
import type { ItemCall } from '../execution/itemCall';

export const customerIdField: INodeProperties = {
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. cus_maria-silva',
	description: 'ID of the customer. It begins with "cus_".',
};

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
