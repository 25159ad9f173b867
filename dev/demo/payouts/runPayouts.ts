import { APPROVER, decide, nextQuestion } from './approval';
import { checkPayouts, checkRepetition, type PayoutResult } from './checkPayouts';
import { PAYOUT_EXAMPLE } from '../examples';
import { sentTo } from '../mailbox';
import { getItems, type Execution } from '../../n8n/rest/executionData';
import { readPayouts, REFUSED_ON_PURPOSE, type PayoutRow } from './payoutList';
import type { DemoSession } from '../session';

export interface PayoutRun {
	rows: PayoutRow[];
	results: PayoutResult[];
	/** One sentence for each disagreement between list, workflow and books. */
	faults: string[];
}

/**
 * Runs the payout example twice as "Execute workflow" does, answers both questions that come by
 * e-mail with yes, and compares what was paid with the books.
 *
 * @returns the results of the first run
 */
export async function runPayouts(session: DemoSession): Promise<PayoutRun> {
	const rows = readPayouts();
	const first = await runOnce(session);
	const faults = checkPayouts(
		{ rows, refused: REFUSED_ON_PURPOSE },
		first.results,
		session.sandbox.books.withdrawals,
	);
	if (first.paidUnasked > 0) {
		faults.unshift(`${first.paidUnasked} payouts were made before anyone approved.`);
	}
	const second = await runOnce(session);
	faults.push(
		...checkRepetition(first.results, second.results, session.sandbox.books.withdrawals),
		...first.faults,
		...second.faults,
	);
	return { rows, results: first.results, faults };
}

interface OneRun {
	results: PayoutResult[];
	/** How many payouts the books showed when the question came. */
	paidUnasked: number;
	faults: string[];
}

async function runOnce({ client, mailbox, sandbox, webhookUrl, workflows }: DemoSession) {
	const asked = sentTo(await mailbox.mails(), APPROVER).length;
	const id = await client.runWorkflow(workflows[PAYOUT_EXAMPLE]!, 'When Clicking Execute Workflow');
	const question = await nextQuestion(mailbox, asked);
	const paidUnasked = sandbox.books.withdrawals.length;
	await decide(question, 'Pay', webhookUrl);
	const execution = await client.waitForExecution(id);
	const run: OneRun = { results: getResults(execution), paidUnasked, faults: [] };
	if (execution.status !== 'success') {
		const { error, lastNodeExecuted } = execution.data.resultData;
		run.faults.push(
			`The workflow ended with "${execution.status}" in "${lastNodeExecuted}": ${error?.message}`,
		);
	}
	return run;
}

/** What the payout example reports of each row; empty where it did not come to its report. */
export function getResults(execution: Execution): PayoutResult[] {
	const [report] = getItems(execution, 'Report');
	return (report?.json.rows ?? []) as unknown as PayoutResult[];
}
