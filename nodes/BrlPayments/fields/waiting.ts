import type { INodeProperties } from 'n8n-workflow';

/** How long Wait for Status waits; the statuses are the operation's own. */
export const waitTimeoutField: INodeProperties = {
	displayName: 'Wait at Most (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.1 },
	default: 300,
	description:
		'How long to wait for one of the statuses before the item fails. The error names the last status.',
};
