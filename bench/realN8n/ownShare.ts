import { randomUUID } from 'node:crypto';
import { remember, type Store } from '../../nodes/BrlPaymentsTrigger/remember';

const DELIVERIES = 2_000;

/** Answers at once: nothing was there at the first call, everything at the second. */
function idleStore(): Store {
	let calls = 0;
	return {
		checkProcessedAndRecord: async (items) => {
			calls += 1;
			const [added, processed] = calls === 1 ? [items, []] : [[], items];
			return await Promise.resolve({ new: added, processed });
		},
		removeProcessed: async () => await Promise.resolve(),
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
