import {
	cronNodeOptions,
	type IDataObject,
	type INodeProperties,
	type IWebhookDescription,
	type TriggerPanelDefinition,
} from 'n8n-workflow';
import { DAY_MS } from '../shared/text/time';
import { readField } from '../shared/input/field';
import { InputError } from '../shared/input/inputError';
import { eventOptions } from './events';

export const DEFAULT_WINDOW_SECONDS = 300;
export const LONGEST_WINDOW_SECONDS = 3600;
const DEFAULT_LOOK_BACK_DAYS = 3;

const WITH_WEBHOOK = { show: { '/receiveBy': ['webhook', 'both'] } };
const WITH_POLLING = { show: { '/receiveBy': ['polling', 'both'] } };

const optionsField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			displayOptions: WITH_WEBHOOK,
			description:
				'Whether to ignore a delivery that arrives again. The service delivers at least once, so duplicates are normal.',
		},
		{
			displayName: 'Emit Test Pings',
			name: 'emitTestPings',
			type: 'boolean',
			default: false,
			displayOptions: WITH_WEBHOOK,
			description:
				'Whether Send test in the dashboard starts the workflow. If off, the test succeeds but starts no workflow.',
		},
		{
			displayName: 'Look Back (Days)',
			name: 'lookBack',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 90 },
			default: DEFAULT_LOOK_BACK_DAYS,
			displayOptions: WITH_POLLING,
			description:
				'How far back polling looks for changes, counted from the creation of a payment or withdrawal. Must be longer than the time between two polls. Every 100 payments or withdrawals in that time cost one more request per poll.',
		},
		{
			displayName: 'Mask Personal Data',
			name: 'maskPersonalData',
			type: 'boolean',
			default: false,
			description:
				'Whether to mask documents (CPF, CNPJ), e-mail addresses and phone numbers, like ***.456.789-**, before n8n stores the event. Later nodes receive the masked values too, so they cannot send an e-mail to a masked address, for example.',
		},
		{
			displayName: 'Replay Window (Seconds)',
			name: 'replayWindow',
			type: 'number',
			typeOptions: { minValue: 30, maxValue: LONGEST_WINDOW_SECONDS },
			default: DEFAULT_WINDOW_SECONDS,
			displayOptions: WITH_WEBHOOK,
			description:
				'How far the timestamp of a delivery may differ from the clock of this n8n, in either direction. The service recommends 300. Increase it if the log says that genuine retries are too old.',
		},
	],
};

const eventsField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: ['PAYMENT_PAID', 'PAYMENT_CONFIRMED'],
	options: eventOptions,
};

const fetchCurrentStateField: INodeProperties = {
	displayName: 'Fetch Current State',
	name: 'fetchCurrentState',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the current state of the payment or withdrawal as "current". Events may arrive in any order. Requires the scope payments:read or withdrawals:read.',
};

const receiveByField: INodeProperties = {
	displayName: 'Receive By',
	name: 'receiveBy',
	type: 'options',
	noDataExpression: true,
	default: 'webhook',
	options: [
		{
			name: 'Webhook',
			value: 'webhook',
			description: 'Immediate. Requires a public address and a live key.',
		},
		{
			name: 'Polling',
			value: 'polling',
			description: 'At each poll time. Works anywhere, even with a test key.',
		},
		{
			name: 'Webhook and Polling',
			value: 'both',
			description: 'Immediate, and polling finds what webhooks have missed',
		},
	],
};

/** The editor shows them beside the fields, for as long as nothing has arrived. */
const SETUP_STEPS = [
	'Open Webhook URLs, at the top of the parameters, and copy the Production URL (not the Test URL).',
	'In the dashboard of the payment service, under Settings &gt; Webhooks, register it with the same events.',
	"Paste the secret of this endpoint into 'Signing Secrets' of the credential. It is shown only once, and each endpoint has its own.",
	'Publish (activate) this workflow, then press Send test in the dashboard (with a test key, the service sends nothing else). After choosing another credential, publish again.',
];

