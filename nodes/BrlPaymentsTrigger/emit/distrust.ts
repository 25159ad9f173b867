import { checkStatus } from './events';
import type { TriggerOutput } from './output';

/** Why a delivery with a genuine signature does not continue, for the list of executions. */
export interface Distrust {
	readonly message: string;
	readonly description: string;
}

export const FOREIGN_DELIVERY_ID: Distrust = {
	message: 'The signature of this delivery was used before with another delivery ID or event',
	description:
		'Someone may have resent a delivery under another ID or event name. Two events with the same body in the same second look the same. Look up the payment or withdrawal: if the event is genuine, retry this execution to continue.',
};

/** Whether the signed status says that the event cannot have happened. */
export function contradictionIn({ event, status }: TriggerOutput): Distrust | undefined {
	if (checkStatus(event, status) !== 'contradicts') return undefined;
	return {
		message: `The delivery says ${event}, but the status in its signed body is ${status}`,
		description:
			'Someone may have changed the event in transit, because only the body is signed. Look up the payment or withdrawal before you act. With Options > One Output per Event, such deliveries go to the output Other.',
	};
}
