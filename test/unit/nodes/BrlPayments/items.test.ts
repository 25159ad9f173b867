import { Limiter } from '../../../../nodes/shared/concurrency/limiter';
import { runItems } from '../../../../nodes/BrlPayments/items';

// The order of items, and what a failure stops: test/engine/items.
test.each([true, false])(
	'nothing is started after the execution was stopped (Continue On Fail %o)',
	async (keepGoing) => {
		const items = Array.from({ length: 3 }, () => ({ isCancelled: false }));

		const outcomes = await runItems(items, new Limiter(1), keepGoing, async () => {
			for (const item of items) item.isCancelled = true;
			return await Promise.resolve();
		});

		expect(outcomes.map(({ state }) => state)).toEqual(['done', 'notStarted', 'notStarted']);
	},
);
