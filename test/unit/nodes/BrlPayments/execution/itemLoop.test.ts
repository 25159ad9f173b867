import { ApiFailure, type Failure } from '../../../../../nodes/shared/failures/failure';
import { AdaptiveLimiter } from '../../../../../nodes/shared/concurrency/adaptiveLimiter';
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

const oneByOne = () =>
	new AdaptiveLimiter(1, { now: () => 0, nextTurn: async () => await Promise.resolve() });

const getStates = (outcomes: ReadonlyArray<ItemOutcome<unknown>>) =>
	outcomes.map(({ state }) => state);

// The order and the bound of items: test/engine/items/order.test.ts.
describe('runItems', () => {
	test('continues after a failure that concerns its item alone', async () => {
		const outcomes = await runItems(calls(3), oneByOne(), false, async ({ index }) => {
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
			const outcomes = await runItems(items, oneByOne(), keepGoing, async ({ index }) => {
				for (const item of items) item.isCancelled = true;
				return index;
			});

			expect(getStates(outcomes)).toEqual(['done', 'notStarted', 'notStarted']);
		},
	);
});
