import type { INodeProperties, TriggerPanelDefinition } from 'n8n-workflow';
import { eventOptions } from './events';
import { optionsField } from './options';

// Of all markup, the editor leaves ul, li and a in a notice. It has no ordered list, so the steps
// say their number themselves.
const SETUP_STEPS = [
	'Open Webhook URLs above and copy the Production URL.',
	'In the dashboard of the payment service, under Settings &gt; Webhooks, register it with the same events.',
	'Paste the secret, which is shown there only once, into the credential above.',
	'Publish (activate) this workflow, then press Send test in the dashboard.',
];

export const properties: INodeProperties[] = [
	{
		displayName: `<ul>${SETUP_STEPS.map((step, index) => `<li>${index + 1}. ${step}</li>`).join('')}</ul>Only live activity sends events; a sandbox account gets the test only.`,
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
			'<b>While building</b>, press the button above and send a delivery to the Test URL. <b>When you are ready</b>, publish (activate) the workflow and register the Production URL in the dashboard under Settings &gt; Webhooks.',
		active:
			'<b>While building</b>, press the button above and send a delivery to the Test URL. <b>The workflow is active</b>: deliveries to the Production URL start it, and the runs are listed under Executions.',
	},
	activationHint:
		'Once the workflow is published (active), each genuine event starts it once. Register the Production URL in the dashboard first.',
};
