import { useBench } from '../support/bench';
import { payEach, TWO } from '../support/payouts';

const bench = useBench();

describe('content that changes on every attempt', () => {
	const changing = payEach({}, { description: '=Paid by execution {{ $execution.id }}' });

	it.each(['retry', 'retryAfterKill'] as const)(
		'pays nothing twice and is explained (%s)',
		async (again) => {
			const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropAfter' });
			const failed = await bench.run(changing, TWO);
			clear();

			const { error } = await bench[again](failed);

			expect(bench.paid).toEqual([1001, 2002]);
			expect(error?.name).toBe('NodeApiError');
			expect(error?.httpCode).toBe('409');
			expect(error?.message).toBe(
				'This operation was already sent with other content, and this attempt changed nothing',
			);
			expect(error?.description).toContain('such as a description with the current time, constant');
			expect(error?.description).toContain('IDEMPOTENCY_PAYLOAD_MISMATCH');
			expect(error?.description).not.toContain('Retry this execution');
		},
	);
});
