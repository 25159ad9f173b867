import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { DAY_MS } from '../../shared/text/time';
import { readField } from '../../shared/validation/field';
import { InputError } from '../../shared/validation/inputError';

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
