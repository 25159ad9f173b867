import type { INodeProperties } from 'n8n-workflow';

/** Shown above the fields of what cannot be undone. */
export const moneyNotice: INodeProperties = {
	displayName:
		'With a live key, this moves real money and cannot be undone. With a test key, no money moves. If On Error is set to Continue, n8n lists the execution as successful even if items are in doubt. To have it fail in that case, end the workflow with an If and a Stop and Error node: a hint after the run says how.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};
