import type { IExecuteFunctions } from 'n8n-workflow';
import { logRun } from '../../../../../nodes/BrlPayments/execution/runLog';
import { summarizeRun } from '../../../../../nodes/BrlPayments/execution/runSummary';
import { about, done, failed, type Outcome } from '../../../support/runOutcomes';

/** What n8n keeps for an execution; a retry begins with that of the execution that it retries. */
function counter() {
	const data = new Map<string, string>();
	return {
		run(executionId: string, ...outcomes: Outcome[]): Record<string, string> {
			const context = {
				getWorkflow: () => ({ id: 'w' }),
				getExecutionId: () => executionId,
				getNode: () => ({ name: 'Pay' }),
				logger: { info: vi.fn(), warn: vi.fn() },
				getWorkflowDataProxy: () => ({ $execution: { customData: data } }),
			} as unknown as IExecuteFunctions;
			const facts = about();
			logRun(context, 'withdrawal.create', outcomes, summarizeRun(outcomes, facts), facts);
			return Object.fromEntries(data);
		},
	};
}

test('the rounds of a loop add up', () => {
	const { run } = counter();
	run('1', done());
	expect(run('1', done(), failed('unknown'))).toEqual({
		...{ brlpay_paid: '2', brlpay_in_doubt: '1' },
		...{ brlpay_result: 'in doubt', brlpay_execution: '1' },
	});
});

test('a retry counts for itself', () => {
	const { run } = counter();
	run('1', done(), failed('unknown'));
	expect(run('2', done())).toMatchObject({
		...{ brlpay_paid: '1', brlpay_in_doubt: '0' },
		...{ brlpay_result: 'paid', brlpay_execution: '2' },
	});
});
