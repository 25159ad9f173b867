import { randomUUID } from 'node:crypto';
import type { StoreAccess } from '../../nodes/api/durableStore';
import { remember } from '../../nodes/BrlPaymentsTrigger/remember';

const DELIVERIES = 2_000;

/** Answers at once: nothing was there at the first call, everything at the second. */
function idleStore(): StoreAccess {
	let calls = 0;
	return {
		record: async (entries) => {
			calls += 1;
			return await Promise.resolve(new Set(calls === 1 ? [] : entries));
		},
		forget: async () => await Promise.resolve(),
	};
}

/** Processor time, in milliseconds, that the trigger itself takes to remember one delivery. */
export async function ownShare(): Promise<number> {
	const before = process.cpuUsage();
	for (let count = 0; count < DELIVERIES; count += 1) {
		const id = randomUUID();
		const mark = { key: id, deliveryId: id, fingerprints: [id], emission: id };
		const recollection = await remember(idleStore(), mark, 10_000, () => undefined);
		if (recollection !== 'first') throw new Error('A new delivery was taken for a copy');
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000 / DELIVERIES;
}
