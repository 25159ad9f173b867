/** The example that pays a spreadsheet after somebody's yes, in a real n8n. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { APPROVER, decisionPage } from '../../../demo/approval';
import { checkPayouts, type PayoutResult } from '../../../demo/checkPayouts';
import { PAYOUT_EXAMPLE } from '../../../demo/examples';
import type { Mail } from '../../../demo/mailbox';
import { filesFolder } from '../../../demo/n8n/environment';
import { itemsOf, type Execution } from '../../../demo/n8n/executionData';
import { waitFor } from '../../../demo/n8n/waitFor';
import { readPayouts, REFUSED_ON_PURPOSE } from '../../../demo/payoutList';
import { errorOf, MINUTE_MS, useExampleWorld } from './exampleWorld';

const REPORTS = 'payouts@example.com';

const world = useExampleWorld();

interface Asked {
	executionId: string;
	question: Mail;
}

/** Starts the workflow and waits for the question in the mailbox. */
async function startAndAsk(): Promise<Asked> {
	const known = await world.countMailsTo(APPROVER);
	const executionId = await world.client.runWorkflow(
		world.workflows[PAYOUT_EXAMPLE]!,
		'When Clicking Execute Workflow',
	);
	return { executionId, question: await world.question(known) };
}

/** Starts it where nothing can be paid, so that nobody is asked. */
async function runUnasked(): Promise<Execution> {
	return await world.runExample(PAYOUT_EXAMPLE, 'When Clicking Execute Workflow');
}

async function answer({ executionId, question }: Asked, decision: string): Promise<Execution> {
	await world.answer(question, decision);
	const execution = await world.client.waitForExecution(executionId);
	expect(errorOf(execution)).toBeUndefined();
	return execution;
}

const resultsOf = (execution: Execution) =>
	itemsOf(execution, 'Result').map(({ json }) => json as unknown as PayoutResult);

const summarise = (execution: Execution) =>
	resultsOf(execution).map(({ invoice, result }) => `${invoice} ${result}`);

/** Puts a list in place of the one that the demo has: invoice, PIX key and amount of each row. */
async function writeList(...rows: Array<[string, string, string]>): Promise<void> {
	const lines = rows.map(([invoice, pixKey, amount]) =>
		[invoice, 'Ana Souza', '', pixKey, amount, 'Lunch'].join(';'),
	);
	await writeFile(
		join(filesFolder(world.n8n.userFolder), 'payouts.csv'),
		['invoice;name;document;pixKey;amount;description', ...lines].join('\n'),
	);
}

const HOUR_MS = 60 * MINUTE_MS;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Puts a payout into the table, as an earlier run has left it. */
async function remember(invoice: string, result: string, retrySafeUntil: string): Promise<void> {
	await world.addTableRow('Payouts', { invoice, result, retrySafeUntil });
}

/** What the table says of an invoice: nothing, or its one row. */
async function remembered(invoice: string): Promise<IDataObject | undefined> {
	const rows = (await world.tableRows('Payouts')).filter((row) => row.invoice === invoice);
	expect(rows.length).toBeLessThanOrEqual(1);
	return rows[0];
}

/** Loses every answer about payouts to Ana, after they were booked. */
function loseAnswers(): () => void {
	return world.sandbox.faults.add({
		kind: 'dropAfter',
		method: 'POST',
		path: '/v1/withdrawals',
		times: Infinity,
		when: ({ rawBody }) => rawBody.includes('ana@payee.example'),
	});
}

const bookedKeys = () => world.sandbox.books.withdrawals.map(({ pixKey }) => pixKey).sort();

