import type { INodePropertyOptions } from 'n8n-workflow';

export type ResourceType = 'payment' | 'withdrawal';

interface EventEntry {
	readonly name: string;
	/** What n8n's list of triggers shows. */
	readonly action: string;
	/** What happened, and by what the resource is identified (docs/api.md#event-bodies). */
	readonly description: string;
	readonly resourceType: ResourceType;
	/** Whether `id` in the body is the resource; elsewhere it may be the refund or the dispute. */
	readonly idIsResource: boolean;
	/** Statuses of a resource that the event has just happened to. */
	readonly statuses: readonly string[];
	/**
	 * Those of them that a list shows for this event and no other: polling reports them under its name.
	 * That MED_FROZEN stands for MED_RECEIVED is an assumption, as the interface shows no other trace of
	 * a MED in a list.
	 */
	readonly listed?: readonly string[];
	/** Statuses that a resource can never have once the event has happened to it. */
	readonly impossible?: readonly string[];
}

const SETTLED = ['PAID', 'CONFIRMED'];
const REFUNDED = ['REFUNDED', 'PARTIAL_REFUND'];
const TAKEN_BACK = [...REFUNDED, 'CHARGEBACK', 'MED_FROZEN'];
const UNPAID = ['NEW', 'PENDING_METHOD_SELECTION', 'CANCELLED', 'EXPIRED'];
const PAYMENT_STATUSES = [...SETTLED, ...TAKEN_BACK, ...UNPAID, 'PROCESSING'];
/** Statuses of payments that were never paid, and of withdrawals. */
const NOT_PAID = [...UNPAID, 'PENDING', 'COMPLETED', 'FAILED'];
const WITHDRAWAL_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'];

const PAYMENT = { resourceType: 'payment', idIsResource: true } as const;
/** A refund or a dispute, which has its own ID. */
const ABOUT_PAYMENT = { ...PAYMENT, idIsResource: false };
const WITHDRAWAL = { resourceType: 'withdrawal', idIsResource: true } as const;

/** The subscribable events that the API names, by the value of X-Webhook-Event. */
export const EVENTS: Readonly<Record<string, EventEntry>> = {
	MED_RECEIVED: {
		name: 'MED Received',
		action: 'When MED is received (PIX dispute)',
		description: 'A payer requested the return of a PIX through the MED procedure. Has paymentId.',
		...{ ...ABOUT_PAYMENT, statuses: [...SETTLED, 'MED_FROZEN'], listed: ['MED_FROZEN'] },
	},
	MED_RESOLVED: {
		name: 'MED Resolved',
		action: 'When MED is resolved (PIX dispute)',
		description: 'A MED procedure was decided. Has paymentId.',
		...{ ...ABOUT_PAYMENT, statuses: [...SETTLED, ...TAKEN_BACK] },
	},
	PAYMENT_CANCELLED: {
		name: 'Payment Cancelled',
		action: 'When payment is cancelled',
		description: 'A payment was cancelled. Has paymentId and txId, or only txId.',
		...{ ...PAYMENT, statuses: ['CANCELLED'], listed: ['CANCELLED'] },
	},
	PAYMENT_CHARGEBACK: {
		name: 'Payment Chargeback',
		action: 'When card payment is charged back',
		description: 'A card payment was disputed and charged back. Has txId.',
		...{ ...PAYMENT, statuses: ['CHARGEBACK'], listed: ['CHARGEBACK'] },
	},
	PAYMENT_CONFIRMED: {
		name: 'Payment Confirmed',
		action: 'When card payment is confirmed',
		description:
			'A card payment was approved; the money arrives days later (Payment Paid). Also after a won dispute. Has txId.',
		...{ ...PAYMENT, statuses: SETTLED, listed: ['CONFIRMED'] },
		impossible: NOT_PAID,
	},
	PAYMENT_EXPIRED: {
		name: 'Payment Expired',
		action: 'When payment expires',
		description:
			'A payment was not paid in time. A boleto may still be paid afterwards. Has paymentId and txId, or only txId.',
		...{ ...PAYMENT, statuses: ['EXPIRED'], listed: ['EXPIRED'] },
	},
	PAYMENT_PAID: {
		name: 'Payment Paid',
		action: 'When payment is received',
		description:
			'A payment was received: by PIX at once, by card days after Payment Confirmed. Also after a won dispute. Has paymentId and txId.',
		...{ ...PAYMENT, statuses: SETTLED, listed: ['PAID'] },
		impossible: NOT_PAID,
	},
	PAYMENT_REFUND_FAILED: {
		name: 'Payment Refund Failed',
		action: 'When refund fails',
		description: 'A refund failed. Has paymentId.',
		...{ ...ABOUT_PAYMENT, statuses: [...SETTLED, 'PARTIAL_REFUND', 'CHARGEBACK', 'MED_FROZEN'] },
	},
	PAYMENT_REFUNDED: {
		name: 'Payment Refunded',
		action: 'When payment is refunded',
		description: 'A payment was refunded. May arrive before Payment Paid. Has paymentId.',
		...{ ...ABOUT_PAYMENT, statuses: REFUNDED, listed: REFUNDED },
	},
	WITHDRAWAL_FAILED: {
		name: 'Withdrawal Failed',
		action: 'When withdrawal fails',
		description:
			'A withdrawal failed; body.failureReason says why, if known. A payout behind it that fails, too, sends the event again. Has withdrawalId.',
		...{ ...WITHDRAWAL, statuses: ['FAILED', 'CANCELLED'], listed: ['FAILED', 'CANCELLED'] },
		impossible: ['COMPLETED', ...SETTLED, ...TAKEN_BACK],
	},
	WITHDRAWAL_SENT: {
		name: 'Withdrawal Sent',
		action: 'When withdrawal is sent',
		description:
			'A withdrawal reached its recipient. Do not pay behind it: that payout sends the event again, without end. Has withdrawalId.',
		...{ ...WITHDRAWAL, statuses: ['COMPLETED', 'PROCESSING'], listed: ['COMPLETED'] },
		impossible: ['FAILED', 'CANCELLED', ...SETTLED, ...TAKEN_BACK],
	},
};

