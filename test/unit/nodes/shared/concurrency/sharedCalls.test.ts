import { GroupCommit, KeyedMutex } from '../../../../../nodes/shared/concurrency/sharedCalls';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));
const fail = async () => await Promise.reject<number>(new Error('broken'));

/** Calls that end on demand; each returns its number. */
function source() {
	const ends: Array<(error?: Error) => void> = [];
	const call = async () => {
		const number = ends.length + 1;
		await new Promise<void>((resolve, reject) => {
			ends.push((error) => (error ? reject(error) : resolve()));
		});
		return number;
	};
	return { call, ends, began: () => ends.length };
}

describe('KeyedMutex', () => {
	test('runs one task at a time for each name, in order', async () => {
		const queue = new KeyedMutex();
		const [mine, other] = [source(), source()];
		const results = [queue.run('n', mine.call), queue.run('n', mine.call)];
		const elsewhere = queue.run('m', other.call);
		await turn();
		expect([mine.began(), other.began()]).toEqual([1, 1]);

		mine.ends[0]!();
		expect(await results[0]).toBe(1);
		// It comes while the second one runs, though the first is done.
		const third = queue.run('n', mine.call);
		await turn();
		expect(mine.began()).toBe(2);

		mine.ends[1]!();
		await turn();
		mine.ends[2]!();
		other.ends[0]!();
		expect(await Promise.all([results[1], third, elsewhere])).toEqual([2, 3, 1]);
	});

	test('survives a task that fails, hands its error on, and keeps nothing', async () => {
		const queue = new KeyedMutex();
		const failing = queue.run('n', fail);
		const next = queue.run('n', async () => await Promise.resolve(2));

		await expect(failing).rejects.toThrow('broken');
		expect(await next).toBe(2);
		expect((queue as unknown as { tails: Map<string, unknown> }).tails.size).toBe(0);
	});
});

describe('GroupCommit', () => {
	/** Answers with ten times the question when the test says so. */
	function open() {
		const { call, ends } = source();
		const asked: Array<readonly number[]> = [];
		const group = new GroupCommit<number, number>(async (questions) => {
			asked.push(questions);
			await call();
			return questions.map((question) => question * 10);
		});
		const ask = async (...questions: number[]) =>
			await Promise.all(questions.map(async (each) => await group.ask(each)));
		return { ask, asked, ends };
	}

	test('lets those who ask during a call share the next one', async () => {
		const { ask, asked, ends } = open();
		const first = ask(1);
		await turn();
		const others = ask(2, 3);
		await turn();
		expect(asked).toEqual([[1]]);
		ends[0]!();
		expect(await first).toEqual([10]);
		await turn();
		ends[1]!();

		expect(await others).toEqual([20, 30]);
		expect(asked).toEqual([[1], [2, 3]]);
	});

	test('fails only those who share the call that fails', async () => {
		const { ask, ends } = open();
		const failed = [ask(1), ask(2)];
		await turn();
		const later = ask(3);
		ends[0]!(new Error('the store is gone'));
		for (const one of failed) await expect(one).rejects.toThrow('the store is gone');
		await turn();
		ends[1]!();

		expect(await later).toEqual([30]);
	});
});
