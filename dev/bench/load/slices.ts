import type { GroupUse } from '../measure/processGroup';

/** What a group of processes used at one time. */
export interface Sample extends GroupUse {
	/** In ms since the load began. */
	readonly at: number;
}

/** One part of the time. */
export interface Slice {
	readonly processorMs: number;
	/** The most, in bytes. */
	readonly memory: number;
}

/**
 * Cuts samples into parts of equal length.
 *
 * @param samples in the order of time; the first one is the state before
 * @param totalMs how long the load lasted; later samples count for no part
 * @throws RangeError if a part has no sample: it was read too seldom
 */
export function cutIntoSlices(samples: readonly Sample[], totalMs: number, count: number): Slice[] {
	return Array.from({ length: count }, (_, slice) => {
		const [from, to] = [slice, slice + 1].map((part) => (totalMs * part) / count) as [
			number,
			number,
		];
		const before = samples.findLast(({ at }) => at <= from) ?? samples[0];
		const within = samples.filter(({ at }) => at > from && at <= to);
		const last = within.at(-1);
		if (!before || !last) throw new RangeError('There are too few samples');
		return {
			processorMs: last.processorMs - before.processorMs,
			memory: Math.max(...within.map(({ memory }) => memory)),
		};
	});
}
