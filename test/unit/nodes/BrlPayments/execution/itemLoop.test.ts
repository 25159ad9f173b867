import fc from 'fast-check';
import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import {
	FIRST_LIMIT,
	AdaptiveLimiter,
} from '../../../../../nodes/shared/concurrency/adaptiveLimiter';
import { runItems, type ItemOutcome } from '../../../../../nodes/BrlPayments/execution/itemLoop';

interface FakeCall {
	index: number;
	isCancelled: boolean;
}

const calls = (count: number): FakeCall[] =>
	Array.from({ length: count }, (_, index) => ({ index, isCancelled: false }));

const LOST: Failure = {
	code: 'TIMEOUT',
	message: 'lost',
	description: 'Retry.',
	httpStatus: null,
	retryable: true,
	effect: 'unknown',
};

/** Items start at once: no turn of the event loop is waited for. */
const createLimiter = (most: number) =>
	new AdaptiveLimiter(most, { now: () => 0, nextTurn: async () => await Promise.resolve() });

/** Lets everything that can continue continue. */
const settle = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Items that end when the test says so. */
class Workbench {
	readonly started: number[] = [];
	private readonly endings = new Map<number, (error?: Error) => void>();

	readonly work = async ({ index }: FakeCall): Promise<number> => {
		this.started.push(index);
		await new Promise<void>((resolve, reject) => {
			this.endings.set(index, (error) => (error ? reject(error) : resolve()));
		});
		return index * 10;
	};

	async end(index: number, error?: Error): Promise<void> {
		this.endings.get(index)?.(error);
		await settle();
	}
}

const getStates = (outcomes: ReadonlyArray<ItemOutcome<unknown>>) =>
	outcomes.map(({ state }) => state);

describe('runItems', () => {
	test('starts an item as soon as another one has ended, and never more at a time than allowed', async () => {
		const bench = new Workbench();
		const running = runItems(calls(4), createLimiter(2), false, bench.work);
		await settle();
		expect(bench.started).toEqual([0, 1]);
		await bench.end(1);
		expect(bench.started).toEqual([0, 1, 2]);
		await bench.end(0);
		await bench.end(2);
		await bench.end(3);

		expect(getStates(await running)).toEqual(['done', 'done', 'done', 'done']);
	});

	test('keeps to the bound and runs each item once, however many there are', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 40 }),
				fc.integer({ min: 1, max: FIRST_LIMIT }),
				async (count, concurrency) => {
					let running = 0;
					let most = 0;
					const seen: number[] = [];
					await runItems(calls(count), createLimiter(concurrency), false, async ({ index }) => {
						running += 1;
						most = Math.max(most, running);
						seen.push(index);
						await settle();
						running -= 1;
					});
					expect(most).toBe(Math.min(count, concurrency));
					expect(seen).toEqual(calls(count).map(({ index }) => index));
				},
			),
			{ numRuns: 50 },
		);
	});

	test('continues after a failure that concerns its item alone', async () => {
		const outcomes = await runItems(calls(3), createLimiter(1), false, async ({ index }) => {
			if (index === 0) throw new ApiFailure({ ...LOST, concernsItemOnly: true });
			if (index === 1) throw new ApiFailure(LOST);
			return index;
		});

		expect(getStates(outcomes)).toEqual(['failed', 'failed', 'notStarted']);
	});

	test.each([true, false])(
		'starts nothing after the execution was stopped (Continue On Fail %o)',
		async (keepGoing) => {
			const items = calls(3);
			const outcomes = await runItems(items, createLimiter(1), keepGoing, async ({ index }) => {
				for (const item of items) item.isCancelled = true;
				return index;
			});

			expect(getStates(outcomes)).toEqual(['done', 'notStarted', 'notStarted']);
		},
	);
});