it('asks first, then pays each row once, refuses the two bad ones and reports all', async () => {
	const asked = await startAndAsk();
	expect(asked.question.subject).toContain('Payouts to approve: 18,');
	for (const word of ['NF-1001', 'NF-1006', 'NF-1020', 'WITHDRAWAL_BELOW_MINIMUM']) {
		expect(asked.question.html).toContain(word);
	}
	// What a mail scanner does: it follows the link and sends nothing.
	expect(new URL(decisionPage(asked.question)).origin).toBe(world.n8n.url);
	const page = await waitFor(
		async () => {
			const response = await fetch(decisionPage(asked.question));
			const text = await response.text();
			return response.status === 200 && text;
		},
		{ what: 'the page with the question', timeoutMs: 15_000 },
	);
	expect(page).toContain('Do not pay');
	expect(world.sandbox.books.withdrawals).toHaveLength(0);

	const execution = await answer(asked, 'Pay');
	const faults = checkPayouts(
		{ rows: readPayouts(), refused: REFUSED_ON_PURPOSE },
		resultsOf(execution),
		world.sandbox.books.withdrawals,
	);
	expect(faults).toEqual([]);
	const [report] = await world.mailsTo(REPORTS, 1);
	expect(report!.subject).toBe('Payouts: 18 of 20 paid');
	for (const { invoice } of readPayouts()) expect(report!.text).toContain(invoice);
	const rows = await world.tableRows('Payouts');
	expect(rows.map(({ result }) => result)).toEqual(Array<string>(18).fill('paid'));
	expect(rows.map(({ invoice }) => invoice)).not.toContain('NF-1006');
});

