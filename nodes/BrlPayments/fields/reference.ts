import type { INodeProperties } from 'n8n-workflow';

/** The reference of a payout that was made before, or may have been. */
export const referenceField: INodeProperties = {
	displayName: 'Reference',
	name: 'reference',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. NF-1042',
	description: 'The reference that the payout was sent with',
};
