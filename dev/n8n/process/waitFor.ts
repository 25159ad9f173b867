import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
	what: string;
	timeoutMs?: number;
	pollMs?: number;
	signal?: AbortSignal;
}

/** Calls `probe` until it returns something other than undefined or false; fails after the deadline. */
export async function waitFor<T>(
	probe: () => T | undefined | false | Promise<T | undefined | false>,
	{ what, timeoutMs = 60_000, pollMs = 100, signal }: WaitOptions,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await probe();
		if (value !== undefined && value !== false) return value;
		if (Date.now() > deadline) {
			throw new Error(`Timed out after ${Math.round(timeoutMs / 1000)} s for ${what}.`);
		}
		await sleep(pollMs, undefined, { signal });
	}
}
