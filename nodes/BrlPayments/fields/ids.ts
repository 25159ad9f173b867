import type { INodeProperties } from 'n8n-workflow';
import { requireText } from '../../shared/validation/text';

/** A required field for the ID that the user's own system gave the record, such as `example`. */
export const externalIdField = (of: string, example: string): INodeProperties => ({
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: `ID of the ${of} in your own system, up to 100 characters`,
});

/** The bound of the API on external IDs in paths (docs/api.md#limits): a longer one could never be found again. */
export const EXTERNAL_ID_MAX_LENGTH = 100;

/** @param value of a field made by `externalIdField`, or of another that contains such an ID */
export function parseExternalId(value: unknown): string {
	return requireText(value, 'External ID', EXTERNAL_ID_MAX_LENGTH);
}
