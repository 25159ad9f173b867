import type { Use } from '../measure/processes';

/** What a group of processes had used at one time. */
export interface Sample extends Use {
	/** How many deliveries it had answered. */
	readonly answered: number;
}

export interface Slice {
	/** For each delivery. */
	readonly processorMs: number;
	/** The most, in bytes. */
	readonly memory: number;
}

/**
 * Cuts samples into parts in which equally many deliveries were answered, as nearly as they show it.
 *
 * @param samples in the order of time; the first one is the state before
 * @throws RangeError if a part has no sample: it was read too seldom
 */
export function cutIntoSlices(samples: readonly Sample[], parts: number): Slice[] {
	const total = samples.at(-1)?.answered ?? 0;
	const ends = Array.from({ length: parts + 1 }, (_, part) =>
		samples.findIndex(({ answered }) => answered >= (total * part) / parts),
	);
	return Array.from({ length: parts }, (_, part) => {
		const [start, end] = [ends[part]!, ends[part + 1]!];
		const [first, last] = [samples[start]!, samples[end]!];
		if (end <= start) throw new RangeError('There are too few samples');
		return {
			processorMs: (last.processorMs - first.processorMs) / (last.answered - first.answered),
			memory: Math.max(...samples.slice(start, end + 1).map(({ memory }) => memory)),
		};
	});
}
