import {
	cronNodeOptions,
	type INodeParameters,
	type INodeProperties,
	type IWebhookDescription,
	type TriggerPanelDefinition,
} from 'n8n-workflow';
import {
	eventsField,
	fetchCurrentStateField,
	optionsField,
	lookBackOption,
	receiveByField,
} from './options';
import { ALL_EVENTS, checkStatus, eventOptions, EVENTS, isSelected } from '../events/events';

// Of all markup, the editor keeps only ul, li and a in a notice.
const SETUP_STEPS = [
	'Open Webhook URLs above and copy the Production URL.',
	'In the dashboard of the payment service, under Settings &gt; Webhooks, register it with the same events.',
	'Paste the secret of this endpoint into the credential above. It is shown only once, and each endpoint has its own.',
	'Publish (activate) this workflow, then press Send test in the dashboard. After choosing another credential, publish again.',
];

const TRY_IT =
	'register it at the service as a second endpoint and press Send test there, or set Receive By to Polling, which fetches the latest payment.';

export const WITH_WEBHOOK = ['webhook', 'both'];
const WITH_POLLING = ['polling', 'both'];

/** All others are about deliveries alone. */
const OPTIONS_OF_BOTH: ReadonlySet<string> = new Set(['maskPersonalData', 'oneOutputPerEvent']);

const options = [
	...(optionsField.options as INodeProperties[]).map((option) =>
		OPTIONS_OF_BOTH.has(option.name)
			? option
			: { ...option, displayOptions: { show: { '/receiveBy': WITH_WEBHOOK } } },
	),
	{ ...lookBackOption, displayOptions: { show: { '/receiveBy': WITH_POLLING } } },
].sort((one, other) => (one.displayName < other.displayName ? -1 : 1));

export const properties: INodeProperties[] = [
	receiveByField,
	{
		// While it listens, n8n's own panel only says to "go to BRL Payments and create an event".
		displayName: `<ul>${SETUP_STEPS.map((step) => `<li>${step}</li>`).join('')}</ul>Only live activity sends events; a sandbox account receives only the test. While n8n listens for a test event, it listens to the Test URL only: ${TRY_IT}`,
		name: 'setupNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: WITH_WEBHOOK } },
	},
	{
		displayName:
			'Polling reports the status that it finds: a payment that is paid and refunded between two polls is reported as refunded. It cannot detect failed refunds, resolved MEDs or won disputes.',
		name: 'pollingNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['polling'] } },
	},
	{
		displayName: 'Poll Times',
		name: 'pollTimes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Poll Time' },
		default: { item: [{ mode: 'everyMinute' }] },
		description: 'When to check for changes',
		placeholder: 'Add Poll Time',
		options: cronNodeOptions,
		displayOptions: { show: { receiveBy: WITH_POLLING } },
	},
	{
		// n8n reads the poll times of any node that can poll, and cannot do without them.
		displayName: 'Poll Times',
		name: 'pollTimes',
		type: 'hidden',
		default: { item: [] },
		displayOptions: { show: { receiveBy: ['webhook'] } },
	},
	eventsField,
	fetchCurrentStateField,
	{ ...optionsField, options },
	// The display condition of a credential has no "or": these two fields are its two sides.
	{
		displayName: 'Uses API',
		name: 'usesApi',
		type: 'hidden',
		default: true,
		displayOptions: { show: { receiveBy: WITH_POLLING } },
	},
	{
		displayName: 'Uses API',
		name: 'usesApi',
		type: 'hidden',
		default: true,
		displayOptions: {
			show: { receiveBy: ['webhook'], fetchCurrentState: [true] },
		},
	},
];

export const triggerPanel: TriggerPanelDefinition = {
	hideContent: '={{ $parameter["receiveBy"] === "polling" }}',
	header: 'Receive events from the payment service',
	executionsHelp: {
		inactive: `<b>While building</b>, press the button above. Only the Test URL is listened to then: ${TRY_IT} <b>When you are ready</b>, publish (activate) the workflow and register the Production URL in the dashboard under Settings &gt; Webhooks.`,
		active:
			'<b>While building</b>, press the button above and send a delivery to the Test URL. <b>The workflow is active</b>: deliveries to the Production URL start it, and the runs are listed under Executions.',
	},
	activationHint:
		'Once the workflow is published (active), each genuine event starts it once. Register the Production URL in the dashboard first.',
};

/** An expression for the text below the name of the node: `Payment Paid, Payment Confirmed`. */
export function buildSubtitle(): string {
	const words = Object.fromEntries(eventOptions.map(({ name, value }) => [String(value), name]));
	return `={{ [].concat($parameter["events"] ?? []).map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;
}

/**
 * Where n8n looks, since 2.40, for functions that compute fields of a webhook description without its
 * expression engine. Earlier versions ignore it.
 */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

/** n8n registers no webhook without a method. Evaluated for each request that arrives. */
const HTTP_METHOD = {
	template: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
	resolve: ({ receiveBy }: INodeParameters) => (receiveBy === 'polling' ? '' : 'POST'),
};

export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: HTTP_METHOD.template,
	ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
	responseMode: 'onReceived',
	path: 'webhook',
	// With N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE, n8n makes an isolate for the first expression that it
	// evaluates, which costs more than the rest of a delivery.
	[RESOLVERS]: { httpMethod: HTTP_METHOD },
};

/**
 * The expression behind the outputs of the node: one, or one per selected event and a last one for
 * everything else (test pings, and events that All Events lets in or that the status contradicts).
 * n8n evaluates it in the editor, so it is built as text and cannot call functions of this package.
 */
export function outputsExpression(): `={{${string}}}` {
	const names = JSON.stringify(
		Object.fromEntries(Object.entries(EVENTS).map(([value, { name }]) => [value, name])),
	);
	const order = JSON.stringify(Object.keys(EVENTS));
	return `={{ (() => {
		const names = ${names};
		const order = ${order};
		const toText = (value) => String(value ?? '').trim().toLowerCase();
		if (!['true', '1'].includes(toText(($parameter.options || {}).oneOutputPerEvent))) return [{ type: 'main' }];
		const given = $parameter.events;
		const events = (Array.isArray(given) ? given : String(given ?? '').split(',')).map((event) => toText(event).toUpperCase());
		const shown = events.includes('${ALL_EVENTS}') ? order : order.filter((event) => events.includes(event));
		return [...shown.map((event) => ({ type: 'main', displayName: names[event] })), { type: 'main', displayName: 'Other' }];
	})() }}`;
}

/**
 * The output that an event goes to; must agree with `outputsExpression`. An event that its signed
 * status does not confirm goes to the last one.
 */
export function getOutputIndex(
	{ event, status }: { event: string; status: string | null },
	selected: readonly string[],
	oneOutputPerEvent: boolean,
): number {
	if (!oneOutputPerEvent) return 0;
	const shown = Object.keys(EVENTS).filter((name) => isSelected(name, selected));
	const index = checkStatus(event, status) === 'agrees' ? shown.indexOf(event) : -1;
	return index === -1 ? shown.length : index;
}
