import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../api/input/inputError';

export type ReceiveBy = 'webhook' | 'polling' | 'both';

const DEFAULT_LOOK_BACK_DAYS = 3;
const DAY_MS = 24 * 60 * 60_000;

export const lookBackOption: INodeProperties = {
	displayName: 'Look Back (Days)',
	name: 'lookBack',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 90 },
	default: DEFAULT_LOOK_BACK_DAYS,
	description:
		'How old a payment or withdrawal may be for polling to notice its change, counted from its creation. Each 100 payments or withdrawals in that time cost one more request per poll.',
};

interface PollSettings {
	readonly receiveBy: ReceiveBy;
	readonly lookBackMs: number;
}

/** @throws InputError for a number that is none */
export function readPollSettings(
	parameter: (name: string, fallback: unknown) => unknown,
): PollSettings {
	const { lookBack = DEFAULT_LOOK_BACK_DAYS } = parameter('options', {}) as IDataObject;
	const days = Number(lookBack);
	if (!Number.isFinite(days) || days <= 0) {
		throw new InputError('Look Back is not a positive number', 'Correct Options > Look Back.');
	}
	return {
		receiveBy: parameter('receiveBy', 'webhook') as ReceiveBy,
		lookBackMs: days * DAY_MS,
	};
}
