import { leastTime } from './best';

/** A run of the loop that takes longer would show nothing more. */
const LONGEST_RUN_MS = 40_000;

/**
 * How many items the loop is given in a run. One item waits for the other, so that its time grows
 * with their number and is scaled up from a part.
 */
export function itemsOfLoop(items: number, latencyMs: number): number {
	const parts = Math.max(1, Math.ceil(leastTime(items, 1, latencyMs) / LONGEST_RUN_MS));
	return Math.ceil(items / parts);
}
