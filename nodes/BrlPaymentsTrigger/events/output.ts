import type { IDataObject } from 'n8n-workflow';
import { toIso } from '../../shared/text/time';
import { isUuid } from '../../shared/validation/uuid';
import { EVENTS, isTestEvent, type ResourceType } from './events';

/** One delivery as it arrived (docs/api.md#delivery-headers). */
export interface Delivery {
	readonly event: string;
	readonly deliveryId: string;
	readonly body: IDataObject;
}

/** What a workflow sees of one event. Ids that the event does not carry are null. */
export interface TriggerOutput {
	readonly event: string;
	readonly source: 'webhook' | 'polling';
	/** Of a polled event: its own ID, the same every time it is found. */
	readonly deliveryId: string;
	/** ISO 8601. Of a polled event: when it was found. */
	readonly sentAt: string;
	readonly receivedAt: string;
	readonly resourceType: ResourceType | null;
	readonly paymentId: string | null;
	readonly withdrawalId: string | null;
	readonly txId: string | null;
	readonly status: string | null;
	readonly isTest: boolean;
	/** The event object as it was sent (docs/api.md#event-bodies), or the payment or withdrawal as listed. */
	readonly body: IDataObject;
}

/**
 * Finds the resource in every shape that an event may have: `id`, `txId` or `paymentId` alone, or
 * the thin body of a resend (docs/api.md#event-bodies). @param sentAt, receivedAt epoch milliseconds
 */
export function describeDelivery(
	{ event, deliveryId, body }: Delivery,
	sentAt: number,
	receivedAt: number,
): TriggerOutput {
	const resourceType = getResourceType(event, body);
	const txId = textAt(body, 'txId');
	return {
		event,
		source: 'webhook',
		deliveryId,
		sentAt: toIso(sentAt),
		receivedAt: toIso(receivedAt),
		resourceType,
		paymentId: resourceType === 'payment' ? getResourceId(event, body, 'paymentId') : null,
		withdrawalId: resourceType === 'withdrawal' ? getResourceId(event, body, 'withdrawalId') : null,
		txId,
		status: textAt(body, 'status'),
		isTest: isTestEvent(event),
		body,
	};
}

/**
 * The item as people read it in n8n's table, from left to right: what happened, how much, from whom,
 * for what. @param json with its body, with `current` if that was fetched, and with the names that
 * the ledger has
 */
export function inColumns({ body, ...json }: IDataObject): IDataObject {
	// Pinned by hand.
	if (body === undefined) return json;
	const now = (json.current ?? {}) as IDataObject;
	const sent = body as IDataObject;
	const read = (name: string) => sent[name] ?? now[name] ?? null;
	const { event, status, paymentId, withdrawalId, txId, externalId, reference, ...rest } = json;
	return {
		event,
		status,
		amount: read('amount') ?? read('netAmount'),
		payerName: (read('payer') as IDataObject | null)?.name ?? null,
		description: read('description'),
		externalId: read('externalId') ?? externalId ?? null,
		reference: reference ?? null,
		paidAt: read('paidAt'),
		paymentId,
		withdrawalId,
		txId,
		...rest,
		body,
	};
}

function getResourceType(event: string, body: IDataObject): ResourceType | null {
	const known = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
	if (known) return known.resourceType;
	// An event that the API does not name: its resource is inferred from its fields.
	const txId = textAt(body, 'txId') ?? '';
	if (event.startsWith('WITHDRAWAL_') || isWithdrawal(body) || 'withdrawalId' in body) {
		return 'withdrawal';
	}
	if (event.startsWith('PAYMENT_') || txId.startsWith('PAY') || 'paymentId' in body) {
		return 'payment';
	}
	return null;
}

function getResourceId(
	event: string,
	body: IDataObject,
	field: 'paymentId' | 'withdrawalId',
): string | null {
	const named = textAt(body, field);
	if (named !== null) return named;
	const id = textAt(body, 'id');
	if (id === null || !isUuid(id)) return null;
	const isResource = EVENTS[event]?.idIsResource ?? isWithdrawal(body);
	return isResource || isThin(body) ? id : null;
}

/** Next to the txId of a withdrawal, `id` is its own. Next to that of a payment, it may be a refund's. */
function isWithdrawal(body: IDataObject): boolean {
	return textAt(body, 'txId')?.startsWith('WIT') ?? false;
}

const THIN_FIELDS: ReadonlySet<string> = new Set(['id', 'txId', 'status', 'amount', 'netAmount']);

/** `{id, txId, status, amount}`, plus `netAmount` for withdrawals: a resend from the dashboard. */
function isThin(body: IDataObject): boolean {
	return (
		'txId' in body && 'status' in body && Object.keys(body).every((field) => THIN_FIELDS.has(field))
	);
}

export function textAt(body: IDataObject, field: string): string | null {
	const value = body[field];
	return typeof value === 'string' && value !== '' ? value : null;
}
