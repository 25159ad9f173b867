import type { INodeProperties } from 'n8n-workflow';

export type DocumentFormat = 'html' | 'text';

export const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	default: 'text',
	description: 'How the document is written',
	options: [
		{
			name: 'HTML',
			value: 'html',
			description: 'A web page, to send by e-mail or turn into a PDF',
		},
		{ name: 'Text', value: 'text', description: 'Plain text' },
	],
};
