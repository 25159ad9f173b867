/** Largest Total counts the lost attempt of a reference and its repetition in Retry: twice. */
import { useBench } from '../support/harness';
import { INVOICES, lose, payReferenced } from '../support/references';

const bench = useBench();

it('the retry of an execution whose payout got lost is not over the limit that the first run was within', async () => {
	const limited = payReferenced({ largestTotal: '20,02', whenOverLimit: 'refuseItem' });
	const found = lose(bench, 'dropBefore');
	const failed = await bench.run(limited, [INVOICES[1]!]);
	found();

	const { error } = await bench.retry(failed);

	expect(error?.message).toBeUndefined();
	expect(bench.paid).toEqual([2002]);
});