/**
 * The event that a webhook sends when a resource takes this status.
 * @returns null if the interface names none for it
 */
export function eventOfStatus(type: ResourceType, status: string): string | null {
	const found = Object.entries(EVENTS).find(
		([, { resourceType, listed = [] }]) => resourceType === type && listed.includes(status),
	);
	return found?.[0] ?? null;
}

const ALL_EVENTS = '*';

export const eventOptions: INodePropertyOptions[] = [
	{
		name: 'All Events',
		value: ALL_EVENTS,
		action: 'When any event arrives',
		description: 'Every event, including types that this node does not know yet',
	},
	...Object.entries(EVENTS).map(([value, { name, action, description }]) => ({
		...{ name, value, action, description },
	})),
];

/** What the dashboard's test button and the probe that reactivates an endpoint send (docs/api.md#event-types). */
const TEST_EVENTS: ReadonlySet<string> = new Set(['TEST', 'webhook.test', 'WEBHOOK_TEST']);

export function isTestEvent(event: string): boolean {
	return TEST_EVENTS.has(event);
}

export function isSelected(event: string, selected: readonly string[]): boolean {
	return selected.includes(ALL_EVENTS) || selected.includes(event);
}

/**
 * - `agrees`: the status is one that the event leads to, or says nothing about it
 * - `differs`: something has happened since, or the event is wrong
 * - `contradicts`: it cannot have happened
 */
type StatusCheck = 'agrees' | 'differs' | 'contradicts';

/**
 * Compares the event, which is a header that anyone on the way can change, with the status in the
 * body, which is signed.
 */
export function checkStatus(event: string, bodyStatus: unknown): StatusCheck {
	const entry = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
	if (!entry || typeof bodyStatus !== 'string') return 'agrees';
	const status = bodyStatus.trim().toUpperCase();
	if (entry.statuses.includes(status)) return 'agrees';
	if (entry.impossible?.includes(status)) return 'contradicts';
	// A refund has its own status, which the API does not list.
	const known = entry.resourceType === 'payment' ? PAYMENT_STATUSES : WITHDRAWAL_STATUSES;
	return known.includes(status) ? 'differs' : 'agrees';
}
