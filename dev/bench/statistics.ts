/**
 * Between two samples it is interpolated linearly. @param share 0 to 1
 * @throws RangeError without samples: there is nothing to say about them
 */
export function quantile(samples: readonly number[], share: number): number {
	const sorted = [...samples].sort((one, other) => one - other);
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) throw new RangeError('There are no samples');
	return below + (above - below) * (place - Math.floor(place));
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);

/**
 * How many times one is the other, run by run: what slowed the machine down in one run slowed down
 * both, and cancels out. Both were run equally often.
 */
export function ratios(samples: readonly number[], toThese: readonly number[]): number[] {
	return samples.map((sample, run) => sample / toThese[run]!);
}

/** How much more one is than the other, run by run. */
export function differences(samples: readonly number[], toThese: readonly number[]): number[] {
	return samples.map((sample, run) => sample - toThese[run]!);
}
