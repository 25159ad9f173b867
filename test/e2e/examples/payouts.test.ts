/** The example that pays a spreadsheet after an approval, in a real n8n. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { APPROVER, decisionPage, PAY } from '../../../dev/demo/payouts/approval';
import { checkPayouts, checkRepetition } from '../../../dev/demo/payouts/checkPayouts';
import { PAYOUT_EXAMPLE, readExample } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { getItems, type Execution } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { readPayouts, REFUSED_ON_PURPOSE } from '../../../dev/demo/payouts/payoutList';
import { getResults } from '../../../dev/demo/payouts/runPayouts';
import { loseAnswers } from '../support/payouts';
import { getError, useExampleWorld } from './exampleWorld';

const REPORTS = 'payouts@example.com';
const START = 'When Clicking Execute Workflow';
const ANA = 'ana@payee.example';
const BIA = 'bia@payee.example';

const world = useExampleWorld();

interface Asked {
	executionId: string;
	question: Mail;
}

/** Starts the workflow and waits for the question in the mailbox. */
async function startAndAsk(): Promise<Asked> {
	const known = await world.countMailsTo(APPROVER);
	const executionId = await world.client.runWorkflow(world.workflows[PAYOUT_EXAMPLE]!, START);
	return { executionId, question: await world.question(known) };
}

async function answer({ executionId, question }: Asked, decision: string): Promise<Execution> {
	await world.answer(question, decision);
	const execution = await world.client.waitForExecution(executionId);
	expect(getError(execution)).toBeUndefined();
	return execution;
}

/** Runs the workflow from its start to its report, with an approver who says yes. */
async function payAll(): Promise<Execution> {
	return await answer(await startAndAsk(), PAY);
}

interface Unasked {
	execution: Execution;
	report: Mail;
}

/** Runs it where nothing is to be paid: no one is asked, and the report is still sent. */
async function runUnasked(): Promise<Unasked> {
	const questions = await world.countMailsTo(APPROVER);
	const [report, execution] = await world.nextMail(
		REPORTS,
		async () => await world.runExample(PAYOUT_EXAMPLE, START),
	);
	expect(getError(execution)).toBeUndefined();
	expect(await world.countMailsTo(APPROVER)).toBe(questions);
	return { execution, report };
}

/** The report that was sent last. */
async function lastReport(): Promise<Mail> {
	return (await world.mailsTo(REPORTS, 1)).at(-1)!;
}

const summarize = (execution: Execution) =>
	getResults(execution).map(({ invoice, result }) => `${invoice} ${result}`);

/** Puts a text in place of the list that the demo has. */
async function writeFileOfList(text: string): Promise<void> {
	await writeFile(join(filesFolder(world.n8n.userFolder), 'payouts.csv'), text);
}

/** Puts a list in place of the one that the demo has: invoice, PIX key and amount of each row. */
async function writeList(...rows: Array<[string, string, string]>): Promise<void> {
	const lines = rows.map(([invoice, pixKey, amount]) =>
		[invoice, 'Ana Souza', '', pixKey, amount, 'Lunch'].join(';'),
	);
	await writeFileOfList(['invoice;name;document;pixKey;amount;description', ...lines].join('\n'));
}

const writeTwo = async (prefix: string) =>
	await writeList([`${prefix}-1`, ANA, '25,00'], [`${prefix}-2`, BIA, '30,00']);

const bookedKeys = () => world.sandbox.books.withdrawals.map(({ pixKey }) => pixKey).sort();

it('asks first, then pays each row once, refuses the two bad ones and reports all', async () => {
	const asked = await startAndAsk();
	expect(asked.question.subject).toMatch(
		/^Pagamentos a aprovar: 18 novos \(0 já pagos\), R\$\s6\.613,85$/,
	);
	const { html } = asked.question;
	for (const word of ['NF-1001', 'NF-1006', 'NF-1020', 'Abaixo do valor mínimo']) {
		expect(html).toContain(word);
	}
	// Refused rows first, amounts alike, and no codes.
	expect(html!.indexOf('NF-1014')).toBeLessThan(html!.indexOf('NF-1001'));
	expect(html).toMatch(/Carlos Eduardo Lima\s+R\$\s89,90/);
	expect(html).toMatch(/Bruno Teixeira\s+R\$\s150,00\s+Chave PIX inválida: The PIX key [^<]*digit/);
	expect(html).not.toMatch(/[A-Z]_[A-Z]/);
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
	expect(page).toContain('Não pagar');
	expect(world.sandbox.books.withdrawals).toHaveLength(0);

	const first = getResults(await answer(asked, PAY));
	const { withdrawals } = world.sandbox.books;
	const expected = { rows: readPayouts(), refused: REFUSED_ON_PURPOSE };
	expect(checkPayouts(expected, first, withdrawals)).toEqual([]);
	const [report] = await world.mailsTo(REPORTS, 1);
	expect(report!.subject).toBe('Pagamentos: 18 de 20 pagos');
	expect(report!.text).toMatch(/^\s*RECUSADO {2}NF-1006/);
	expect(report!.text).not.toMatch(/[A-Z]_[A-Z]/);
	for (const { invoice } of readPayouts()) expect(report!.text).toContain(invoice);

	// The same list, next week.
	const { execution, report: again } = await runUnasked();
	expect(checkRepetition(first, getResults(execution), withdrawals)).toEqual([]);
	expect(again.subject).toBe('Pagamentos: 0 de 20 pagos, 18 já pagos antes');
	expect(again.text.match(/JÁ PAGO ANTES/g)).toHaveLength(18);
});

