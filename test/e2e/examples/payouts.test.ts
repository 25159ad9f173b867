/** The examples that pay a spreadsheet after an approval, in a real n8n. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import { APPROVER, decisionPage, PAY } from '../../../dev/demo/payouts/approval';
import { checkPayouts, checkRepetition } from '../../../dev/demo/payouts/checkPayouts';
import {
	forgetPayouts,
	PAYOUT_EXAMPLE,
	readExample,
	SHEETS_PAYOUT_EXAMPLE,
} from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { getItems, type Execution } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { readPayouts, REFUSED_ON_PURPOSE } from '../../../dev/demo/payouts/payoutList';
import { getResults } from '../../../dev/demo/payouts/runPayouts';
import { loseAnswers } from '../support/payouts';
import { loadXlsx } from '../support/xlsx';
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

describe('lists as Brazilian programs write them: the books after two runs', () => {
	beforeEach(async () => await forgetPayouts(world.client));

	const ROWS = 'Rows of the Spreadsheet';
	const COLUMNS = ['invoice', 'name', 'document', 'pixKey', 'pixKeyType', 'amount', 'description'];

	type Cell = string | number | undefined;
	/** What is in the list, and what is meant: the payout, or why there is none. */
	interface Case {
		/** Invoice, document, PIX key, its type, amount. */
		readonly cells: readonly [Cell, Cell, Cell, Cell, Cell];
		/** PIX key, centavos, document of the recipient. */
		readonly paid?: readonly [string, number, string];
		readonly refused?: RegExp;
	}

	const CPF = '00734120664';
	const CPF_2 = '06193528415';
	const CNPJ = '00458731000185';
	const CNPJ_2 = '7KB40X9Z000151';
	const RANDOM = '9f3c2d1e-5b6a-4c7d-8e9f-0a1b2c3d4e5f';

	/** As Excel holds cells, and as the API of Google Sheets returns them. */
	const IN_CELLS: readonly Case[] = [
		// CPF and CNPJ that lost their zeros, in numeric columns; amounts of formulas.
		{ cells: [1042, 734120664, 734120664, undefined, 149.9 * 1.1], paid: [CPF, 16_489, CPF] },
		{ cells: [1043, 6193528415, 6193528415, 'CPF', 4.35 * 100], paid: [CPF_2, 43_500, CPF_2] },
		{ cells: ['NF-3', 458731000185, 458731000185, 'CNPJ', 78.4 * 1.1], paid: [CNPJ, 8_624, CNPJ] },
		// Phones: typed with + (so that Excel made a number of it), without +55, and with punctuation.
		{
			cells: ['NF-4', '734.120.664', 5541998765432, 'Telefone', 1234.56],
			refused: /CPF ou CNPJ inválido|Recipient Document/,
		},
		{
			cells: ['NF-5', '007.341.206-64', 5541998765432, 'Telefone', 1234.56],
			paid: ['+5541998765432', 123_456, CPF],
		},
		{
			cells: ['NF-6', 6193528415, 41998765433, 'celular', ' R$\u00a0250,00 '],
			paid: ['+5541998765433', 25_000, CPF_2],
		},
		{
			cells: ['NF-7', 734120664, '(41) 99876-5434', '', '1.234,57'],
			paid: ['+5541998765434', 123_457, CPF],
		},
		// Invisible characters, hyphens of word processors, and blanks.
		{
			cells: ['NF-8\u200b', CNPJ_2, '7K.B40.X9Z/0001\u201151', ' ', 75.5],
			paid: [CNPJ_2, 7_550, CNPJ_2],
		},
		{
			cells: ['\u2060NF-9 ', CPF_2, '\u200bfinan\u00adceiro@fornecedor.example', 'E-mail', 90],
			paid: ['financeiro@fornecedor.example', 9_000, CPF_2],
		},
		{
			cells: ['NF-10', CPF, `${RANDOM.toUpperCase()}\u200b`, 'Chave aleatória', '12,50'],
			paid: [RANDOM, 1_250, CPF],
		},
		// What cannot be read is refused, and the reason says why.
		{ cells: ['NF-11', CPF, 41998765435, undefined, 50], refused: /phone number without \+55/ },
		{ cells: ['NF-12', CPF, 'bia@payee.example', 'Telefone', 51], refused: /Type is Phone, but/ },
		{ cells: ['NF-13', CPF, 'bia@payee.example', 'PIX', 52], refused: /"PIX", which is not known/ },
		{
			cells: ['NF-14', CPF, 'bia@payee.example', '', 33.333333],
			refused: /more than two decimals/,
		},
		{ cells: ['NF-15', CPF, '+555541998765432', '', 53], refused: /phone number/ },
		{ cells: [20261001000123456, CPF, 'bia@payee.example', '', 54], refused: /lost digits/ },
		{ cells: ['NF-16', 1.2345678e138, 'bia@payee.example', '', 55], refused: /lost digits/ },
		{ cells: ['', CPF, 'bia@payee.example', '', 56], refused: /Reference returned nothing/ },
	];

	/** The same sort of list as CSV, where each cell is text. */
	const IN_TEXT: readonly Case[] = [
		{
			cells: ['Nº 1042', '', '73412065943', 'CPF', 'R$ 1.280,50'],
			paid: ['73412065943', 128_050, '73412065943'],
		},
		{ cells: ['NF-2', '734120664', '="00734120664"', '', '150.0000'], paid: [CPF, 15_000, CPF] },
		{
			cells: ['NF-3', "'06193528415", "'06193528415", '', '164.89000000000001'],
			paid: [CPF_2, 16_489, CPF_2],
		},
		{
			cells: ['NF-4', '458731000185', '458731000185.0', '', '434,99999999999994'],
			paid: [CNPJ, 43_500, CNPJ],
		},
		{ cells: ['NF-5', CPF, '41 99876-5432', '', '99,9'], paid: ['+5541998765432', 9_990, CPF] },
		{
			cells: ['NF-6', CPF_2, '41998765433', 'Telefone', 'R$\u00a0 75,00'],
			paid: ['+5541998765433', 7_500, CPF_2],
		},
		{
			cells: ['NF-7', CPF, '\u202a+55 41 99876\u20115434\u202c', 'Celular', '1.234,56'],
			paid: ['+5541998765434', 123_456, CPF],
		},
		{ cells: ['NF-8', CPF, '+55 041 99876-5435', '', '20'], paid: ['+5541998765435', 2_000, CPF] },
		{
			cells: ['NF-9', CNPJ_2, 'mailto:Conta@Fornecedor.example ', 'e-mail', '"30,00"'],
			paid: ['conta@fornecedor.example', 3_000, CNPJ_2],
		},
		{ cells: ['NF-10', CPF, '4,5387E+13', '', '50,00'], refused: /lost digits/ },
		{ cells: ['NF-11', CPF, 'bia@payee.example', '', '1.234'], refused: /ambiguous/ },
		{ cells: ['NF-12', CPF, 'josé@payee.example', '', '52,00'], refused: /such as an accent/ },
		{ cells: ['NF-13', CPF, 'bia@payee.example', 'CNPJ', '53,00'], refused: /Type is CNPJ, but/ },
	];

	const toRow = ({ cells: [invoice, document, pixKey, pixKeyType, amount] }: Case): Cell[] => [
		...[invoice, 'José da Conceição', document, pixKey, pixKeyType, amount, 'Revisão'],
	];
	const toLine = (given: Case): string =>
		toRow(given)
			.map((cell) => cell ?? '')
			.join(';');
	const HEADER = COLUMNS.join(';');
	const toCsv = (cases: readonly Case[]): string =>
		[HEADER, ...cases.map(toLine)].map((line) => `${line}\r\n`).join('');

	/** What nobody sees counts in no invoice number. */
	const visible = (invoice: Cell): string =>
		String(invoice ?? '')
			.replace(/[\u200b\u2060]/g, '')
			.trim();

	/** How the list gets into n8n: what is in its place, of a node of the example. */
	type Change = (node: INode) => INode;

	/** Lets the example read this file of n8n's folder. */
	const reading =
		(name: string, operation: string, options: object = {}): Change =>
		(node) => {
			const { parameters } = node;
			if (node.name === 'Read File')
				return { ...node, parameters: { ...parameters, fileSelector: `.n8n-files/${name}` } };
			if (node.name !== ROWS) return node;
			const given = operation === 'csv' ? (parameters.options as object) : {};
			return {
				...node,
				parameters: { ...parameters, operation, options: { ...given, ...options } },
			};
		};

	/** In place of Google's node: the rows as its API returns them. */
	const returning =
		(cases: readonly Case[]): Change =>
		(node) => {
			if (node.name !== ROWS) return node;
			const rows = cases.map((each) =>
				Object.fromEntries(toRow(each).map((cell, column) => [COLUMNS[column], cell ?? ''])),
			);
			const jsCode = `return ${JSON.stringify(rows)}.map((json) => ({ json }));`;
			const parameters = { mode: 'runOnceForAllItems', language: 'javaScript', jsCode };
			return { ...node, type: 'n8n-nodes-base.code', typeVersion: 2, parameters, credentials: {} };
		};

	const write = async (name: string, content: Buffer): Promise<void> =>
		await writeFile(join(filesFolder(world.n8n.userFolder), name), content);

	function toXlsx(cases: readonly Case[]): Buffer {
		const { utils, write } = loadXlsx(world.host);
		const sheet = utils.aoa_to_sheet([COLUMNS, ...cases.map(toRow)]);
		for (const [index, { cells }] of cases.entries()) {
			// Shown as 007.341.206-64 and as R$ 164,89: the cell holds less, or more.
			if (typeof cells[1] === 'number') sheet[`C${index + 2}`]!.z = '000"."000"."000-00';
			if (typeof cells[4] === 'number') sheet[`F${index + 2}`]!.z = '"R$" #,##0.00';
		}
		return write(
			{ SheetNames: ['Plan1'], Sheets: { Plan1: sheet } },
			{ bookType: 'xlsx', type: 'buffer' },
		);
	}

	/** Invoice -> what became of it. */
	type Results = Record<string, { result: string; reason: string }>;

	/** Runs the example as a person who approves. */
	async function pay(file: string, change: Change): Promise<Results> {
		await world.setUpExample(file, {}, change);
		const known = await world.countMailsTo(APPROVER);
		const id = await world.client.runWorkflow(world.workflows[file]!, START);
		await world.answer(await world.question(known), PAY);
		const execution = await world.client.waitForExecution(id);
		expect(getError(execution)).toBeUndefined();
		return byInvoice(execution);
	}

	const byInvoice = (execution: Parameters<typeof getResults>[0]): Results =>
		Object.fromEntries(
			getResults(execution).map(({ invoice, result, reason }) => [
				visible(invoice),
				{ result, reason },
			]),
		);

	/** PIX key, centavos and document of each payout that the service has made. */
	const booked = () =>
		world.sandbox.books.withdrawals
			.map(({ pixKey, amountCents, recipientDocument }) => [pixKey, amountCents, recipientDocument])
			.sort();
	const meant = (cases: readonly Case[]) =>
		cases.flatMap(({ paid }) => (paid ? [[...paid]] : [])).sort();

	/** Runs the list, compares the books and what is said of each row; the same again pays nobody. */
	async function check(file: string, change: Change, cases: readonly Case[]): Promise<void> {
		const results = await pay(file, change);
		expect(booked()).toEqual(meant(cases));
		for (const { cells, paid, refused } of cases) {
			const { result, reason } = results[visible(cells[0])]!;
			expect([cells[0], result, reason]).toEqual([
				...[cells[0], paid ? 'paid' : 'refused', refused ? expect.stringMatching(refused) : ''],
			]);
		}

		const again = await world.runExample(file, START);
		expect(getError(again)).toBeUndefined();
		const before = Object.values(byInvoice(again)).map(({ result }) => result);
		expect(before.sort()).toEqual(
			cases.map(({ paid }) => (paid ? 'paid before' : 'refused')).sort(),
		);
		expect(booked()).toEqual(meant(cases));
	}

	it('pays an XLSX file with numbers, lost zeros, formulas, phones and invisible characters', async () => {
		await write('lista.xlsx', toXlsx(IN_CELLS));
		await check(PAYOUT_EXAMPLE, reading('lista.xlsx', 'xlsx'), IN_CELLS);
	});

	it('pays the same from Google Sheets', async () => {
		await check(SHEETS_PAYOUT_EXAMPLE, returning(IN_CELLS), IN_CELLS);
	});

	it('pays a CSV file with BOM, semicolons, decimal commas, R$ and protected zeros', async () => {
		await write('lista.csv', Buffer.from(`\uFEFF${toCsv(IN_TEXT)}`));
		await check(PAYOUT_EXAMPLE, reading('lista.csv', 'csv'), IN_TEXT);
	});
});
