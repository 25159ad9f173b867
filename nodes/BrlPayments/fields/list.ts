import type { INodeProperties } from 'n8n-workflow';

/** Return All and Limit, as every Get Many of n8n has them. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** The date filters of a list. @param rows what the list contains, for example "payments" */
export const dateFilters = (rows: string): { start: INodeProperties; end: INodeProperties } => ({
	start: {
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: `Only ${rows} created on or after this date`,
	},
	end: {
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: `Only ${rows} created on or before this date`,
	},
});