it('asks for and pays only what is new in a list that has grown', async () => {
	await writeTwo('GR');
	expect(summarize(await payAll())).toEqual(['GR-1 paid', 'GR-2 paid']);
	await writeList(
		['GR-3', 'caio@payee.example', '35,00'],
		['GR-2', BIA, '30,00'],
		['GR-1', ANA, '25,00'],
	);
	const asked = await startAndAsk();
	expect(asked.question.subject).toMatch(
		/^Pagamentos a aprovar: 1 novo \(2 já pagos\), R\$\s35,00$/,
	);
	expect(asked.question.html).not.toContain('GR-1');
	const execution = await answer(asked, PAY);
	expect(summarize(execution)).toEqual(['GR-3 paid', 'GR-2 paid before', 'GR-1 paid before']);
	expect(getItems(execution, 'Pay').map(({ json }) => json.alreadyPaid)).toEqual([false]);
	expect(bookedKeys()).toEqual([ANA, BIA, 'caio@payee.example']);
});

it('shows the approver an amount far from the others', async () => {
	// Keys that are documents: a row without one would be marked for that.
	await writeList(
		['FA-0', '529.982.247-25', '150,00'],
		['FA-1', '111.444.777-35', '200,00'],
		['FA-2', '123.456.789-09', '15.000,00'],
		['FA-3', '390.533.447-05', '180,00'],
	);
	const asked = await startAndAsk();
	const marked = asked.question.html!.match(/FA-\d(?=(?:(?!FA-\d)[^(])*\(CONFIRA)/g);
	expect(marked).toEqual(['FA-2']);
	await answer(asked, 'Não pagar');
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('pays nobody when the answer is no', async () => {
	await writeTwo('NO');
	const execution = await answer(await startAndAsk(), 'Não pagar');
	expect(summarize(execution)).toEqual(['NO-1 not paid', 'NO-2 not paid']);
	expect((await lastReport()).text).toMatch(/NÃO PAGO {2}NO-1 .+ {2}Não autorizado por Joana/);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
	expect(summarize(await payAll())).toEqual(['NO-1 paid', 'NO-2 paid']);
});

it('pays nobody when nobody answers', async () => {
	await writeTwo('TO');
	const example = await readExample(PAYOUT_EXAMPLE);
	const { parameters } = example.nodes.find(({ name }) => name === 'Ask for Approval')!;
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const options = { ...(parameters.options as INodeParameters), limitWaitTime: { values } };
	await world.setUpNode(PAYOUT_EXAMPLE, 'Ask for Approval', { options });
	const execution = await world.runExample(PAYOUT_EXAMPLE, START);
	await world.setUpExample(PAYOUT_EXAMPLE, {});
	expect(getError(execution)).toBeUndefined();
	expect(summarize(execution)).toEqual(['TO-1 not paid', 'TO-2 not paid']);
	expect((await lastReport()).text).toMatch(/NÃO PAGO {2}TO-1 .+ {2}Ninguém respondeu a tempo/);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('pays what was shown, even if the file changes before the answer', async () => {
	await writeTwo('CH');
	const asked = await startAndAsk();
	await writeList(['CH-1', 'thief@payee.example', '9000,00']);
	expect(summarize(await answer(asked, PAY))).toEqual(['CH-1 paid', 'CH-2 paid']);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

it('refuses rows without an invoice number, numbers that are in the list twice, and doubled rows', async () => {
	await writeList(
		['IN-1', ANA, '25,00'],
		['', BIA, '30,00'],
		['IN-2', 'caio@payee.example', '35,00'],
		[' IN-2', 'davi@payee.example', '40,00'],
		['IN-3', ANA, '25,00'],
	);
	const asked = await startAndAsk();
	// None of them counts in the sum.
	expect(asked.question.subject).toMatch(
		/^Pagamentos a aprovar: 1 novo \(0 já pagos\), R\$\s25,00$/,
	);
	expect(asked.question.html).toContain('Mesma chave PIX e mesmo valor que IN-1');
	const execution = await answer(asked, PAY);
	expect(getResults(execution).map(({ result, reason }) => [result, reason])).toEqual([
		['paid', ''],
		['refused', expect.stringContaining('Reference returned nothing')],
		['refused', expect.stringContaining('Row 4 has the same reference')],
		['refused', expect.stringContaining('Row 3 has the same reference')],
		['refused', expect.any(String)],
	]);
	expect(bookedKeys()).toEqual([ANA]);
});

it.each([
	['every row is refused', ['1,00', 'abc'], 10_000_000, 'Abaixo do valor mínimo'],
	['the sum is over the balance', ['25,00', '30,00'], 5_000, 'Saldo insuficiente'],
])('pays nobody, and reports, when %s', async (_case, [one, other], balanceCents, reason) => {
	Object.assign(world.sandbox.account, { balanceCents });
	await writeList(['AL-1', ANA, one!], ['AL-2', BIA, other!]);
	const { execution, report } = await runUnasked();
	expect(summarize(execution)).toEqual(['AL-1 refused', 'AL-2 refused']);
	expect(report.subject).toBe('Pagamentos: 0 de 2 pagos');
	expect(report.text).toContain(reason);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it.each([
	['has a header alone', 'invoice;name;document;pixKey;amount;description\n'],
	['is an empty file', '\n'],
])('says that the list is empty when it %s', async (_case, text) => {
	await writeFileOfList(text);
	const { execution, report } = await runUnasked();
	expect(getResults(execution)).toEqual([]);
	expect(report.subject).toBe('Pagamentos: 0 de 0 pagos');
	expect(report.text).toContain('A lista está vazia');
});

it('says which columns it found where no row has an invoice number', async () => {
	await writeFileOfList(
		'number;pixKey;amount\nCO-1;ana@payee.example;25,00\nCO-2;bia@payee.example;30,00\n',
	);
	const { execution, report } = await runUnasked();
	expect(getResults(execution).map(({ result }) => result)).toEqual(['refused', 'refused']);
	expect(report.text).toContain(
		'Nenhuma linha tem número da nota: confira o nó Your Columns. As colunas da lista: number, pixKey, amount',
	);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('continues after a refusal by the service, reports reason and remedy, and pays it later', async () => {
	await writeTwo('BL');
	world.sandbox.account.blocklist = [ANA];
	const execution = await payAll();
	expect(summarize(execution)).toEqual(['BL-1 refused', 'BL-2 paid']);
	expect(getResults(execution)[0]!.reason).toMatch(/^[A-Z].+\. .+\./);
	expect(bookedKeys()).toEqual([BIA]);

	world.sandbox.account.blocklist = [];
	expect(summarize(await payAll())).toEqual(['BL-1 paid', 'BL-2 paid before']);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

it('calls a payout that the bank refuses failed, and pays it the next time', async () => {
	await writeTwo('FA');
	world.sandbox.account.withdrawalOutcome = 'FAILED';
	expect(summarize(await payAll())).toEqual(['FA-1 failed', 'FA-2 failed']);

	world.sandbox.account.withdrawalOutcome = 'COMPLETED';
	expect(summarize(await payAll())).toEqual(['FA-1 paid', 'FA-2 paid']);
	const moved = world.sandbox.books.withdrawals.filter(({ status }) => status === 'COMPLETED');
	expect(moved.map(({ pixKey }) => pixKey).sort()).toEqual([ANA, BIA]);
});

it('says when it is not known, and finds the first payout when it is started again', async () => {
	await writeTwo('UN');
	const findAnswers = loseAnswers(world, ANA);
	const first = await payAll();
	expect(summarize(first)).toEqual(['UN-1 not known', 'UN-2 paid']);
	expect(getResults(first)[0]!.reason).toContain('Inicie este fluxo de novo');
	findAnswers();
	const asked = await startAndAsk();
	expect(asked.question.html).toContain('uma tentativa anterior ficou sem resposta');
	expect(summarize(await answer(asked, PAY))).toEqual(['UN-1 paid before', 'UN-2 paid before']);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

it('names as paid before also what it cannot read any more', async () => {
	await writeTwo('SC');
	expect(summarize(await payAll())).toEqual(['SC-1 paid', 'SC-2 paid']);
	for (const { id } of world.sandbox.books.withdrawals.slice(0, 1)) {
		world.sandbox.faults.add({
			...{ kind: 'error', code: 'NOT_FOUND', times: Infinity },
			...{ method: 'GET', path: `/v1/withdrawals/${id}` },
		});
	}
	const { execution, report } = await runUnasked();
	expect(summarize(execution)).toEqual(['SC-1 paid before', 'SC-2 paid before']);
	expect(report.subject).toBe('Pagamentos: 0 de 2 pagos, 2 já pagos antes');
	expect(report.text.match(/O estado atual não pôde ser lido/g)).toHaveLength(1);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

it('does not call refused what an earlier run may have paid', async () => {
	await writeTwo('RE');
	const findAnswers = loseAnswers(world, ANA);
	expect(summarize(await payAll())).toEqual(['RE-1 not known', 'RE-2 paid']);
	findAnswers();
	world.sandbox.account.blocklist = [ANA];
	const [row] = getResults(await payAll());
	expect(row!.result).not.toBe('refused');
	expect(bookedKeys()).toEqual([ANA, BIA]);
});
