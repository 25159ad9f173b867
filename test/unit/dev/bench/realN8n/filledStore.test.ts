import { createHash } from 'node:crypto';
import { fillStore } from '../../../../../dev/bench/realN8n/filledStore';
import { contentId } from '../../../../../nodes/BrlPaymentsTrigger/receive/delivery';
import type { SeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import { remember } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';

/** n8n's helper on a row that was filled: it knows what it has seen by a hash. */
function storeWith(data: readonly string[]): SeenEvents {
	const known = new Set(data);
	const isKnown = (item: string) => known.has(createHash('md5').update(item).digest('base64'));
	return {
		record: async (items) => await Promise.resolve(new Set(items.filter(isKnown))),
		forget: async () => await Promise.resolve(),
	};
}

const recall = async (store: SeenEvents, deliveryId: string) => {
	const id = contentId({ deliveryId, event: 'PAYMENT_PAID', body: {} }, '{}');
	return await remember(
		store,
		{ id, key: id, fingerprints: ['sig'], emission: 'run' },
		{ isRetry: false, isShared: false },
		() => undefined,
	);
};

test('knows each of its deliveries and no other', async () => {
	const { deliveryIds, value } = await fillStore(3);
	const store = storeWith(value.data);

	expect(deliveryIds).toHaveLength(3);
	for (const id of deliveryIds) expect(await recall(store, id)).toBe('copy');
	expect(await recall(store, 'another')).toBe('first');
});

test('contains what n8n would write for each delivery, once', async () => {
	const { value } = await fillStore(2);

	expect(value.mode).toBe('entries');
	// Of each: its ID, its signature, its run, that this run has won, that there is a winner, and whose the
	// signature is.
	expect(value.data).toHaveLength(12);
	expect(new Set(value.data).size).toBe(12);
	for (const hash of value.data) expect(hash).toMatch(/^[A-Za-z0-9+/]{22}==$/);
});

test('is empty for no deliveries', async () => {
	expect(await fillStore(0)).toEqual({ deliveryIds: [], value: { mode: 'entries', data: [] } });
});

test('forgets the oldest as the trigger does', async () => {
	const { deliveryIds, value } = await fillStore(12_500);
	const store = storeWith(value.data);

	// Of 15 deliveries a second, those of ten minutes and a fifth of that.
	expect(value.data.length).toBeLessThan(12_500 * 6);
	expect(value.data.length).toBeGreaterThan(9_000 * 6);
	expect(await recall(store, deliveryIds[0]!)).toBe('first');
	expect(await recall(store, deliveryIds.at(-9_000)!)).toBe('copy');
	expect(await recall(store, deliveryIds.at(-1)!)).toBe('copy');
});
