import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** The fields of Wait for Status. */
export const waitingFields = (
	statuses: INodePropertyOptions[],
	defaults: string[],
): INodeProperties[] => [
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		required: true,
		default: defaults,
		options: statuses,
		description: 'The wait ends as soon as one of these is reached',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 300,
		description:
			'Seconds to wait at most. After that the item fails, and its error names the last status.',
	},
];
