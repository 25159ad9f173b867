import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemCall } from '../../execution/itemCall';

/** For operations whose answer has more than ten fields. */
export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The given fields of a record when the user wants it simple, else the record as it came. */
export function simplified(
	call: ItemCall,
	record: IDataObject,
	fields: readonly string[],
): IDataObject {
	if (!call.parameter<boolean>('simplify', true)) return record;
	return Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);
}
