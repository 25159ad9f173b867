import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { readField } from '../../shared/validation/field';
import { InputError } from '../../shared/validation/inputError';
import { toText } from '../../shared/validation/text';
import { eventOptions } from '../events/events';
import { DAY_MS } from '../../shared/text/time';

export const DEFAULT_WINDOW_SECONDS = 300;
export const LONGEST_WINDOW_SECONDS = 3600;
/** A day of a large account: 16 MiB of memory (`npm run bench -- remembered`). */
const DEFAULT_REMEMBERED = 50_000;

/** The node's parameters, in the units that the code uses. */
export interface TriggerOptions {
	readonly events: readonly string[];
	readonly emitTestPings: boolean;
	readonly replayWindowMs: number;
	readonly mismatchStatus: 401 | 503;
	readonly deduplicate: boolean;
	readonly rememberedDeliveries: number;
	readonly replayIds: readonly string[];
	readonly fetchCurrentState: boolean;
	readonly maskPersonalData: boolean;
	readonly oneOutputPerEvent: boolean;
}

export const optionsField: INodeProperties = {
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
			description:
				'Whether to ignore a delivery that arrives again. The service delivers at least once, so duplicates are normal.',
		},
		{
			displayName: 'Deliveries to Remember',
			name: 'deliveriesToRemember',
			type: 'number',
			typeOptions: { minValue: 100, maxValue: 100000 },
			default: DEFAULT_REMEMBERED,
			description:
				'How many deliveries to keep in memory to recognize duplicates. Those of the last two replay windows are always kept. 50,000 take about 16 MB. The last 4,000 also survive a restart.',
		},
		{
			displayName: 'Emit Test Pings',
			name: 'emitTestPings',
			type: 'boolean',
			default: false,
			description:
				'Whether Send test in the dashboard starts the workflow. If off, the test succeeds but starts no workflow.',
		},
		{
			displayName: 'Let Through Again',
			name: 'letThroughAgain',
			type: 'string',
			default: '',
			placeholder: 'e.g. 5f0c6a1e-8b7d-4c7e-9b0a-3d5f1c2e4a6b',
			description:
				'Delivery IDs that may start the workflow once more when you replay them from the dashboard. Enter an ID twice to let it through twice.',
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
			displayName: 'One Output per Event',
			name: 'oneOutputPerEvent',
			type: 'boolean',
			default: false,
			description:
				'Whether each selected event gets its own output, in the order of the list. Everything else goes to the last output, including an event that the status in its body contradicts.',
		},
		{
			displayName: 'Replay Window (Seconds)',
			name: 'replayWindow',
			type: 'number',
			typeOptions: { minValue: 30, maxValue: LONGEST_WINDOW_SECONDS },
			default: DEFAULT_WINDOW_SECONDS,
			description:
				'How far the timestamp of a delivery may differ from the clock of this n8n, in either direction. The service recommends 300. Increase it if the log says that genuine retries are too old.',
		},
		{
			displayName: 'Response to Invalid Signature',
			name: 'answerToMismatch',
			type: 'options',
			default: 503,
			options: [
				{
					name: 'Retry Later (503)',
					value: 503,
					description: 'No event is lost while a secret is mistyped or being rotated',
				},
				{
					name: 'Refuse for Good (401)',
					value: 401,
					description: 'The sender gives up at once',
				},
			],
			description: 'How to respond to a delivery whose signature does not match or cannot be read',
		},
	],
};

export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	default: ['PAYMENT_PAID', 'PAYMENT_CONFIRMED'],
	options: eventOptions,
	description: 'Which events start the workflow. Others are ignored.',
};

export const fetchCurrentStateField: INodeProperties = {
	displayName: 'Fetch Current State',
	name: 'fetchCurrentState',
	type: 'boolean',
	default: false,
	description:
		'Whether to add the current state of the payment or withdrawal as "current". Events may arrive in any order. Requires the BRL Payments API credential.',
};

/** What the editor shows in a new node. */
const DEFAULTS = Object.fromEntries(
	(optionsField.options as INodeProperties[]).map((option) => [option.name, option.default]),
);

type Parameter = (name: string, fallback: unknown) => unknown;

/** @throws InputError for a value that a field cannot have */
export function readOptions(parameter: Parameter): TriggerOptions {
	const given = readField(optionsField, parameter('options', {})) as IDataObject;
	const isFilled = ([, value]: [string, unknown]) => value !== undefined;
	const options: IDataObject = {
		...DEFAULTS,
		...Object.fromEntries(Object.entries(given).filter(isFilled)),
	};
	const fetches = readField(fetchCurrentStateField, parameter('fetchCurrentState', false));
	return {
		events: readEvents(parameter('events', [])),
		emitTestPings: options.emitTestPings as boolean,
		replayWindowMs: 1000 * (options.replayWindow as number),
		mismatchStatus: options.answerToMismatch as TriggerOptions['mismatchStatus'],
		deduplicate: options.deduplicate as boolean,
		rememberedDeliveries: options.deliveriesToRemember as number,
		// The same ID twice lets two copies through.
		replayIds: toText(options.letThroughAgain)
			.split(/[\s,;]+/)
			.filter((id) => id !== ''),
		fetchCurrentState: fetches as boolean,
		maskPersonalData: options.maskPersonalData as boolean,
		oneOutputPerEvent: options.oneOutputPerEvent as boolean,
	};
}

/** An empty list is a choice. An expression that returns nothing is not: it would lose every event. */
function readEvents(given: unknown): string[] {
	const events = readField(eventsField, given) as string[];
	if (events.length > 0 || Array.isArray(given)) return events;
	throw new InputError('Events is empty', 'Select at least one event.');
}

export type ReceiveBy = 'webhook' | 'polling' | 'both';

const DEFAULT_LOOK_BACK_DAYS = 3;

export const receiveByField: INodeProperties = {
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

export const lookBackOption: INodeProperties = {
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 90 },
	default: DEFAULT_LOOK_BACK_DAYS,
	description:
		'How far back polling looks for changes, counted from the creation of a payment or withdrawal. Every 100 payments or withdrawals in that time cost one more request per poll.',
};

interface PollSettings {
	readonly receiveBy: ReceiveBy;
	readonly lookBackMs: number;
}

/** @throws InputError for a value that a field cannot have */
export function readPollSettings(
	parameter: (name: string, fallback: unknown) => unknown,
): PollSettings {
	const receiveBy = (readField(receiveByField, parameter('receiveBy', 'webhook')) ??
		'webhook') as ReceiveBy;
	// n8n polls once even if nothing is polled. The options are about deliveries then.
	if (receiveBy === 'webhook') return { receiveBy, lookBackMs: 0 };
	const { lookBack } = (parameter('options', {}) ?? {}) as IDataObject;
	const days = readField(lookBackOption, lookBack) as number | undefined;
	return { receiveBy, lookBackMs: (days ?? DEFAULT_LOOK_BACK_DAYS) * DAY_MS };
}

/** @throws InputError if nothing says when to poll: n8n publishes that, and never polls */
export function checkPollTimes(parameter: (name: string, fallback: unknown) => unknown): void {
	const { item } = (parameter('pollTimes', {}) ?? {}) as { item?: unknown };
	if (Array.isArray(item) && item.length > 0) return;
	throw new InputError(
		'Poll Times has no entry, so the trigger never checks for events',
		'Add a poll time, save, and publish the workflow again.',
	);
}
