import { payEach, TWO } from '../support/payouts';
import { CONTINUE, INVOICES, MINUTE, payReferenced, usePayouts } from '../support/references';
import { buildWorkflow } from '../support/workflow';

const bench = usePayouts();

describe('content that changes on every attempt', () => {
	const changing = payEach({}, { description: '=Paid by execution {{ $execution.id }}' });

	it.each(['retry', 'retryAfterKill'] as const)(
		'pays nothing twice, and does not say that nothing took effect (%s)',
		async (again) => {
			const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropAfter' });
			const failed = await bench.run(changing, TWO);
			clear();

			const { error, json } = await bench[again](failed);

			expect(json).toEqual([]);
			expect(error?.description).toContain('2 with unknown outcome');
			expect(error?.description).toContain('Restore the earlier values and retry');
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each(['retry', 'retryAfterKill'] as const)(
		'is paid where nothing arrived (%s)',
		async (again) => {
			const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropBefore' });
			const failed = await bench.run(changing, TWO);
			clear();

			const retried = await bench[again](failed);

			bench.expectPaid([1001, 2002], retried);
		},
	);

	it('is shown under a reference, after a person has looked it up', async () => {
		const parameters = payReferenced({}, { description: '=Paid by execution {{ $execution.id }}' });
		const workflow = buildWorkflow({ parameters, ...CONTINUE });
		await bench.start(workflow, INVOICES, { lost: 'dropAfter' });

		const mismatch = await bench.start(workflow, INVOICES);
		bench.clock.advance(5 * MINUTE);
		const doubt = await bench.start(workflow, INVOICES);
		const ids = doubt.errors.map((error) => error?.withdrawalIds?.[0] ?? '');
		await bench.settle('NF-1', 'paid', ids[0]);
		await bench.settle('NF-2', 'paid', ids[1]);
		const last = await bench.start(workflow, INVOICES);

		expect(mismatch.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
		expect(last.ids).toEqual(ids);
		expect(last.paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
