import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { Failure } from '../shared/failures/failure';
import { toIso } from '../shared/text/time';
import { isUuid } from '../shared/input/uuid';
import { EVENTS, isTestEvent, type ResourceType } from './events';

/** What a workflow sees of one event. IDs that the event does not contain are null. */
export interface TriggerItem {
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

/** One delivery as it arrived (docs/api.md#delivery-headers). */
export type Delivery = Pick<TriggerItem, 'event' | 'deliveryId' | 'body'>;

/**
 * Finds the resource in every shape that an event may have: `id`, `txId` or `paymentId` alone, or
 * the thin body of a resend (docs/api.md#event-bodies). @param sentAt, receivedAt epoch milliseconds
 */
export function toItem(
	{ event, deliveryId, body }: Delivery,
	sentAt: number,
	receivedAt: number,
): TriggerItem {
	const resourceType = getResourceType(event, body);
	return {
		event,
		source: 'webhook',
		deliveryId,
		sentAt: toIso(sentAt),
		receivedAt: toIso(receivedAt),
		resourceType,
		paymentId: resourceType === 'payment' ? getResourceId(event, body, 'paymentId') : null,
		withdrawalId: resourceType === 'withdrawal' ? getResourceId(event, body, 'withdrawalId') : null,
		txId: textAt(body, 'txId'),
		status: textAt(body, 'status'),
		isTest: isTestEvent(event),
		body,
	};
}

/** Field of an emitted item that goes from the webhook to `execute` and no further. */
export const DELIVERY_MARK = '__delivery';

export interface DeliveryMark {
	/** By any of them the delivery is recognized, see `keysOf`. */
	readonly keys: readonly string[];
	/** Those that it came with, see `verify`. */
	readonly signatures: readonly string[];
	/** Names this execution: the same when it is run again, another one for a copy. */
	readonly run: string;
}

/** Field of a polled item that goes from `poll` to `execute` and no further. */
export const POLL_MARK = '__poll';

export interface PolledEvent {
	/** See `toIdentities`. */
	readonly identities: readonly string[];
	readonly run: string;
}

export type PollMark = PolledEvent | { readonly failure: Failure };

/** 60 bits: among 10,000 payments, two are confused once in twenty billion times. */
const RESOURCE_LENGTH = 10;
const shortHash = (text: string, length: number): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, length);

/**
 * By what an event is recognized, delivered or polled: the ID of its resource with its name, and the TxID
 * with its name. A delivery may contain only one of the two (docs/api.md#event-bodies), a listed row has
 * both. A payment that is refunded in part may be refunded in full later: that is another event.
 */
export function toIdentities(item: TriggerItem): string[] {
	const { event, status, paymentId, withdrawalId, txId } = item;
	const name = shortHash(status === 'PARTIAL_REFUND' ? `${event} ${status}` : event, 4);
	const ids = [paymentId ?? withdrawalId, txId].filter((id) => id !== null);
	return ids.map((id) => shortHash(id, RESOURCE_LENGTH) + name);
}

/** The part of an identity that all events of a resource have in common. */
export const resourceOf = (identity: string): string => identity.slice(0, RESOURCE_LENGTH);

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
	// Of a withdrawal, the amount may include the fee, and a list does not show it.
	const first = json.resourceType === 'withdrawal' ? 'netAmount' : 'amount';
	const { event, status, paymentId, withdrawalId, txId, externalId, reference, ...rest } = json;
	return {
		event,
		status,
		amount: read(first) ?? read('amount') ?? read('netAmount'),
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

/** Of an event that the API does not name, it is inferred from its name and fields. */
function getResourceType(event: string, body: IDataObject): ResourceType | null {
	if (Object.hasOwn(EVENTS, event)) return EVENTS[event]?.resourceType ?? null;
	const txId = textAt(body, 'txId') ?? '';
	const isAbout = (name: string, txIdPrefix: string, field: string) =>
		event.startsWith(name) || txId.startsWith(txIdPrefix) || field in body;
	if (isAbout('WITHDRAWAL_', 'WIT', 'withdrawalId')) return 'withdrawal';
	return isAbout('PAYMENT_', 'PAY', 'paymentId') ? 'payment' : null;
}

/** `id` may be that of a refund or a dispute, except in the thin body of a resend. */
function getResourceId(
	event: string,
	body: IDataObject,
	field: 'paymentId' | 'withdrawalId',
): string | null {
	const named = textAt(body, field);
	if (named !== null) return named;
	const id = textAt(body, 'id');
	if (id === null || !isUuid(id)) return null;
	// Next to the TxID of a withdrawal, `id` is its own. Next to that of a payment, it may be a refund's.
	const isOfWithdrawal = textAt(body, 'txId')?.startsWith('WIT') ?? false;
	return (EVENTS[event]?.idIsResource ?? isOfWithdrawal) || isThin(body) ? id : null;
}

const THIN_FIELDS: ReadonlySet<string> = new Set(['id', 'txId', 'status', 'amount', 'netAmount']);

/** `{id, txId, status, amount}`, plus `netAmount` for withdrawals: a resend from the dashboard. */
function isThin(body: IDataObject): boolean {
	const isKnown = Object.keys(body).every((field) => THIN_FIELDS.has(field));
	return isKnown && 'txId' in body && 'status' in body;
}

export function textAt(body: IDataObject, field: string): string | null {
	const value = body[field];
	return typeof value === 'string' && value !== '' ? value : null;
}
