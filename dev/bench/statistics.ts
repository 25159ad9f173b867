export interface Summary {
	readonly median: number;
	readonly lowerQuartile: number;
	readonly upperQuartile: number;
}

/** @throws RangeError without samples: there is nothing to say about them */
export function summarize(samples: readonly number[]): Summary {
	const sorted = [...samples].sort((one, other) => one - other);
	return {
		median: quantile(sorted, 0.5),
		lowerQuartile: quantile(sorted, 0.25),
		upperQuartile: quantile(sorted, 0.75),
	};
}

/** Between two samples it is interpolated linearly. @param share 0 to 1 */
function quantile(sorted: readonly number[], share: number): number {
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) throw new RangeError('There are no samples');
	return below + (above - below) * (place - Math.floor(place));
}

/**
 * How many times one is the other, run by run: what slowed the machine down in one run slowed down
 * both, and cancels out. Both were run equally often.
 */
export function ratios(samples: readonly number[], toThese: readonly number[]): Summary {
	return summarize(samples.map((sample, run) => sample / toThese[run]!));
}

/** How much more one is than the other, run by run. */
export function differences(samples: readonly number[], toThese: readonly number[]): Summary {
	return summarize(samples.map((sample, run) => sample - toThese[run]!));
}
