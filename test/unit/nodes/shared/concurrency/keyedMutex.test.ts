import { KeyedMutex } from '../../../../../nodes/shared/concurrency/sharedCalls';

/** A task that ends on demand. */
function task<T>(value: T) {
	const log: string[] = [];
	let end: () => void = () => {};
	const gate = new Promise<void>((resolve) => (end = resolve));
	const run = async () => {
		log.push('started');
		await gate;
		return value;
	};
	return { log, end: () => end(), run };
}
const turn = async () => await new Promise((resolve) => setImmediate(resolve));

test('runs one task at a time for each name, in order', async () => {
	const queue = new KeyedMutex();
	const [one, two, other] = [task(1), task(2), task(3)];
	const results = [queue.run('n', one.run), queue.run('n', two.run), queue.run('m', other.run)];
	await turn();
	expect([one.log, two.log, other.log]).toEqual([['started'], [], ['started']]);

	one.end();
	expect(await results[0]).toBe(1);
	await turn();
	expect(two.log).toEqual(['started']);
	two.end();
	other.end();
	expect(await Promise.all(results)).toEqual([1, 2, 3]);
});

test('makes a task that comes later wait for all before it, though the first is done', async () => {
	const queue = new KeyedMutex();
	const [one, two, three] = [task(1), task(2), task(3)];
	const first = queue.run('n', one.run);
	const second = queue.run('n', two.run);
	one.end();
	await first;
	const third = queue.run('n', three.run);
	three.end();
	await turn();
	expect([two.log, three.log]).toEqual([['started'], []]);

	two.end();
	expect(await Promise.all([second, third])).toEqual([2, 3]);
});

test('survives a task that fails, and hands its error on', async () => {
	const queue = new KeyedMutex();
	const failing = queue.run('n', async () => {
		throw new Error('broken');
	});
	const next = queue.run('n', async () => 2);
	await expect(failing).rejects.toThrow('broken');
	expect(await next).toBe(2);
	expect(await queue.run('n', async () => 3)).toBe(3);
});

test('keeps nothing when everything is done', async () => {
	const queue = new KeyedMutex();
	await Promise.all([1, 2, 3].map((value) => queue.run('n', async () => value)));
	await expect(queue.run('m', async () => await Promise.reject(new Error('x')))).rejects.toThrow();
	expect((queue as unknown as { tails: Map<string, unknown> }).tails.size).toBe(0);
});
