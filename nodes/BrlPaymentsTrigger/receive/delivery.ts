import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { readJson } from '../../shared/transport/outcome';
import { isText } from '../../shared/validation/text';
import type { Delivery } from '../events/output';
import { getHeader, type Headers } from '../signature/header';

const EVENT = /^[A-Za-z0-9_.:-]{1,64}$/;
/** No blank and no comma: that is how two headers of one name arrive. */
const DELIVERY_ID = /^[\x21-\x2b\x2d-\x7e]{1,200}$/;

const OPENING_BRACE = 0x7b;

/** The event alone, which is enough to ignore a delivery. */
export function readEvent(headers: Headers): { event: string } | { problem: string } {
	const event = getHeader(headers, 'X-Webhook-Event');
	return event !== undefined && EVENT.test(event)
		? { event }
		: { problem: 'The header X-Webhook-Event is missing or malformed' };
}

export function readDelivery(
	headers: Headers,
	rawBody: Buffer,
): { delivery: Delivery } | { problem: string } {
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

/** What may name the resource of an event (docs/api.md#event-bodies). */
const RESOURCE_FIELDS = ['id', 'txId', 'paymentId', 'withdrawalId'] as const;

/**
 * Names what a delivery is about: the resource, by each ID in the body, in its status. Two deliveries with
 * the same ID and event are the same delivery if they have one of these names in common. A service that
 * renders the body again for a retry, with another ID, another field or other blanks, sends the same
 * delivery. ID and event alone do not name it: they are unsigned headers, and a delivery resent under
 * another one must not use up the genuine one.
 *
 * @param rawBody names what shows no ID
 */
export function contentsOf(body: IDataObject, rawBody: Buffer | string): string[] {
	const ids = RESOURCE_FIELDS.map((field) => body[field]).filter(isText);
	if (ids.length === 0) return [toShortHash(rawBody)];
	return [...new Set(ids)].map((id) => toShortHash(JSON.stringify([id, body.status])));
}

/** Short, because tens of thousands stay in memory. */
function toShortHash(content: Buffer | string): string {
	return createHash('sha256').update(content).digest().toString('base64url', 0, 16);
}

/**
 * What a delivery is remembered by: its id or, while the user wants it let through again, a separate
 * name, so that each entry of the user lets one copy through and no more. The service replays with the
 * original id, which deduplication discards, or with a new one (docs/api.md#replays-and-resends).
 */
export function replayKey(deliveryId: string, replayIds: readonly string[]): string {
	const times = replayIds.filter((id) => id === deliveryId).length;
	return times === 0 ? deliveryId : `${deliveryId} again ${times}`;
}

type Context = Pick<IWebhookFunctions, 'getWorkflowSettings'>;

/**
 * Whether the workflow runs on n8n's Engine 2.0. That engine passes on what a trigger emits, and
 * never calls its `execute`: an event that comes again after a restart would take effect again.
 */
export function isEngineTwo(context: Context): boolean {
	// Absent in old versions, which have one engine only.
	return (context as Partial<Context>).getWorkflowSettings?.().engineType === 'v2';
}

export function refuseEngineTwo(context: Context): void {
	if (!isEngineTwo(context)) return;
	throw new InputError(
		'This workflow runs on Engine 2.0 of n8n, where repeated events cannot be recognized',
		'Remove "engineType" from the settings of the workflow.',
	);
}
