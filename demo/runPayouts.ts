import { APPROVER, decide, nextQuestion } from './approval';
import { checkPayouts, type PayoutResult } from './checkPayouts';
import { PAYOUT_EXAMPLE } from './examples';
import { sentTo } from './mailbox';
import { itemsOf } from './n8n/executionData';
import { readPayouts, REFUSED_ON_PURPOSE, type PayoutRow } from './payoutList';
import type { DemoSession } from './session';

export interface PayoutRun {
	rows: PayoutRow[];
	results: PayoutResult[];
	/** One sentence for each disagreement between list, workflow and books. */
	faults: string[];
}

/**
 * Runs the payout example as "Execute workflow" does, answers the question that comes by e-mail with
 * yes, and compares what was paid with the books.
 */
export async function runPayouts(session: DemoSession): Promise<PayoutRun> {
	const { client, mailbox, sandbox, webhookUrl } = session;
	const rows = readPayouts();
	const asked = sentTo(await mailbox.mails(), APPROVER).length;
	const id = await client.runWorkflow(
		session.workflows[PAYOUT_EXAMPLE]!,
		'When Clicking Execute Workflow',
	);
	const question = await nextQuestion(mailbox, asked);
	const paidUnasked = sandbox.books.withdrawals.length;
	await decide(question, 'Pay', webhookUrl);
	const execution = await client.waitForExecution(id);

	const results = itemsOf(execution, 'Result').map(({ json }) => json as unknown as PayoutResult);
	const faults = checkPayouts(
		{ rows, refused: REFUSED_ON_PURPOSE },
		results,
		sandbox.books.withdrawals,
	);
	if (paidUnasked > 0) faults.unshift(`${paidUnasked} payouts were made before anybody approved.`);
	if (execution.status !== 'success') {
		const { error, lastNodeExecuted } = execution.data.resultData;
		faults.unshift(
			`The workflow ended with "${execution.status}" in "${lastNodeExecuted}": ${error?.message}`,
		);
	}
	return { rows, results, faults };
}
