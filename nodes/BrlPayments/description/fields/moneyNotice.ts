import type { INodeProperties } from 'n8n-workflow';

/** Stands above the fields of what nobody can undo. */
export const moneyNotice: INodeProperties = {
	displayName:
		'With a live key, this moves real money and cannot be undone. With a test key, no money moves.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};
