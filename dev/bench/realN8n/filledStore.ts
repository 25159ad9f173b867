import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { contentsOf } from '../../../nodes/BrlPaymentsTrigger/receive/delivery';
import {
	RecentEntries,
	type SeenEvents,
} from '../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	namesOfDelivery,
	remember,
} from '../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';

/** What n8n's store contains after deliveries, and the ids of those. */
export interface FilledStore {
	readonly deliveryIds: readonly string[];
	/** The column `value` of the row. */
	readonly value: { readonly mode: 'entries'; readonly data: readonly string[] };
}

/** How many deliveries come in a second: about as many as n8n accepts. */
const PER_SECOND = 15;

const RETENTION = { keepMs: 600_000, isShared: false };

/**
 * What this many deliveries leave behind, one right after the other, remembered by the trigger's own
 * code, in the form in which n8n stores them. To send them all would take hours.
 *
 * @param body of each
 */
export async function fillStore(deliveries: number, body = '{}'): Promise<FilledStore> {
	const entries = new Set<string>();
	const recent = new RecentEntries(0, 0);
	let now = 0;
	const seenEvents: SeenEvents = {
		isShared: RETENTION.isShared,
		record: async (items) => {
			const known = new Set(items.filter((item) => entries.has(item)));
			for (const item of items) entries.add(item);
			const bound = recent.bound(items.length, now, RETENTION);
			for (const oldest of entries) {
				if (entries.size <= bound) break;
				entries.delete(oldest);
			}
			return await Promise.resolve(known);
		},
		forget: async () => await Promise.resolve(),
	};
	const contents = contentsOf(JSON.parse(body) as IDataObject, body);
	const deliveryIds = Array.from({ length: deliveries }, () => randomUUID());
	for (const [index, deliveryId] of deliveryIds.entries()) {
		now = (index / PER_SECOND) * 1000;
		const id = `${deliveryId} PAYMENT_PAID`;
		const mark = {
			...{ key: id, id, contents },
			fingerprints: [randomBytes(32).toString('base64url')],
			emission: randomUUID(),
		};
		await remember(seenEvents, namesOfDelivery(mark), false);
	}
	return { deliveryIds, value: { mode: 'entries', data: [...entries].map(toHash) } };
}

/** As n8n hashes what it remembers. */
const toHash = (entry: string) => createHash('md5').update(entry).digest('base64');
