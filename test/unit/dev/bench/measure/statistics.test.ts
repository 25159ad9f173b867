import { ratios, summarize } from '../../../../../dev/bench/measure/statistics';

describe('summarize', () => {
	test.each([
		['an odd count', [5, 1, 3], { median: 3, lowerQuartile: 2, upperQuartile: 4 }],
		['an even count', [4, 1, 3, 2], { median: 2.5, lowerQuartile: 1.75, upperQuartile: 3.25 }],
		['one sample', [7], { median: 7, lowerQuartile: 7, upperQuartile: 7 }],
		['numbers and not texts', [10, 9, 100], { median: 10, lowerQuartile: 9.5, upperQuartile: 55 }],
	])('of %s', (_name, samples, expected) => {
		expect(summarize(samples)).toEqual(expected);
	});

	test('of nothing is refused', () => {
		expect(() => summarize([])).toThrow('There are no samples');
	});
});

describe('ratios', () => {
	test('are taken run by run, so that a slow run is slow for both', () => {
		expect(ratios([10, 100, 10], [20, 200, 20])).toMatchObject({
			median: 0.5,
			lowerQuartile: 0.5,
			upperQuartile: 0.5,
		});
	});
});
