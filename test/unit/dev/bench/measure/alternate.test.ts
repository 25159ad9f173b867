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

test('waits for what takes its time', async () => {
	let underWay = 0;
	let most = 0;
	const slow = async () => {
		underWay += 1;
		most = Math.max(most, underWay);
		await new Promise(setImmediate);
		underWay -= 1;
		return 1;
	};

	await alternate({ one: slow, other: slow }, 5);

	expect(most).toBe(1);
});

test('reports what it is about to run', async () => {
	const { measures } = counted();
	const told: string[] = [];

	await alternate(measures, 5, (name, run) => told.push(`${name} ${run}`));

	expect(told.slice(0, 4)).toEqual(['one 0', 'other 0', 'other 1', 'one 1']);
	expect(told).toHaveLength(12);
});

test('passes each measure the number of the run, so that the warm-up can be short', async () => {
	const runs: number[] = [];

	await alternate({ one: (run) => runs.push(run) }, 5);

	expect(runs).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([4, 0, NaN])('refuses %o runs, which say little', async (runs) => {
	await expect(alternate(counted().measures, runs)).rejects.toThrow('At least 5 runs');
});

test('passes on what went wrong', async () => {
	const broken = { one: () => 1, other: () => Promise.reject(new Error('refused')) };

	await expect(alternate(broken, 5)).rejects.toThrow('refused');
});
