import { notADelivery, TOO_LARGE, unsigned, type Answer } from './answers';
import { getHeader, readEvent } from './delivery';
import { isHopeless } from '../signature/header';

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
export function look(headers: Readonly<Record<string, unknown>>, bodyBytes: number): Answer | null {
	const signature = getHeader(headers, 'X-Webhook-Signature');
	if (!signature) return unsigned('X-Webhook-Signature');
	if (!getHeader(headers, 'X-Webhook-Timestamp')) return unsigned('X-Webhook-Timestamp');
	const isPacked = headers['content-encoding'] !== undefined;
	if (isPacked && bodyBytes > MAX_UNPACKED_BYTES) return TOO_LARGE;
	if (isHopeless(signature)) return notADelivery('The header X-Webhook-Signature is malformed');
	const kind = readEvent(headers);
	return 'problem' in kind ? notADelivery(kind.problem) : null;
}
