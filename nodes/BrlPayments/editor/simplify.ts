import { pick } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemCall } from '../item';

/** For operations whose response has more than ten fields. */
export const simplifyFields: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
];

/**
 * Shows a record as the user wants it: raw, or with the given fields.
 * @param derived fields that the response does not have
 */
export type Simplifier = (
	record: IDataObject,
	fields: readonly string[],
	derived?: IDataObject,
) => IDataObject;

/** The parameter is read here, once for all records of an item: that takes longer than what follows. */
export function simplifier(call: ItemCall): Simplifier {
	if (!call.parameter<boolean>('simplify', true)) return (record) => record;
	return (record, fields, derived = {}) => pick({ ...record, ...derived }, fields);
}
