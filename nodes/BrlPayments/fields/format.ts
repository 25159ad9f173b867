import type { INodeProperties } from 'n8n-workflow';

export type DocumentFormat = 'html' | 'text';

export const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	default: 'text',
	description: 'Format of the document',
	options: [
		{
			name: 'HTML',
			value: 'html',
			description: 'A web page that you can e-mail or convert to PDF',
		},
		{ name: 'Text', value: 'text', description: 'Plain text' },
	],
};
