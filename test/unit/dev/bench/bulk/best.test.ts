import { findBest, leastTime, SETTINGS } from '../../../../../dev/bench/bulk/best';

describe('the least time', () => {
	test.each([
		['whole rounds', 100, 20, 50, 250],
		['a round that is not full', 101, 20, 50, 300],
		['fewer than fit in one', 3, 20, 50, 50],
		['no latency', 100, 20, 0, 0],
	])('of %s', (_name, items, atATime, latencyMs, expected) => {
		expect(leastTime(items, atATime, latencyMs)).toBe(expected);
	});
});

describe('the best setting', () => {
	/** Takes this many milliseconds with each setting, in turn where several are given. */
	function measured(times: Record<number, number[]>) {
		const tried: number[] = [];
		const measure = async (setting: number) => {
			const earlier = tried.filter((other) => other === setting).length;
			tried.push(setting);
			return times[setting]![earlier]!;
		};
		return { tried, measure };
	}

	test('is the one that takes the least time, whichever place it has', async () => {
		const { tried, measure } = measured({
			100: [400, 400],
			50: [300, 300],
			20: [200, 200],
			10: [210, 210],
		});

		expect(await findBest(1_000, 0, measure)).toBe(20);
		expect(new Set(tried)).toEqual(new Set(SETTINGS));
	});

	test('is decided by the median of the tries, not by the luckiest', async () => {
		const { measure } = measured({
			100: [300, 300],
			50: [100, 900],
			20: [310, 310],
			10: [400, 400],
		});

		expect(await findBest(1_000, 0, measure)).toBe(100);
	});

	test('is sought only among those that the latency lets win', async () => {
		const { tried, measure } = measured({ 100: [1_100, 1_100], 50: [1_050, 1_050] });

		// 1,000 items, 50 ms: 20 at a time can't take less than 2.5 s, and 10 not less than 5 s.
		expect(await findBest(1_000, 50, measure)).toBe(50);
		expect(tried).toEqual([100, 100, 50, 50]);
	});
});
