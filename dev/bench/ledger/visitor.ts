import { setTimeout as sleep } from 'node:timers/promises';

/** Between two visits: n8n is to be asked often, and not to be kept busy by it. */
const PAUSE_MS = 50;

/**
 * Visits one after the other while `work` goes on, and once more behind it.
 * @param visit returns how long it took
 * @returns the longest, in the same unit
 */
export async function longestVisit(
	visit: () => Promise<number>,
	work: () => Promise<unknown>,
): Promise<number> {
	let isOver = false;
	let longest = 0;
	const visitAll = async () => {
		while (!isOver) {
			longest = Math.max(longest, await visit());
			await sleep(PAUSE_MS);
		}
	};
	const visiting = visitAll();
	try {
		await work();
	} finally {
		isOver = true;
		await visiting;
	}
	return longest;
}
