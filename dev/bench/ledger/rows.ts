import { differences, ratios, summarize } from '../measure/statistics';
import { spread, type Row } from '../report';

/** What is allowed: in all, more than without, or as often as without. */
export interface Comparison {
	readonly most: number;
	readonly of: 'all' | 'more' | 'ratio';
}

/** Samples in milliseconds. */
export interface Compared extends Comparison {
	readonly ours: readonly number[];
	readonly without: readonly number[];
}

/** A ratio of nearly 1 is as fast. */
const AS_FAST = 1.1;

/** A line of the table, which says whether the aim was reached. */
export function toRow(measured: string, { ours, without, most, of }: Compared): Row {
	const more = differences(ours, without);
	const ratio = ratios(ours, without);
	const figure = { all: summarize(ours), more, ratio }[of].median;
	const isReached = figure <= (of === 'ratio' ? most * AS_FAST : most);
	const aim = {
		all: `at most ${most} ms`,
		more: `at most ${most} ms more`,
		ratio: 'as fast',
	}[of];
	return {
		measured,
		ours: spread(summarize(ours), 0, ' ms'),
		compared: spread(summarize(without), 0, ' ms'),
		ratio: of === 'ratio' ? spread(ratio) : `${spread(more, 0, ' ms')} more`,
		limitedBy: `${aim}: ${isReached ? 'reached' : '**missed**'}`,
	};
}
