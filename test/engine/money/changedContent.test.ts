import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import {
	CONTINUE,
	errorsOf,
	getIds,
	INVOICES,
	lose,
	MINUTE,
	paidBefore,
	payReferenced,
	settleReference,
} from '../support/references';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();

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
			expect(error?.description).toContain('Restore them and retry');
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it.each(['retry', 'retryAfterKill'] as const)(
		'is paid where nothing arrived (%s)',
		async (again) => {
			const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropBefore' });
			const failed = await bench.run(changing, TWO);
			clear();

			const { error } = await bench[again](failed);

			expect(error).toBeUndefined();
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('is shown under a reference, after a person has looked it up', async () => {
		const parameters = payReferenced({}, { description: '=Paid by execution {{ $execution.id }}' });
		const workflow = buildWorkflow({ parameters, ...CONTINUE });
		const clear = lose(bench, 'dropAfter');
		await bench.start(workflow, INVOICES);
		clear();

		const mismatch = await bench.start(workflow, INVOICES);
		bench.clock.advance(5 * MINUTE);
		const doubt = await bench.start(workflow, INVOICES);
		const ids = errorsOf(doubt).map((error) => error?.withdrawalIds?.[0] ?? '');
		await settleReference(bench, 'NF-1', 'paid', ids[0]);
		await settleReference(bench, 'NF-2', 'paid', ids[1]);
		const last = await bench.start(workflow, INVOICES);

		expect(errorsOf(mismatch)).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
		expect(getIds(last)).toEqual(ids);
		expect(paidBefore(last)).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
