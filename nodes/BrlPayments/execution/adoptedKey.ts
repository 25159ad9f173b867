import type { IDataObject } from 'n8n-workflow';
import { MAX_KEY_LENGTH } from '../../shared/orders/key';
import type { AdoptedKey } from '../../shared/orders/orderBook';

/**
 * The key of an item that failed in this package's node before and comes back with its `error`, as
 * from an error output that is wired back. Without it the item would be a new order.
 *
 * @param json of the input item
 * @param now epoch ms; a first use in the future is ignored
 */
export function getAdoptedKey(json: IDataObject | undefined, now: number): AdoptedKey | undefined {
	const error = json?.error;
	if (typeof error !== 'object' || error === null || Array.isArray(error)) return undefined;
	const { idempotencyKey, firstSentAt, effect } = error as IDataObject;
	if (typeof idempotencyKey !== 'string' || !isKey(idempotencyKey)) return undefined;
	const timestamp = typeof firstSentAt === 'string' ? Date.parse(firstSentAt) : NaN;
	return {
		key: idempotencyKey,
		firstUsedAt: Number.isNaN(timestamp) || timestamp > now ? undefined : timestamp,
		isUnclear: effect !== 'none',
	};
}

function isKey(text: string): boolean {
	return /^[\x21-\x7e]+$/.test(text) && text.length <= MAX_KEY_LENGTH;
}
