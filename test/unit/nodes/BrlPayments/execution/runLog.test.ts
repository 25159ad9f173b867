import type { IExecuteFunctions } from 'n8n-workflow';
import { addRun, countPayouts } from '../../../../../nodes/BrlPayments/execution/runLog';
import type { ItemState } from '../../../../../nodes/BrlPayments/execution/runSummary';

test.each<[string, ItemState, ItemState, string]>([
	['paid by an earlier try stays paid', 'done', 'paidBefore', 'd'],
	['paid by an earlier try, whose state cannot be read', 'done', 'recorded', 'd'],
	['paid by an earlier try and refused by the bank', 'done', 'failed', 'r'],
	['in doubt, and not started again', 'unknown', 'notStartedAgain', 'u'],
	['in doubt, and found paid', 'unknown', 'paidBefore', 'b'],
	['refused, and paid by a later try', 'failed', 'done', 'd'],
])('%s', (_, earlier, now, letter) => {
	const first = addRun(undefined, 'node 0', [earlier]);
	expect(addRun(first, 'node 0', [now])).toEqual({ before: {}, run: 'node 0', items: letter });
});

test('what cannot be counted costs no output', () => {
	const context = {
		getWorkflowDataProxy: () => {
			throw new Error('not here');
		},
	} as unknown as IExecuteFunctions;
	expect(() => countPayouts(context, ['done'])).not.toThrow();
});
