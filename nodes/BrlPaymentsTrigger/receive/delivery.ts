import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { readJson } from '../../shared/transport/outcome';

/** One delivery as it arrived (docs/api.md#delivery-headers). */
export interface Delivery {
	readonly event: string;
	readonly deliveryId: string;
	readonly body: IDataObject;
}

export type DeliveryReading = { delivery: Delivery } | { problem: string };

const EVENT = /^[A-Za-z0-9_.:-]{1,64}$/;
/** No blank and no comma: that is how two headers of one name arrive. */
const DELIVERY_ID = /^[\x21-\x2b\x2d-\x7e]{1,200}$/;

const OPENING_BRACE = 0x7b;

type Headers = Readonly<Record<string, unknown>>;

/** A header that came once; undefined if it is missing or came several times as a list. */
export function getHeader(headers: Headers, name: string): string | undefined {
	const value = headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}

/** The event alone, which is enough to ignore a delivery. */
export function readEvent(headers: Headers): { event: string } | { problem: string } {
	const event = getHeader(headers, 'X-Webhook-Event');
	return event !== undefined && EVENT.test(event)
		? { event }
		: { problem: 'The header X-Webhook-Event is missing or malformed' };
}

/** Reads a delivery whose signature is verified, and all that is needed to emit it. */
export function readDelivery(headers: Headers, rawBody: Buffer): DeliveryReading {
	const reading = readEvent(headers);
	if ('problem' in reading) return reading;
	const { event } = reading;
	const deliveryId = getHeader(headers, 'X-Webhook-Delivery-Id');
	if (deliveryId === undefined || !DELIVERY_ID.test(deliveryId)) {
		return { problem: 'The header X-Webhook-Delivery-Id is missing or malformed' };
	}
	// Services write JSON without blanks before it. Accepting them would leave it open where the
	// timestamp ends and the body begins: in one layout, a line break separates them.
	const body = rawBody[0] === OPENING_BRACE ? readJson(rawBody) : undefined;
	if (typeof body !== 'object' || body === null) {
		return { problem: 'The body is not a JSON object' };
	}
	return { delivery: { event, deliveryId, body: body as IDataObject } };
}

/** What names the resource of an event, in the order in which it is looked for (docs/api.md#event-bodies). */
const RESOURCE_FIELDS = ['id', 'txId', 'paymentId', 'withdrawalId'] as const;

/**
 * Names a delivery by its id, its event, its resource and its status. Not by the bytes of its body: a
 * service that renders the body again for a retry, with another field or other blanks, sends the same
 * delivery. Id and event are unsigned headers, and a delivery resent under another one must not use up
 * the genuine one.
 *
 * @param rawBody names what shows neither resource nor status
 */
export function contentId({ deliveryId, event, body }: Delivery, rawBody: Buffer | string): string {
	const resource = RESOURCE_FIELDS.map((field) => body[field]).find(isText);
	const content = resource === undefined ? rawBody : JSON.stringify([resource, body.status]);
	return `${deliveryId} ${event} ${createHash('sha256').update(content).digest('base64url')}`;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}
