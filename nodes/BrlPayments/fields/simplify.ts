import { textField } from './definitions';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import type { ItemCall } from '../execution/itemCall';

/** For operations whose response has more than ten fields; agents choose fields, to read less. */
export const simplifyFields: INodeProperties[] = [
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
		displayOptions: { hide: { '@tool': [true] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'simple',
		description: 'Fields that the agent receives. Fewer fields use fewer tokens.',
		options: [
			{ name: 'Raw', value: 'raw', description: 'All fields of the response' },
			{ name: 'Selected Fields', value: 'fields', description: 'Only the fields that you list' },
			{ name: 'Simplified', value: 'simple', description: 'The most commonly used fields' },
		],
		displayOptions: { show: { '@tool': [true] } },
	},
	textField('Fields', 'fields', {
		required: true,
		placeholder: 'e.g. status, amount, paidAt',
		description: 'Names of the fields to return, separated by commas',
		displayOptions: { show: { '@tool': [true], output: ['fields'] } },
	}),
];

/**
 * Shows a record as the user wants it: raw, with the fields that the user names, or with the given ones.
 * @param derived fields that the response does not have
 */
export type Simplifier = (
	record: IDataObject,
	fields: readonly string[],
	derived?: IDataObject,
) => IDataObject;

/** Parameters are read here, once for all records of an item: that takes longer than what follows. */
export function simplifier(call: ItemCall): Simplifier {
	const simple = call.parameter<boolean>('simplify', true) ? 'simple' : 'raw';
	const output = call.parameter<string>('output', simple);
	if (output === 'raw') return (record) => record;
	const selected = output === 'fields' ? selectedFields(call) : undefined;
	return (record, fields, derived = {}) => pick({ ...record, ...derived }, selected ?? fields);
}

function selectedFields(call: ItemCall): string[] {
	const names = call.parameter<string>('fields', '').split(',');
	const fields = names.map((name) => name.trim()).filter((name) => name !== '');
	if (fields.length > 0) return fields;
	throw new InputError('No field is listed', 'List at least one under Fields, such as status.');
}

function pick(record: IDataObject, fields: readonly string[]): IDataObject {
	return Object.fromEntries(
		fields.filter((field) => field in record).map((field) => [field, record[field]]),
	);
}
