import { Limiter } from '../../../../../nodes/shared/concurrency/limiter';

// How many run at the same time: test/engine/items/order.test.ts.

test('starts a long list in order, and leaves the event loop twenty items at a time', async () => {
	const turns: number[] = [];
	const started: number[] = [];
	const limiter = new Limiter(100, {
		nextTurn: async () => {
			turns.push(started.length);
			await new Promise<void>((resolve) => setImmediate(resolve));
		},
	});
	const items = Array.from({ length: 100 }, (_, index) => index);

	await Promise.all(
		items.map(
			async (item) => await limiter.run(async () => await Promise.resolve(started.push(item))),
		),
	);

	expect(started).toEqual(items);
	expect(turns).toEqual([0, 20, 40, 60, 80]);
});

test('continues after a task that failed', async () => {
	const limiter = new Limiter(1);
	const failing = limiter.run(async () => await Promise.reject(new Error('broken')));
	const next = limiter.run(async () => await Promise.resolve('next'));

	await expect(failing).rejects.toThrow('broken');
	expect(await next).toBe('next');
});
