import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../api/input/inputError';
import { textOf } from '../api/input/text';
import { readReplayIds } from './replay';

export const DEFAULT_WINDOW_SECONDS = 300;
const DEFAULT_REMEMBERED = 5_000;

/** What the node's parameters say, with units that code uses. */
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
			displayName: 'Answer to Wrong Signature',
			name: 'answerToMismatch',
			type: 'options',
			default: 503,
			options: [
				{
					name: 'Ask Again Later (503)',
					value: 503,
					description: 'No event is lost while a secret is mistyped or being rotated',
				},
				{
					name: 'Refuse for Good (401)',
					value: 401,
					description: 'The sender gives up at once',
				},
			],
			description: 'What the sender is told when a signature does not match or cannot be read',
		},
		{
			displayName: 'Deduplicate',
			name: 'deduplicate',
			type: 'boolean',
			default: true,
			description:
				'Whether a delivery that arrives again starts nothing. The service delivers at least once, so copies are normal.',
		},
		{
			displayName: 'Deliveries to Remember',
			name: 'deliveriesToRemember',
			type: 'number',
			typeOptions: { minValue: 100, maxValue: 100000 },
			default: 5000,
			description:
				'How many deliveries are remembered in memory to recognise copies, and at least those of the last two replay windows. The last 5,000 also survive a restart.',
		},
		{
			displayName: 'Emit Test Pings',
			name: 'emitTestPings',
			type: 'boolean',
			default: false,
			description:
				'Whether the button Send test in the dashboard starts the workflow. Without it a test is answered with success and starts nothing.',
		},
		{
			displayName: 'Let Through Again',
			name: 'letThroughAgain',
			type: 'string',
			default: '',
			placeholder: 'e.g. 5f0c6a1e-8b7d-4c7e-9b0a-3d5f1c2e4a6b',
			description:
				'Delivery IDs that may start the workflow once more, when you replay them from the dashboard. Write an ID twice to let it through twice.',
		},
		{
			displayName: 'Mask Personal Data',
			name: 'maskPersonalData',
			type: 'boolean',
			default: false,
			description:
				'Whether to show documents (CPF, CNPJ), e-mail addresses and phone numbers only in part, like ***.456.789-**, before n8n stores the event. Later nodes get the masked value too and cannot send an e-mail to it, for example.',
		},
		{
			displayName: 'One Output per Event',
			name: 'oneOutputPerEvent',
			type: 'boolean',
			default: false,
			description:
				'Whether each selected event gets an output of its own, in the order of the list. Everything else leaves by the last output, also an event that the status in its body contradicts.',
		},
		{
			displayName: 'Replay Window (Seconds)',
			name: 'replayWindow',
			type: 'number',
			typeOptions: { minValue: 30, maxValue: 3600 },
			default: 300,
			description:
				'How far the timestamp of a delivery may be from the clock of this n8n, both ways. The service recommends 300.',
		},
	],
};

/** @throws InputError for a number that is none; nothing is started then */
export function readOptions(
	parameter: (name: string, fallback: unknown) => unknown,
): TriggerOptions {
	const options = parameter('options', {}) as IDataObject;
	return {
		events: parameter('events', []) as string[],
		emitTestPings: options.emitTestPings === true,
		replayWindowMs: 1000 * positive(options.replayWindow, DEFAULT_WINDOW_SECONDS, 'Replay Window'),
		mismatchStatus: options.answerToMismatch === 401 ? 401 : 503,
		deduplicate: options.deduplicate !== false,
		rememberedDeliveries: positive(
			options.deliveriesToRemember,
			DEFAULT_REMEMBERED,
			'Deliveries to Remember',
		),
		replayIds: readReplayIds(textOf(options.letThroughAgain)),
		fetchCurrentState: parameter('fetchCurrentState', false) === true,
		maskPersonalData: options.maskPersonalData === true,
		oneOutputPerEvent: options.oneOutputPerEvent === true,
	};
}

function positive(value: unknown, fallback: number, label: string): number {
	const number = Number(value ?? fallback);
	if (Number.isFinite(number) && number > 0) return number;
	throw new InputError(`${label} is not a positive number`, `Correct Options > ${label}.`);
}
