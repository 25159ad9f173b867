import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/**
 * Begins `count` requests at a steady pace, and waits for all of them. If the machine is too busy to
 * keep up, the pace slows down: no more than `atOnce` are under way.
 *
 * @throws what the first one throws that fails; it begins no more then
 */
export async function pace(
	{ count, perSecond, atOnce }: { count: number; perSecond: number; atOnce: number },
	send: (index: number) => Promise<void>,
): Promise<void> {
	const limit = pLimit(atOnce);
	const start = Date.now();
	const begun: Array<Promise<void>> = [];
	const failures: unknown[] = [];
	const sendNext = async (index: number) => {
		if (failures.length > 0) return;
		await send(index).catch((error: unknown) => void failures.push(error));
	};
	for (let index = 0; index < count && failures.length === 0; index += 1) {
		await sleep(Math.max(0, start + (1000 * index) / perSecond - Date.now()));
		begun.push(limit(sendNext, index));
	}
	await Promise.all(begun);
	if (failures.length > 0) throw failures[0];
}
