import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';

const bench = useBench();

describe('content that changes on every attempt', () => {
	const changing = payEach({}, { description: '=Paid by execution {{ $execution.id }}' });

	it.each(['retry', 'retryAfterKill'] as const)(
		'pays nothing twice: the list shows what was paid (%s)',
		async (again) => {
			const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropAfter' });
			const failed = await bench.run(changing, TWO);
			clear();

			const { error, json } = await bench[again](failed);

			expect(error).toBeUndefined();
			expect(json.map(({ alreadyPaid }) => alreadyPaid)).toEqual([true, true]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);
});
