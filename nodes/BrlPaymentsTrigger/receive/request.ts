import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { InputError } from '../../shared/validation/inputError';
import { getHeader, isHopeless } from '../signature/header';
import { readEvent } from './delivery';
import { notADelivery, TOO_LARGE, unsigned, type Reply } from './answers';

/**
 * Events are a few kilobytes. n8n decompresses up to 16 MB, which fit into 16 kB: hashing that much
 * takes far longer than sending it. An uncompressed body costs its sender as much as this n8n.
 */
const MAX_UNPACKED_BYTES = 1024 * 1024;

/**
 * Judges what is visible before a credential is read or a byte is hashed: anyone may send anything here.
 *
 * @returns the response to what cannot be a delivery; null for all else
 */
export function look(headers: Readonly<Record<string, unknown>>, bodyBytes: number): Reply | null {
	const signature = getHeader(headers, 'X-Webhook-Signature');
	if (!signature) return unsigned('X-Webhook-Signature');
	if (!getHeader(headers, 'X-Webhook-Timestamp')) return unsigned('X-Webhook-Timestamp');
	const isPacked = headers['content-encoding'] !== undefined;
	if (isPacked && bodyBytes > MAX_UNPACKED_BYTES) return TOO_LARGE;
	if (isHopeless(signature)) return notADelivery('The header X-Webhook-Signature is malformed');
	const kind = readEvent(headers);
	return 'problem' in kind ? notADelivery(kind.problem) : null;
}

/**
 * The bytes on the wire, as they were before anything was parsed. n8n leaves a body unread if it
 * does not parse its type, and has already consumed that of a form with files.
 */
export async function readRawBody(
	context: Pick<IWebhookFunctions, 'getRequestObject'>,
	headers: IDataObject,
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
