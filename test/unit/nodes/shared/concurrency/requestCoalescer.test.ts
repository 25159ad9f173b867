import { RequestCoalescer } from '../../../../../nodes/shared/concurrency/sharedCalls';

const turn = async () => await new Promise((resolve) => setImmediate(resolve));

/** Readings that end on demand; each returns the number of those that began. */
function source() {
	const ends: Array<(error?: Error) => void> = [];
	const read = async () => {
		const number = ends.length + 1;
		await new Promise<void>((resolve, reject) => {
			ends.push((error) => (error ? reject(error) : resolve()));
		});
		return number;
	};
	return { read, ends, began: () => ends.length };
}

let readings: RequestCoalescer<number>;

beforeEach(() => {
	readings = new RequestCoalescer();
});

afterEach(() => {
	vi.useRealTimers();
});

test('one after the other each gets a separate reading', async () => {
	const { read, ends } = source();
	for (const number of [1, 2, 3]) {
		const reading = readings.get('n', read);
		ends[number - 1]!();
		expect(await reading).toBe(number);
	}
});

test('a caller that asks while a reading runs gets the next one, never that which began before', async () => {
	const { read, ends, began } = source();
	const first = readings.get('n', read);
	const others = [readings.get('n', read), readings.get('n', read), readings.get('n', read)];
	await turn();
	expect(began()).toBe(1);

	ends[0]!();
	expect(await first).toBe(1);
	await turn();
	expect(began()).toBe(2);
	const late = readings.get('n', read);
	ends[1]!();
	expect(await Promise.all(others)).toEqual([2, 2, 2]);
	await turn();
	ends[2]!();
	expect(await late).toBe(3);
});

test('other names do not wait', async () => {
	const { read, ends } = source();
	const readingsOfBoth = [readings.get('n', read), readings.get('m', read)];
	ends[1]!();
	expect(await readingsOfBoth[1]).toBe(2);
	ends[0]!();
	expect(await readingsOfBoth[0]).toBe(1);
});

test('a failure reaches all callers that share it, and the next ones get a new reading', async () => {
	const { read, ends } = source();
	const first = readings.get('n', read);
	const others = [readings.get('n', read), readings.get('n', read)];
	ends[0]!(new Error('gone'));
	await expect(first).rejects.toThrow('gone');
	await turn();
	ends[1]!(new Error('still gone'));
	for (const other of others) await expect(other).rejects.toThrow('still gone');

	const last = readings.get('n', read);
	ends[2]!();
	expect(await last).toBe(3);
});

test('a reading that never ends delays no caller for long', async () => {
	vi.useFakeTimers();
	const { read, ends } = source();
	void readings.get('n', read);
	const other = readings.get('n', read);
	await vi.advanceTimersByTimeAsync(1_000);
	ends[1]!();
	expect(await other).toBe(2);

	const last = readings.get('n', read);
	ends[2]!();
	expect(await last).toBe(3);
});

test('nothing is kept when everything is done', async () => {
	const read = async () => await Promise.resolve(1);
	await Promise.all([1, 2, 3].map(async () => await readings.get('n', read)));
	const failing = async () => await Promise.reject<number>(new Error('gone'));
	await expect(readings.get('m', failing)).rejects.toThrow('gone');
	const { running, next } = readings as unknown as Record<'running' | 'next', Map<string, unknown>>;
	expect([running.size, next.size]).toEqual([0, 0]);
});
