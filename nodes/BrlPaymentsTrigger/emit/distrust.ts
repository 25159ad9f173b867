import { checkStatus } from './events';
import type { TriggerOutput } from './output';

/** Why a delivery with a genuine signature does not go on, for the list of executions. */
export interface Distrust {
	readonly message: string;
	readonly description: string;
}

export const FOREIGN_DELIVERY_ID: Distrust = {
	message: 'The signature of this delivery came with another delivery ID or event before',
	description:
		'Somebody may have sent a delivery on under another ID or event name. Two events with the same body in the same second look the same. Look the payment or withdrawal up: if the event is genuine, retry this execution, and it goes on.',
};

/** Whether the signed status says that the event cannot have happened. */
export function contradictionIn({ event, status }: TriggerOutput): Distrust | undefined {
	if (checkStatus(event, status) !== 'contradicts') return undefined;
	return {
		message: `The delivery says ${event}, but the status in its signed body is ${status}`,
		description:
			'Somebody may have changed the event on its way, because only the body is signed. Look the payment or withdrawal up before you act. With Options > One Output per Event such deliveries leave by the output Other.',
	};
}
