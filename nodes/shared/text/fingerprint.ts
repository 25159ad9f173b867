import { createHash } from 'node:crypto';

/** Names a value: the same for equal JSON, and long enough never to collide. 43 characters. */
export function hash(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** A short {@link hash}, 16 characters: long enough for all orders of an n8n. */
export function fingerprint(value: unknown): string {
	return hash(value).slice(0, 16);
}
