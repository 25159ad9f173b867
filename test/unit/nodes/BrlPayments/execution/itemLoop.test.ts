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

const getStates = (outcomes: ReadonlyArray<ItemOutcome<unknown>>) =>
	outcomes.map(({ state }) => state);

describe('runItems', () => {
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
