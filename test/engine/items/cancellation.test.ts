import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CPF } from '../support/values';

const bench = useBench();
const ONE_BY_ONE = payEach({ maxConcurrency: 1 });
const THREE = [...TWO, { amount: 30.03, pixKey: CPF }];

describe('an execution that is stopped', () => {
	it('pays each item once when it is retried', async () => {
		const stopped = await bench.runStopped('20.02', ONE_BY_ONE, THREE);

		const again = await bench.retry(stopped);

		bench.expectPaid([1001, 2002, 3003], again);
	});

	it('does not wait out a pause', async () => {
		let stop: () => void = () => undefined;
		bench.lose('dropBefore', () => {
			if (bench.requests().length === 2) stop();
			return true;
		});

		const stopped = await bench.run(ONE_BY_ONE, TWO, { onStart: (cancel) => (stop = cancel) });

		expect(stopped.run.status).toBe('canceled');
		expect(bench.requests()).toHaveLength(2);
	});
});