it('started again with the same list, asks nobody and pays nobody', async () => {
	const known = await world.countMailsTo(APPROVER);
	const execution = await runUnasked();
	expect(errorOf(execution)).toBeUndefined();
	const results = resultsOf(execution);
	expect(results).toHaveLength(20);
	expect(results.map(({ result }) => result)).toEqual(Array<string>(20).fill('refused'));
	expect(results.filter(({ reason }) => reason.includes('in the table Payouts'))).toHaveLength(18);
	expect(await world.countMailsTo(APPROVER)).toBe(known);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('pays nobody when the answer is no', async () => {
	await writeList(['NO-1', 'ana@payee.example', '25,00'], ['NO-2', 'bia@payee.example', '30,00']);
	const execution = await answer(await startAndAsk(), 'Do not pay');
	expect(summarise(execution)).toEqual(['NO-1 not paid', 'NO-2 not paid']);
	expect(resultsOf(execution)[0]!.reason).toBe('Declined by Joana');
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
	expect(await remembered('NO-1')).toBeUndefined();
});

it('pays once what two executions ask for and both are approved', async () => {
	await writeList(['TW-1', 'ana@payee.example', '25,00'], ['TW-2', 'bia@payee.example', '30,00']);
	const first = await startAndAsk();
	const second = await startAndAsk();
	expect(summarise(await answer(first, 'Pay'))).toEqual(['TW-1 paid', 'TW-2 paid']);
	expect(summarise(await answer(second, 'Pay'))).toEqual(['TW-1 paid', 'TW-2 paid']);
	expect(bookedKeys()).toEqual(['ana@payee.example', 'bia@payee.example']);
});

it('pays what was shown, even if the file changes before the answer', async () => {
	await writeList(['CH-1', 'ana@payee.example', '25,00'], ['CH-2', 'bia@payee.example', '30,00']);
	const asked = await startAndAsk();
	await writeList(['CH-1', 'thief@payee.example', '9000,00']);
	expect(summarise(await answer(asked, 'Pay'))).toEqual(['CH-1 paid', 'CH-2 paid']);
	expect(bookedKeys()).toEqual(['ana@payee.example', 'bia@payee.example']);
});

it('refuses rows without an invoice number, and numbers that are in the list twice', async () => {
	await writeList(
		['IN-1', 'ana@payee.example', '25,00'],
		['', 'bia@payee.example', '30,00'],
		['IN-2', 'caio@payee.example', '35,00'],
		[' IN-2', 'davi@payee.example', '40,00'],
	);
	const execution = await answer(await startAndAsk(), 'Pay');
	expect(resultsOf(execution).map(({ result, reason }) => [result, reason])).toEqual([
		['paid', ''],
		['refused', 'The row has no invoice number'],
		['refused', 'This invoice number is in the list more than once'],
		['refused', 'This invoice number is in the list more than once'],
	]);
	expect(bookedKeys()).toEqual(['ana@payee.example']);
});

it('names the invoice that a doubled row repeats', async () => {
	await writeList(
		['', 'ana@payee.example', '25,00'],
		['DU-1', 'ana@payee.example', '25,00'],
		['DU-2', 'ana@payee.example', '25,00'],
	);
	const asked = await startAndAsk();
	expect(asked.question.html).toContain('Same PIX key and amount as DU-1.');
	expect(summarise(await answer(asked, 'Pay'))).toEqual([' refused', 'DU-1 paid', 'DU-2 refused']);
	expect(bookedKeys()).toEqual(['ana@payee.example']);
});

it('goes on after a refusal by the service, tells reason and remedy, and may pay it later', async () => {
	await writeList(['BL-1', 'ana@payee.example', '25,00'], ['BL-2', 'bia@payee.example', '30,00']);
	world.sandbox.account.blocklist = ['ana@payee.example'];
	const execution = await answer(await startAndAsk(), 'Pay');
	expect(summarise(execution)).toEqual(['BL-1 refused', 'BL-2 paid']);
	expect(resultsOf(execution)[0]!.reason).toMatch(/^BLOCKLIST_DENIED: .+\. .+\./);
	expect(bookedKeys()).toEqual(['bia@payee.example']);
	expect(await remembered('BL-1')).toMatchObject({ result: 'refused' });
	const again = await startAndAsk();
	expect(again.question.subject).toContain('Payouts to approve: 1,');
	await answer(again, 'Do not pay');
});

it('calls a payout that the bank refuses failed, which does not keep it from being paid', async () => {
	await writeList(['FA-1', 'ana@payee.example', '25,00'], ['FA-2', 'bia@payee.example', '30,00']);
	world.sandbox.account.withdrawalOutcome = 'FAILED';
	const execution = await answer(await startAndAsk(), 'Pay');
	expect(summarise(execution)).toEqual(['FA-1 failed', 'FA-2 failed']);
	expect(await remembered('FA-1')).toMatchObject({ result: 'failed' });
	const again = await startAndAsk();
	expect(again.question.subject).toContain('Payouts to approve: 2,');
	await answer(again, 'Do not pay');
});

it('says when it is not known, and finds the first payout when it is started again', async () => {
	await writeList(['UN-1', 'ana@payee.example', '25,00'], ['UN-2', 'bia@payee.example', '30,00']);
	const findAnswers = loseAnswers();
	const first = await answer(await startAndAsk(), 'Pay');
	expect(summarise(first)).toEqual(['UN-1 not known', 'UN-2 paid']);
	expect(resultsOf(first)[0]!.reason).toContain('Start this workflow again before');

	findAnswers();
	const asked = await startAndAsk();
	expect(asked.question.subject).toContain('Payouts to approve: 1,');
	expect(summarise(await answer(asked, 'Pay'))).toEqual(['UN-1 paid', 'UN-2 refused']);
	expect(bookedKeys()).toEqual(['ana@payee.example', 'bia@payee.example']);
});

/** Approves the list, and kills n8n as soon as the first payout is booked. */
async function killWhilePaying(): Promise<Execution> {
	world.sandbox.faults.add({
		kind: 'lateAnswer',
		ms: 10 * MINUTE_MS,
		method: 'POST',
		path: '/v1/withdrawals',
		times: Infinity,
	});
	const { executionId, question } = await startAndAsk();
	await world.answer(question, 'Pay');
	await waitFor(() => world.sandbox.books.withdrawals.length > 0, {
		what: 'the first payout',
		timeoutMs: 30_000,
	});
	await world.crashAndRestart();
	const crashed = await world.client.waitForExecution(executionId);
	expect(crashed.status).toBe('crashed');
	world.sandbox.faults.clear();
	return crashed;
}

it('writes every row down before it pays, so that nothing is paid twice after a crash', async () => {
	await writeList(['KI-1', 'ana@payee.example', '25,00'], ['KI-2', 'bia@payee.example', '30,00']);
	await killWhilePaying();
	for (const invoice of ['KI-1', 'KI-2']) {
		expect(await remembered(invoice)).toMatchObject({ result: 'not known' });
	}
	expect(summarise(await answer(await startAndAsk(), 'Pay'))).toEqual(['KI-1 paid', 'KI-2 paid']);
	expect(bookedKeys()).toEqual(['ana@payee.example', 'bia@payee.example']);
});

it('pays each once also when the crashed execution is retried', async () => {
	await writeList(['RT-1', 'ana@payee.example', '25,00'], ['RT-2', 'bia@payee.example', '30,00']);
	const retried = await world.client.retryExecution(await killWhilePaying());
	console.log(
		JSON.stringify({
			status: retried.status,
			last: retried.data.resultData.lastNodeExecuted,
			error: retried.data.resultData.error?.message,
			nodes: Object.keys(retried.data.resultData.runData),
		}),
	);
	expect(errorOf(retried)).toBeUndefined();
	expect(summarise(retried)).toEqual(['RT-1 paid', 'RT-2 paid']);
	expect(bookedKeys()).toEqual(['ana@payee.example', 'bia@payee.example']);
	for (const invoice of ['RT-1', 'RT-2']) {
		expect(await remembered(invoice)).toMatchObject({ result: 'paid' });
	}
});

it('does not pay what is not known and can no longer be asked again, and says what to do', async () => {
	await writeList(['OL-1', 'ana@payee.example', '25,00'], ['OL-2', 'bia@payee.example', '30,00']);
	await remember('OL-1', 'not known', hoursFromNow(-1));
	await remember('OL-2', 'not known', '');
	const known = await world.countMailsTo(APPROVER);
	const execution = await runUnasked();
	expect(summarise(execution)).toEqual(['OL-1 refused', 'OL-2 refused']);
	for (const { reason } of resultsOf(execution)) {
		expect(reason).toContain('Look for it with Withdrawal > Get Many.');
		expect(reason).toContain('delete its row in the table Payouts');
	}
	expect(await world.countMailsTo(APPROVER)).toBe(known);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
	expect(await remembered('OL-1')).toMatchObject({ result: 'not known' });
});

it('never moves the moment until which it may be asked again', async () => {
	const firstUse = hoursFromNow(2);
	await writeList(['MO-1', 'ana@payee.example', '25,00']);
	await remember('MO-1', 'not known', firstUse);
	loseAnswers();
	expect(summarise(await answer(await startAndAsk(), 'Pay'))).toEqual(['MO-1 not known']);
	expect(await remembered('MO-1')).toMatchObject({
		result: 'not known',
		retrySafeUntil: firstUse,
	});
	expect(bookedKeys()).toEqual(['ana@payee.example']);
});

it('counts from anew when a number that was refused is no longer known to the service', async () => {
	await writeList(['AN-1', 'ana@payee.example', '25,00']);
	await remember('AN-1', 'refused', hoursFromNow(-2));
	loseAnswers();
	expect(summarise(await answer(await startAndAsk(), 'Pay'))).toEqual(['AN-1 not known']);
	const row = await remembered('AN-1');
	expect(row).toMatchObject({ result: 'not known' });
	expect(Date.parse(row!.retrySafeUntil as string)).toBeGreaterThan(Date.now() + 20 * HOUR_MS);
});

it('leaves out what another run has sent too long ago when the answer comes', async () => {
	await writeList(['LA-1', 'ana@payee.example', '25,00'], ['LA-2', 'bia@payee.example', '30,00']);
	const asked = await startAndAsk();
	await remember('LA-1', 'paid', hoursFromNow(-1));
	const execution = await answer(asked, 'Pay');
	expect(summarise(execution)).toEqual(['LA-1 refused', 'LA-2 paid']);
	expect(bookedKeys()).toEqual(['bia@payee.example']);
	expect(await remembered('LA-1')).toMatchObject({ result: 'paid' });
});

it('reports also when all of it is left out', async () => {
	const known = await world.countMailsTo(REPORTS);
	await writeList(['AL-1', 'ana@payee.example', '25,00']);
	const asked = await startAndAsk();
	await remember('AL-1', 'not known', hoursFromNow(-1));
	expect(summarise(await answer(asked, 'Pay'))).toEqual(['AL-1 refused']);
	const [report] = (await world.mailsTo(REPORTS, known + 1)).slice(known);
	expect(report!.text).toContain('Start the workflow again: it says what to do');
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('does not call refused what an earlier run may have paid', async () => {
	await writeList(['RE-1', 'ana@payee.example', '25,00']);
	await remember('RE-1', 'not known', hoursFromNow(2));
	world.sandbox.account.blocklist = ['ana@payee.example'];
	const execution = await answer(await startAndAsk(), 'Pay');
	expect(summarise(execution)).toEqual(['RE-1 not known']);
	expect(resultsOf(execution)[0]!.reason).toContain('an earlier attempt may have paid it');
	expect(await remembered('RE-1')).toMatchObject({ result: 'not known' });
});
