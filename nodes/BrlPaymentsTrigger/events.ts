import type { INodePropertyOptions } from 'n8n-workflow';

export type ResourceType = 'payment' | 'withdrawal';

interface EventEntry {
	readonly name: string;
	/** What happened, and by what the resource is identified ("Payload", 3). */
	readonly description: string;
	readonly resourceType: ResourceType;
	/** Whether `id` in the body is the resource; elsewhere it may be the refund or the dispute. */
	readonly idIsResource: boolean;
}

/** The subscribable events that the interface names, by the value of X-Webhook-Event. */
export const EVENTS: Readonly<Record<string, EventEntry>> = {
	MED_RECEIVED: {
		name: 'MED Received',
		description: 'A payer asked for a PIX back through the MED procedure. Has paymentId.',
		resourceType: 'payment',
		idIsResource: false,
	},
	MED_RESOLVED: {
		name: 'MED Resolved',
		description: 'A MED procedure was decided. Has paymentId.',
		resourceType: 'payment',
		idIsResource: false,
	},
	PAYMENT_CANCELLED: {
		name: 'Payment Cancelled',
		description: 'A payment was cancelled. Has paymentId and txId, or only txId.',
		resourceType: 'payment',
		idIsResource: true,
	},
	PAYMENT_CHARGEBACK: {
		name: 'Payment Chargeback',
		description: 'A card payment was disputed and taken back. Has txId.',
		resourceType: 'payment',
		idIsResource: true,
	},
	PAYMENT_CONFIRMED: {
		name: 'Payment Confirmed',
		description: 'A payment was confirmed, or a won dispute restored it. Has txId.',
		resourceType: 'payment',
		idIsResource: true,
	},
	PAYMENT_EXPIRED: {
		name: 'Payment Expired',
		description:
			'A payment was not paid in time. A boleto may still be paid after it. Has paymentId and txId, or only txId.',
		resourceType: 'payment',
		idIsResource: true,
	},
	PAYMENT_PAID: {
		name: 'Payment Paid',
		description: 'A payment was paid, or a won dispute restored it. Has paymentId and txId.',
		resourceType: 'payment',
		idIsResource: true,
	},
	PAYMENT_REFUND_FAILED: {
		name: 'Payment Refund Failed',
		description: 'A refund could not be made. Has paymentId.',
		resourceType: 'payment',
		idIsResource: false,
	},
	PAYMENT_REFUNDED: {
		name: 'Payment Refunded',
		description: 'A payment was given back. May arrive before Payment Paid. Has paymentId.',
		resourceType: 'payment',
		idIsResource: false,
	},
	WITHDRAWAL_FAILED: {
		name: 'Withdrawal Failed',
		description: 'A withdrawal failed; body.failureReason says why, if known. Has withdrawalId.',
		resourceType: 'withdrawal',
		idIsResource: true,
	},
	WITHDRAWAL_SENT: {
		name: 'Withdrawal Sent',
		description: 'A withdrawal reached its recipient. Has withdrawalId.',
		resourceType: 'withdrawal',
		idIsResource: true,
	},
};

export const ALL_EVENTS = '*';

/** The choices of the parameter Events. */
export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'All Events',
		value: ALL_EVENTS,
		description: 'Every event, including kinds that this node does not know yet',
	},
	...Object.entries(EVENTS).map(([value, { name, description }]) => ({
		name,
		value,
		description,
	})),
];

/** What the dashboard's test button and the probe that reactivates an endpoint send ("Event types"). */
const TEST_EVENTS: ReadonlySet<string> = new Set(['TEST', 'webhook.test', 'WEBHOOK_TEST']);

export function isTestEvent(event: string): boolean {
	return TEST_EVENTS.has(event);
}

/**
 * - `emit`: starts an execution
 * - `ignore`: answered with success, so that the sender is content, and nothing starts
 */
export type Classification = 'emit' | 'ignore';

/** @param selected values of the parameter Events */
export function classify(
	event: string,
	selected: readonly string[],
	emitTestPings: boolean,
): Classification {
	if (isTestEvent(event)) return emitTestPings ? 'emit' : 'ignore';
	return selected.includes(ALL_EVENTS) || selected.includes(event) ? 'emit' : 'ignore';
}
