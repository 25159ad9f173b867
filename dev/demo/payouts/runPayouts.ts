import { readFile } from 'node:fs/promises';

import { APPROVER, decide, nextQuestion, PAY } from './approval';
import { checkPayouts, checkRepetition, type PayoutResult } from './checkPayouts';
import { PAYOUT_EXAMPLE } from '../examples';
import { sentTo } from '../mailbox';
import { getItems, type Execution } from '../../n8n/rest/executionData';
import { payoutFile, readPayouts, REFUSED_ON_PURPOSE, type PayoutRow } from './payoutList';
import { submitList } from './submitList';
import type { DemoSession } from '../session';

interface PayoutRun {
	rows: PayoutRow[];
	results: PayoutResult[];
	faults: string[];
}

/**
 * Uploads the sample list twice to the form of the payout example, answers the question that comes by e-mail
 * with yes, and compares what was paid with the books. The second run has nothing new to ask about.
 *
 * @returns the results of the first run
 */
export async function runPayouts(session: DemoSession): Promise<PayoutRun> {
	const rows = readPayouts();
	const first = await runOnce(session, true);
	const faults = checkPayouts(
		{ rows, refused: REFUSED_ON_PURPOSE },
		first.results,
		session.sandbox.books.withdrawals,
	);
	if (first.paidUnasked > 0) {
		faults.unshift(`${first.paidUnasked} payouts were made before anyone approved.`);
	}
	const second = await runOnce(session, false);
	faults.push(
		...checkRepetition(first.results, second.results, session.sandbox.books.withdrawals),
		...first.faults,
		...second.faults,
	);
	if (second.questions > 0) faults.push('The second run asked for approval, with nothing new.');
	return { rows, results: first.results, faults };
}

interface OneRun {
	results: PayoutResult[];
	/** How many payouts the books showed when the question came. */
	paidUnasked: number;
	questions: number;
	faults: string[];
}

async function runOnce(
	{ client, mailbox, sandbox, webhookUrl, workflows }: DemoSession,
	isAnswered: boolean,
): Promise<OneRun> {
	const countQuestions = async () => sentTo(await mailbox.mails(), APPROVER).length;
	const asked = await countQuestions();
	const list = new File([await readFile(payoutFile)], 'payouts.csv', { type: 'text/csv' });
	const id = await submitList(client, webhookUrl, workflows[PAYOUT_EXAMPLE]!, list);
	let paidUnasked = 0;
	if (isAnswered) {
		const question = await nextQuestion(mailbox, asked);
		paidUnasked = sandbox.books.withdrawals.length;
		await decide(question, PAY, webhookUrl);
	}
	const execution = await client.waitForExecution(id);
	const questions = (await countQuestions()) - asked;
	const run: OneRun = { results: getResults(execution), paidUnasked, questions, faults: [] };
	if (execution.status !== 'success') {
		const { error, lastNodeExecuted } = execution.data.resultData;
		run.faults.push(
			`The workflow ended with "${execution.status}" in "${lastNodeExecuted}": ${error?.message}`,
		);
	}
	return run;
}

interface CheckedList {
	results: Array<
		Partial<Omit<PayoutResult, 'invoice' | 'result'>> & { invoice?: string | number; state: string }
	>;
}

/** What the payout example has found of each row; empty where it did not come to its check. */
export function getResults(execution: Execution): PayoutResult[] {
	const checked = getItems(execution, 'Checked List').at(-1)?.json as CheckedList | undefined;
	return (checked?.results ?? []).map((row) => ({
		invoice: String(row.invoice ?? ''),
		result: row.state === 'new' ? 'not paid' : row.state,
		reason: row.reason ?? '',
		pixKeyType: row.pixKeyType ?? '',
		withdrawalId: row.withdrawalId ?? '',
	}));
}
