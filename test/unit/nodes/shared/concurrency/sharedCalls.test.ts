import {
	GroupCommit,
	KeyedMutex,
	RequestCoalescer,
} from '../../../../../nodes/shared/concurrency/sharedCalls';

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
	function open(rest?: () => Promise<void>) {
		const { call, ends } = source();
		const asked: Array<readonly number[]> = [];
		const group = new GroupCommit<number, number>(async (questions) => {
			asked.push(questions);
			await call();
			return questions.map((question) => question * 10);
		}, rest);
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

	test('lets those who ask during the rest after a call share the next one', async () => {
		let wake = () => {};
		const { ask, asked, ends } = open(
			async () => await new Promise<void>((resolve) => (wake = resolve)),
		);
		const first = ask(1);
		await turn();
		ends[0]!();
		await first;
		const others = ask(2, 3);
		await turn();
		expect(asked).toEqual([[1]]);
		wake();
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

describe('RequestCoalescer', () => {
	let readings: RequestCoalescer<number>;

	beforeEach(() => {
		readings = new RequestCoalescer();
	});

	afterEach(() => {
		vi.useRealTimers();
	});

	test('gives who asks while a reading runs the next one, never that which began before', async () => {
		const { call, ends, began } = source();
		const first = readings.get('n', call);
		const others = [1, 2, 3].map(async () => await readings.get('n', call));
		await turn();
		expect(began()).toBe(1);

		ends[0]!();
		expect(await first).toBe(1);
		await turn();
		expect(began()).toBe(2);
		const late = readings.get('n', call);
		ends[1]!();
		expect(await Promise.all(others)).toEqual([2, 2, 2]);
		await turn();
		ends[2]!();
		expect(await late).toBe(3);
	});

	test('lets other names not wait', async () => {
		const { call, ends } = source();
		const both = [readings.get('n', call), readings.get('m', call)];
		ends[1]!();
		expect(await both[1]).toBe(2);
		ends[0]!();
		expect(await both[0]).toBe(1);
	});

	test('hands a failure to all callers that share it, and the next ones get a new reading', async () => {
		const { call, ends } = source();
		const first = readings.get('n', call);
		const others = [readings.get('n', call), readings.get('n', call)];
		ends[0]!(new Error('gone'));
		await expect(first).rejects.toThrow('gone');
		await turn();
		ends[1]!(new Error('still gone'));
		for (const other of others) await expect(other).rejects.toThrow('still gone');

		const last = readings.get('n', call);
		ends[2]!();
		expect(await last).toBe(3);
	});

	test('delays no caller for long by a reading that never ends', async () => {
		vi.useFakeTimers();
		const { call, ends } = source();
		void readings.get('n', call);
		const other = readings.get('n', call);
		await vi.advanceTimersByTimeAsync(1_000);
		ends[1]!();
		expect(await other).toBe(2);

		const last = readings.get('n', call);
		ends[2]!();
		expect(await last).toBe(3);
	});

	test('keeps nothing when everything is done', async () => {
		const read = async () => await Promise.resolve(1);
		await Promise.all([1, 2, 3].map(async () => await readings.get('n', read)));
		await expect(readings.get('m', fail)).rejects.toThrow('broken');
		const { running, next } = readings as unknown as Record<'running' | 'next', Map<string, 1>>;
		expect([running.size, next.size]).toEqual([0, 0]);
	});
});
