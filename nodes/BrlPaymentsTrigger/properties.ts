import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';
import { eventOptions } from './events';
import { optionsField } from './options';

const SETUP_STEPS = [
	'Copy the <b>Production URL</b> above.',
	'In the dashboard of the payment service, under <b>Settings &gt; Webhooks</b>, register it and choose the events.',
	'Paste the secret that is shown there, once, into the credential.',
	'Activate this workflow, and press <b>Send test</b> in the dashboard.',
];

export const properties: INodeProperties[] = [
	{
		displayName: `<ol>${SETUP_STEPS.map((step) => `<li>${step}</li>`).join('')}</ol>Only live activity sends events; a sandbox account gets the test only.`,
		name: 'setupNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		required: true,
		default: ['PAYMENT_PAID', 'PAYMENT_CONFIRMED'],
		options: eventOptions,
		description: 'Which events start the workflow. Others are answered with success and ignored.',
	},
	optionsField,
];

export const triggerPanel: TriggerPanelDefinition = {
	header: 'Receive events of the payment service',
	executionsHelp: {
		inactive:
			'<b>While building</b>, click "Listen for test event" and send a delivery to the Test URL. <b>When you are ready</b>, activate the workflow and register the Production URL in the dashboard under Settings &gt; Webhooks.',
		active:
			'<b>While building</b>, click "Listen for test event" and send a delivery to the Test URL. <b>The workflow is active</b>: deliveries to the Production URL start it, and the runs are listed under Executions.',
	},
	activationHint:
		'Once the workflow is active, each genuine event starts it once. Register the Production URL in the dashboard first.',
};
