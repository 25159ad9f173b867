import { readFile } from 'node:fs/promises';

import { submitForm } from '../../n8n/editor/form';
import { getItems, type Execution } from '../../n8n/rest/executionData';
import { formUrl } from '../addresses';
import { PAYOUT_EXAMPLE } from '../examples';
import { sentTo } from '../mailbox';
import type { DemoSession } from '../session';
import { APPROVER, decide, nextQuestion, PAY } from './approval';
import { checkPayouts, type PayoutResult } from './checkPayouts';
import { payoutFile } from './payoutList';

interface PayoutRun {
	results: PayoutResult[];
	/** One sentence for each thing that is not as expected. */
	faults: string[];
}

/**
 * Uploads the sample list twice to the form of the payout example, answers the question that comes by e-mail
 * with yes, and compares what was paid with the books. The second run has nothing new to ask about.
 *
 * @returns the results of the first run
 */
export async function runPayouts({
	client,
	mailbox,
	sandbox,
	webhookUrl,
	workflows,
}: DemoSession): Promise<PayoutRun> {
	const { withdrawals } = sandbox.books;
	const faults: string[] = [];
	const upload = async (): Promise<string> => {
		const list = new File([await readFile(payoutFile)], 'payouts.csv', { type: 'text/csv' });
		const form = await formUrl(PAYOUT_EXAMPLE, webhookUrl);
		const submit = async () => await submitForm(form, [list]);
		return await client.executionOf(workflows[PAYOUT_EXAMPLE]!, submit);
	};
	const finish = async (id: string, paidAs: 'paid' | 'paid before'): Promise<PayoutResult[]> => {
		const execution = await client.waitForExecution(id);
		if (execution.status !== 'success') {
			const { error, lastNodeExecuted } = execution.data.resultData;
			faults.push(
				`The workflow ended with "${execution.status}" in "${lastNodeExecuted}": ${error?.message}`,
			);
		}
		const results = getResults(execution);
		faults.push(...checkPayouts(paidAs, results, withdrawals));
		return results;
	};

	const first = await upload();
	const question = await nextQuestion(mailbox, 0);
	if (withdrawals.length > 0) faults.push('Payouts were made before anyone approved.');
	await decide(question, PAY, webhookUrl);
	const results = await finish(first, 'paid');

	await finish(await upload(), 'paid before');
	if (sentTo(await mailbox.mails(), APPROVER).length > 1) {
		faults.push('The second run asked for approval, with nothing new.');
	}
	return { results, faults };
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
		withdrawalId: row.withdrawalId ?? '',
	}));
}
