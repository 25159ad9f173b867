import { checkPayouts, type PayoutResult } from './check';
import { PAYOUT_EXAMPLE } from './examples';
import { itemsOf } from './n8n/executionData';
import { readPayouts, REFUSED_ON_PURPOSE, type PayoutRow } from './payoutList';
import type { DemoSession } from './session';

export interface PayoutRun {
	rows: PayoutRow[];
	results: PayoutResult[];
	/** One sentence for each disagreement between list, workflow and books. */
	faults: string[];
}

/** Runs the payout example as "Execute workflow" does, and compares it with the books. */
export async function runPayouts(session: DemoSession): Promise<PayoutRun> {
	const rows = readPayouts();
	const workflowId = session.workflows[PAYOUT_EXAMPLE]!;
	const execution = await session.client.runToEnd(workflowId, 'When Clicking Execute Workflow');
	const results = itemsOf(execution, 'Result').map(({ json }) => json as unknown as PayoutResult);
	const faults = checkPayouts(
		{ rows, refused: REFUSED_ON_PURPOSE },
		results,
		session.sandbox.books.withdrawals,
	);
	if (execution.status !== 'success') {
		const { error, lastNodeExecuted } = execution.data.resultData;
		faults.unshift(
			`The workflow ended with "${execution.status}" in "${lastNodeExecuted}": ${error?.message}`,
		);
	}
	return { rows, results, faults };
}
