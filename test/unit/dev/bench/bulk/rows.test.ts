import { toRows, type Name, type Samples } from '../../../../../dev/bench/bulk/rows';
import type { Cost } from '../../../../../dev/bench/bulk/benchEnvironment';

const subject = { items: 1_000, loopItems: 1_000, latencyMs: 50, byDefault: 20, best: 50 };
const milliseconds: Samples = {
	byDefault: [3_000, 3_000],
	atBest: [2_000, 2_000],
	httpRequest: [4_000, 4_000],
	oneByOne: [60_000, 60_000],
	floor: [2_500, 2_500],
	floorAtBest: [1_600, 1_600],
};
const costsWith = (processorMs: number | undefined) =>
	Object.fromEntries(
		(Object.keys(milliseconds) as Name[]).map((name) => [
			name,
			milliseconds[name].map((time): Cost => ({
				milliseconds: time,
				serviceShare: 0.3,
				processorMs,
			})),
		]),
	) as Record<Name, Cost[]>;

test('each aim has its line, with the ratio the way round that it is asked for', () => {
	const rows = toRows(subject, milliseconds, costsWith(2));

	expect(rows.map(({ measured, ratio }) => [measured, ratio])).toEqual([
		[
			'1,000 withdrawals, 50 ms away, default (20 at a time)',
			'20.00 (20.00 to 20.00) times as fast',
		],
		[
			'1,000 withdrawals, 50 ms away, default (20 at a time)',
			"1.20 (1.20 to 1.20) of the floor's time",
		],
		[
			'1,000 withdrawals, 50 ms away, best (50 at a time)',
			"1.25 (1.25 to 1.25) of the floor's time",
		],
		['1,000 withdrawals, 50 ms away, best (50 at a time)', '2.00 (2.00 to 2.00) times as fast'],
		[
			"n8n's processor time for a payout, 1,000 withdrawals, 50 ms away",
			'1.00 (1.00 to 1.00) of HTTP Request',
		],
	]);
});

test('a loop that was given a part says so', () => {
	const compared = (loopItems: number) =>
		toRows({ ...subject, loopItems }, milliseconds, costsWith(2))[0]?.compared;

	expect(compared(500)).toContain('(500 paid, the time for all in proportion): 60000 ms');
	expect(compared(1_000)).toContain('one await for each item: 60000 ms');
});

test('what limits it names the part of the latency at the concurrency of the line', () => {
	const rows = toRows(subject, milliseconds, costsWith(2));

	// 50 rounds of 50 ms in 3 s, 20 rounds in 2 s.
	expect(rows[0]?.limitedBy).toContain('The latency alone makes 83 % of it');
	expect(rows[2]?.limitedBy).toContain('The latency alone makes 50 % of it');
	expect(rows[0]?.limitedBy).toContain('computed for 30 % of the time');
});

test('where processor time cannot be read, nothing is said of it', () => {
	expect(toRows(subject, milliseconds, costsWith(undefined))).toHaveLength(4);
});
