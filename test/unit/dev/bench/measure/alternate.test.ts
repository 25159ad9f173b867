import { alternate } from '../../../../../dev/bench/measure/alternate';

/** Two things to measure whose cost is the number of the call. */
const counted = () => {
	const order: string[] = [];
	const measure = (name: string) => () => order.push(name);
	return { order, measures: { one: measure('one'), other: measure('other') } };
};

test('runs in turn, in the opposite order each time', async () => {
	const { order, measures } = counted();

	await alternate(measures, 5);

	expect(order).toEqual([
		...['one', 'other'],
		...['other', 'one'],
		...['one', 'other'],
		...['other', 'one'],
		...['one', 'other'],
		...['other', 'one'],
	]);
});

test('returns the samples of each in the order of the runs, without the first one', async () => {
	const { measures } = counted();

	expect(await alternate(measures, 5)).toEqual({ one: [4, 5, 8, 9, 12], other: [3, 6, 7, 10, 11] });
});

test.each([4, 0, NaN])('refuses %o runs, which say little', async (runs) => {
	await expect(alternate(counted().measures, runs)).rejects.toThrow('At least 5 runs');
});
