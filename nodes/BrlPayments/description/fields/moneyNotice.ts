import type { INodeProperties } from 'n8n-workflow';

/** Shown above the fields of what cannot be undone. */
export const moneyNotice: INodeProperties = {
	displayName:
		'With a live key, this moves real money and cannot be undone. With a test key, no money moves.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};
