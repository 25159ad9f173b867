import type { INodeProperties } from 'n8n-workflow';

/** Shown above the fields of what cannot be undone. */
export const moneyNotice: INodeProperties = {
	displayName:
		'With a live key, this moves real money and cannot be undone. With a test key, no money moves. If <i>On Error</i> is set to Continue, n8n lists the execution as successful even if items are in doubt. To have it fail after all items, end the workflow with <i>Stop and Error</i>.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};
