/** Does its work once and returns what it cost. @param run counts from 1; 0 is the warm-up */
type Measure<Sample> = (run: number) => Promise<Sample> | Sample;

/** Fewer runs say little about how far the figures spread. */
export const LEAST_RUNS = 5;

/**
 * Runs things that are compared in turn, and each time in the opposite order, so that neither a
 * machine that becomes busy nor a place after another one favors any of them. One run before the
 * others does not count: it compiles and fills caches.
 *
 * @param onProgress called before each run
 * @returns the samples of each, in the order of the runs
 */
export async function alternate<Name extends string, Sample>(
	measures: Readonly<Record<Name, Measure<Sample>>>,
	runs: number,
	onProgress: (text: string) => void = () => undefined,
): Promise<Record<Name, Sample[]>> {
	if (!(runs >= LEAST_RUNS)) throw new RangeError(`At least ${LEAST_RUNS} runs are needed`);
	const names = Object.keys(measures) as Name[];
	const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]]));
	for (let run = 0; run <= runs; run += 1) {
		for (const name of run % 2 === 0 ? names : names.toReversed()) {
			onProgress(`${name}, run ${run} of ${runs}`);
			const sample = await measures[name](run);
			if (run > 0) samples[name]!.push(sample);
		}
	}
	return samples as Record<Name, Sample[]>;
}
