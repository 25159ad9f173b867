import { setTimeout as sleep } from 'node:timers/promises';

interface Clock {
	/** Epoch ms. */
	now(): number;
	sleep(ms: number): Promise<unknown>;
}

/**
 * Begins `count` requests at a steady pace, whether or not earlier ones have been answered, and waits
 * for all of them.
 *
 * @throws what the first one throws that fails; it begins no more then
 */
export async function pace(
	count: number,
	perSecond: number,
	send: (index: number) => Promise<void>,
	clock: Clock = { now: Date.now, sleep },
): Promise<void> {
	const start = clock.now();
	const begun: Array<Promise<void>> = [];
	const failures: unknown[] = [];
	for (let index = 0; index < count && failures.length === 0; index += 1) {
		await clock.sleep(Math.max(0, start + (1000 * index) / perSecond - clock.now()));
		begun.push(send(index).catch((error: unknown) => void failures.push(error)));
	}
	await Promise.all(begun);
	if (failures.length > 0) throw failures[0];
}
