import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CPF } from '../support/values';
import type { NodeExtras } from '../support/workflow';

const bench = useBench();
const THREE = [...TWO, { amount: 30.03, pixKey: CPF }];

/** Runs three payouts one by one, and stops the execution while item 1 is at the server. */
const stoppedAtItem1 = async (extras: NodeExtras = {}) => {
	let stop: () => void = () => undefined;
	bench.sandbox.faults.add({
		kind: 'delay',
		ms: 60_000,
		when: ({ rawBody }) => {
			const isItem1 = rawBody.includes('20.02');
			if (isItem1) setImmediate(stop);
			return isItem1;
		},
	});
	return await bench.run(payEach({ maxConcurrency: 1 }), THREE, {
		extras,
		onStart: (cancel) => (stop = cancel),
	});
};

describe('an execution that is stopped', () => {
	it.each<[string, NodeExtras]>([
		['without Continue On Fail', {}],
		['with Continue On Fail', { onError: 'continueRegularOutput' }],
	])('starts no further item %s', async (_name, extras) => {
		const stopped = await stoppedAtItem1(extras);
		bench.clock.advance(60_000);
		await bench.answered();

		expect(stopped.run.status).toBe('canceled');
		expect(bench.requests()).toHaveLength(2);
	});

	it('pays each item once when it is retried', async () => {
		const stopped = await stoppedAtItem1();
		bench.clock.advance(60_000);
		await bench.answered();

		const again = await bench.retry(stopped);

		bench.expectPaid([1001, 2002, 3003], again);
	});

	it('does not wait out a pause', async () => {
		bench.sandbox.faults.add({ kind: 'dropBefore', times: Infinity });
		let stop: () => void = () => undefined;
		bench.sandbox.faults.add({
			kind: 'delay',
			ms: 0,
			times: Infinity,
			when: () => {
				if (bench.requests().length === 2) stop();
				return false;
			},
		});

		const stopped = await bench.run(payEach({ maxConcurrency: 1 }), TWO, {
			onStart: (cancel) => (stop = cancel),
		});

		expect(stopped.run.status).toBe('canceled');
		expect(bench.requests()).toHaveLength(2);
	});
});
