import { randomUUID } from 'node:crypto';
import type { SeenEvents } from '../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import { remember } from '../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';

const DELIVERIES = 2_000;

/** Returns at once: nothing was there. */
const idle: SeenEvents = {
	record: async () => await Promise.resolve(new Set()),
	forget: async () => await Promise.resolve(),
};

/** Processor time, in milliseconds, that the trigger itself takes to remember one delivery. */
export async function ownShare(): Promise<number> {
	const before = process.cpuUsage();
	for (let count = 0; count < DELIVERIES; count += 1) {
		const id = randomUUID();
		const mark = { key: id, id, contents: [id], fingerprints: [id], emission: id };
		const recollection = await remember(
			idle,
			mark,
			{ isRetry: false, isShared: false },
			() => undefined,
		);
		if (recollection !== 'first') throw new Error('A new delivery was taken for a copy');
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000 / DELIVERIES;
}
