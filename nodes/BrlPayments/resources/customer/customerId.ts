import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../../api/input/inputError';
import { requireText } from '../../../api/input/text';
import type { ItemCall } from '../../itemCall';

export const customerIdField: INodeProperties = {
	displayName: 'Customer ID',
	name: 'customerId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. cus_maria-silva',
	description: 'ID of the customer. It begins with "cus_".',
};

/** The prefixed identifier, `cus_<slug>` ("Endpoints", common rules). */
export function chosenCustomerId(call: ItemCall): string {
	const customerId = requireText(call.parameter('customerId'), 'Customer ID');
	if (!customerId.startsWith('cus_')) {
		throw new InputError(
			`Customer ID "${customerId}" does not begin with "cus_"`,
			'If this is the ID of your own system, use the operation Get by External ID.',
		);
	}
	return customerId;
}
