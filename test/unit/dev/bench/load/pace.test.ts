import { pace } from '../../../../../dev/bench/load/pace';

const FAST = { perSecond: 1_000, atOnce: 100 };

test('begins each in order, without waiting for those before', async () => {
	const begun: number[] = [];
	let finish = () => {};
	const last = new Promise<void>((resolve) => (finish = resolve));
	await pace({ ...FAST, count: 3 }, async (index) => {
		begun.push(index);
		// None ends before the last one has begun.
		if (index === 2) finish();
		await last;
	});

	expect(begun).toEqual([0, 1, 2]);
});

test('waits for the time of each, and catches up after one that came late', async () => {
	let now = 1_000;
	const begunAt: number[] = [];
	const clock = {
		now: () => now,
		sleep: async (ms: number) => {
			const end = now + ms;
			await new Promise(setImmediate);
			now = Math.max(now, end);
		},
	};
	await pace(
		{ count: 4, perSecond: 20, atOnce: 1 },
		async (index) => {
			begunAt.push(now);
			if (index === 1) now += 70;
			await Promise.resolve();
		},
		clock,
	);

	expect(begunAt).toEqual([1_000, 1_050, 1_120, 1_150]);
});

test('begins no more once one has failed, and says why', async () => {
	const begun: number[] = [];
	const paced = pace({ ...FAST, count: 100 }, async (index) => {
		begun.push(index);
		if (index === 1) throw new Error('refused');
		await Promise.resolve();
	});

	await expect(paced).rejects.toThrow('refused');
	expect(begun.length).toBeLessThan(100);
});

test('has no more than so many under way', async () => {
	let [underWay, most] = [0, 0];
	const clock = { now: () => 0, sleep: async () => await Promise.resolve() };
	await pace(
		{ count: 9, perSecond: 1_000, atOnce: 4 },
		async () => {
			underWay += 1;
			most = Math.max(most, underWay);
			await new Promise(setImmediate);
			underWay -= 1;
		},
		clock,
	);

	expect(most).toBe(4);
});