export const properties: INodeProperties[] = [
	receiveByField,
	{
		displayName:
			"Without a public address, or just to try it, set 'Receive By' to Polling: nothing else is needed. For webhooks, register the Production URL in the dashboard under Settings &gt; Webhooks, and paste its secret into 'Signing Secrets' of the credential.",
		name: 'setupNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { receiveBy: ['webhook', 'both'] } },
	},
	{
		displayName:
			'Publish the workflow: from then on, each new event starts it at the next poll. It reports the status that it finds, and cannot detect failed refunds, resolved MEDs or won disputes.',
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
		displayOptions: { show: { receiveBy: ['polling', 'both'] } },
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
	optionsField,
];

export const triggerPanel: TriggerPanelDefinition = {
	hideContent: '={{ $parameter["receiveBy"] === "polling" }}',
	header: 'Receive events from the payment service',
	executionsHelp: {
		inactive: `<b>While building</b>, press the button above. Only the Test URL is listened to then: register it at the service as a second endpoint and press Send test there, or set 'Receive By' to Polling, which fetches the latest payment. <b>When you are ready</b>, publish (activate) the workflow and register the Production URL in the dashboard under Settings &gt; Webhooks.`,
		active:
			'<b>While building</b>, press the button above and send a delivery to the Test URL. <b>The workflow is active</b>: deliveries to the Production URL start it, and the runs are listed under Executions.',
	},
	activationHint: SETUP_STEPS.map((step, index) => `${index + 1}. ${step}`).join('<br />'),
};

/** An expression for `Payment Paid, Payment Confirmed`, below the name of the node. */
export function buildSubtitle(): string {
	const words = Object.fromEntries(eventOptions.map(({ name, value }) => [String(value), name]));
	return `={{ [].concat($parameter["events"] ?? []).map((event) => (${JSON.stringify(words)})[event] ?? event).join(", ") }}`;
}

export const webhookDescription: IWebhookDescription = {
	name: 'default',
	// n8n registers no webhook without a method.
	httpMethod: '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}',
	ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
	responseMode: 'onReceived',
	path: 'webhook',
};

type ReceiveBy = 'webhook' | 'polling' | 'both';

type Parameter = (name: string, fallback: unknown) => unknown;

/** The node's parameters, in the units that the code uses. */
export type TriggerOptions = Readonly<ReturnType<typeof readOptions>>;

/** @throws InputError for a value that a field cannot have */
export function readOptions(parameter: Parameter) {
	const options = readField(optionsField, parameter('options', {})) as IDataObject;
	const fetches = readField(fetchCurrentStateField, parameter('fetchCurrentState', false));
	return {
		receiveBy: readReceiveBy(parameter),
		events: readEvents(parameter('events', [])),
		emitTestPings: (options.emitTestPings ?? false) as boolean,
		replayWindowMs: 1000 * ((options.replayWindow ?? DEFAULT_WINDOW_SECONDS) as number),
		deduplicate: (options.deduplicate ?? true) as boolean,
		fetchCurrentState: fetches as boolean,
		lookBackMs: DAY_MS * ((options.lookBack ?? DEFAULT_LOOK_BACK_DAYS) as number),
		maskPersonalData: (options.maskPersonalData ?? false) as boolean,
	};
}

/** @throws InputError for another value */
export function readReceiveBy(parameter: Parameter): ReceiveBy {
	return (readField(receiveByField, parameter('receiveBy', 'webhook')) ?? 'webhook') as ReceiveBy;
}

/** An empty list is a choice. An expression that returns nothing is not: it would lose every event. */
function readEvents(given: unknown): string[] {
	const events = readField(eventsField, given) as string[];
	if (events.length > 0 || Array.isArray(given)) return events;
	throw new InputError('Trigger On is empty', 'Select at least one event.');
}

/** @throws InputError if nothing says when to poll: n8n publishes that, and never polls */
export function checkPollTimes(parameter: Parameter): void {
	const { item } = (parameter('pollTimes', {}) ?? {}) as { item?: unknown };
	if (Array.isArray(item) && item.length > 0) return;
	throw new InputError(
		'Poll Times has no entry, so the trigger never checks for events',
		'Add a poll time, save, and publish the workflow again.',
	);
}
