import type { IExecuteFunctions } from 'n8n-workflow';
import { addRun, countPayouts } from '../../../../../nodes/BrlPayments/execution/runLog';
import type { ItemState } from '../../../../../nodes/BrlPayments/execution/runSummary';

/** What n8n keeps for an execution; a retry begins with that of the execution that it retries. */
function execution() {
	const data = new Map<string, string>();
	const memory = {};
	return {
		run(executionId: string, runIndex: number, ...states: ItemState[]): Record<string, string> {
			const context = {
				getExecutionId: () => executionId,
				getNode: () => ({ id: 'node' }),
				getContext: () => memory,
				evaluateExpression: () => runIndex,
				getWorkflowDataProxy: () => ({ $execution: { customData: data } }),
			} as unknown as IExecuteFunctions;
			countPayouts(context, states);
			return Object.fromEntries(data);
		},
	};
}

test('the rounds of a loop add up', () => {
	const { run } = execution();
	run('1', 0, 'done');
	run('1', 1, 'done');
	expect(run('1', 2, 'done', 'unknown')).toEqual({
		...{ brlpay_paid: '3', brlpay_in_doubt: '1' },
		...{ brlpay_result: 'in doubt', brlpay_execution: '1' },
	});
});

test('the tries of Retry On Fail count once', () => {
	const { run } = execution();
	run('1', 0, 'done', 'unknown', 'notStarted');
	expect(run('1', 0, 'paidBefore', 'done', 'done')).toEqual({
		...{ brlpay_paid: '3', brlpay_in_doubt: '0', brlpay_not_started: '0' },
		...{ brlpay_result: 'paid', brlpay_execution: '1' },
	});
});

test('a retry counts for itself', () => {
	const { run } = execution();
	run('1', 0, 'done', 'unknown');
	expect(run('2', 0, 'done')).toMatchObject({
		...{ brlpay_paid: '1', brlpay_in_doubt: '0' },
		...{ brlpay_result: 'paid', brlpay_execution: '2' },
	});
});

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
