import { createHash } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readJson } from '../shared/transport/outcome';
import { InputError } from '../shared/input/inputError';
import { notADelivery, TOO_LARGE, unsigned, type Reply } from './answers';
import { textAt, type Delivery } from './item';
import { readDigests, type SignedParts } from './signature/verify';

export type Headers = Readonly<Record<string, unknown>>;

/** A header that came once; undefined if it is missing or came several times as a list. */
function getHeader(headers: Headers, name: string): string | undefined {
	const value = headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}

const EVENT = /^[A-Za-z0-9_.:-]{1,64}$/;
/** No blank and no comma: that is how two headers of one name arrive. */
const DELIVERY_ID = /^[\x21-\x2b\x2d-\x7e]{1,200}$/;
const OPENING_BRACE = 0x7b;

/** n8n decompresses up to 16 MB, which fit into 16 kB: hashing them takes far longer than sending them. */
const MAX_UNPACKED_BYTES = 1024 * 1024;

/** What a delivery says in its headers, exactly as they arrived. */
type Signed = Omit<SignedParts, 'body'> & { readonly event: string };

/**
 * Reads what a delivery must have before a credential is read or a byte is hashed: anyone may send a request.
 * @returns the response instead, if it cannot be a delivery
 */
export function readSigned(headers: Headers, bodyBytes: number): Signed | Reply {
	const signature = getHeader(headers, 'X-Webhook-Signature');
	if (!signature) return unsigned('X-Webhook-Signature');
	const timestamp = getHeader(headers, 'X-Webhook-Timestamp');
	if (!timestamp) return unsigned('X-Webhook-Timestamp');
	if (headers['content-encoding'] !== undefined && bodyBytes > MAX_UNPACKED_BYTES) return TOO_LARGE;
	if (readDigests(signature).length === 0) {
		return notADelivery('The header X-Webhook-Signature is malformed');
	}
	const event = readEvent(headers);
	return event === undefined
		? notADelivery('The header X-Webhook-Event is missing or malformed')
		: { signature, timestamp, event };
}

export function readEvent(headers: Headers): string | undefined {
	const event = getHeader(headers, 'X-Webhook-Event');
	return event !== undefined && EVENT.test(event) ? event : undefined;
}

/** @returns the response instead, if it is no delivery */
export function readDelivery(headers: Headers, rawBody: Buffer, event: string): Delivery | Reply {
	const deliveryId = getHeader(headers, 'X-Webhook-Delivery-Id');
	if (deliveryId === undefined || !DELIVERY_ID.test(deliveryId)) {
		return notADelivery('The header X-Webhook-Delivery-Id is missing or malformed');
	}
	// Services write JSON without blanks before it. Accepting them would leave it open where the
	// timestamp ends and the body begins: in one layout, a line break separates them.
	const body = rawBody[0] === OPENING_BRACE ? readJson(rawBody) : undefined;
	if (typeof body !== 'object' || body === null)
		return notADelivery('The body is not a JSON object');
	return { event, deliveryId, body: body as IDataObject };
}

/** What may name the resource of an event (docs/api.md#event-bodies). */
const RESOURCE_FIELDS = ['id', 'txId', 'paymentId', 'withdrawalId'];

/**
 * What a delivery is recognized by: its ID and event, which are unsigned headers, with what is signed, its
 * resource and status. Two deliveries that have one of these keys in common are the same: a service may
 * render the body again for a retry, with an ID or a field more or less. One that somebody has sent under
 * another ID, or with another body, has other keys, so it does not use up the genuine one.
 *
 * @param rawBody names what shows no ID
 */
export function keysOf({ deliveryId, event, body }: Delivery, rawBody: Buffer): string[] {
	const ids = new Set(RESOURCE_FIELDS.map((field) => textAt(body, field)));
	ids.delete(null);
	const contents =
		ids.size === 0 ? [rawBody] : [...ids].map((id) => JSON.stringify([id, body.status]));
	return contents.map((content) => {
		// Short, because tens of thousands stay in memory.
		const hash = createHash('sha256').update(content).digest().toString('base64url', 0, 16);
		return `${deliveryId} ${event} ${hash}`;
	});
}

/**
 * The bytes on the wire, as they were before anything was parsed. n8n leaves a body unread if it
 * does not parse its type, and has already consumed that of a form with files.
 */
export async function readRawBody(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	headers: Headers,
): Promise<Buffer> {
	const request = context.getRequestObject() as {
		readonly rawBody?: unknown;
		readonly readRawBody?: () => Promise<void>;
	};
	const isForm = /^\s*multipart\//i.test(getHeader(headers, 'Content-Type') ?? '');
	if (request.rawBody === undefined && !isForm) await request.readRawBody?.();
	const { rawBody } = request;
	if (Buffer.isBuffer(rawBody)) return rawBody;
	throw new InputError(
		'This n8n did not provide the unparsed body',
		'Update n8n to a version that provides it.',
	);
}
