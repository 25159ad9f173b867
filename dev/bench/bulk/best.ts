import { summarize } from '../measure/statistics';

/** Max Concurrency, the most first. */
export const SETTINGS = [100, 50, 20, 10] as const;

/** More would only confirm which one it is. */
const TRIES = 2;

/** The least time possible with this many at a time. Milliseconds. */
export function leastTime(items: number, atATime: number, latencyMs: number): number {
	return Math.ceil(items / atATime) * latencyMs;
}

/**
 * Finds the setting that takes the least time, the median of some tries. Settings that could not win
 * even if only the latency took time are not tried.
 *
 * @param measure pays all items with a setting, and returns the milliseconds that it took
 */
export async function findBest(
	items: number,
	latencyMs: number,
	measure: (setting: number) => Promise<number>,
): Promise<number> {
	let best = { setting: SETTINGS[0] as number, milliseconds: Infinity };
	for (const setting of SETTINGS) {
		if (leastTime(items, setting, latencyMs) >= best.milliseconds) continue;
		const samples: number[] = [];
		for (let count = 0; count < TRIES; count += 1) samples.push(await measure(setting));
		const milliseconds = summarize(samples).median;
		if (milliseconds < best.milliseconds) best = { setting, milliseconds };
	}
	return best.setting;
}
