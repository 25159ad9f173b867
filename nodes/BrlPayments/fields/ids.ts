import type { INodeProperties } from 'n8n-workflow';
import { requireText } from '../../api/input/text';

/** A required field for a UUID of the service. */
const idField = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 3fa85f64-5717-4562-b3fc-2c963f66afa6',
	description,
});

export const paymentIdField = idField(
	'Payment ID',
	'paymentId',
	'ID of the payment, as in the field "ID" of an earlier step',
);

export const withdrawalIdField = idField(
	'Withdrawal ID',
	'withdrawalId',
	'ID of the withdrawal, as in the field "ID" of an earlier step',
);

/** A required field for the ID that the user's own system gave the record, such as `example`. */
export const externalIdField = (of: string, example: string): INodeProperties => ({
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: `The ID that your own system gave the ${of}, at most 100 characters`,
});

/** The bound of the API on external IDs in paths (docs/api.md#limits): a longer one could never be found again. */
export const EXTERNAL_ID_MAX_LENGTH = 100;

/** @param value of a field made by `externalIdField`, or of another that holds such an ID */
export function parseExternalId(value: unknown): string {
	return requireText(value, 'External ID', EXTERNAL_ID_MAX_LENGTH);
}
