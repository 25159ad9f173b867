import { pace } from '../../../../../dev/bench/load/pace';

test('begins each in order, without waiting for those before', async () => {
	const begun: number[] = [];
	let finish = () => {};
	const last = new Promise<void>((resolve) => (finish = resolve));
	await pace(3, 1_000, async (index) => {
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
		sleep: async (ms: number) => await Promise.resolve((now += ms)),
	};
	await pace(
		4,
		20,
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
	const paced = pace(100, 1_000, async (index) => {
		begun.push(index);
		if (index === 1) throw new Error('refused');
		await Promise.resolve();
	});

	await expect(paced).rejects.toThrow('refused');
	expect(begun.length).toBeLessThan(100);
});
