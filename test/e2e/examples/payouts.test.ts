/** The examples that pay a list after an approval, in a real n8n. */
import { readFile } from 'node:fs/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { formUrl } from '../../../dev/demo/addresses';
import { APPROVER, decisionPage, PAY } from '../../../dev/demo/payouts/approval';
import { checkPayouts } from '../../../dev/demo/payouts/checkPayouts';
import { PAYOUT_EXAMPLE, readExample } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { getItems, type Execution } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { payoutFile, readPayouts } from '../../../dev/demo/payouts/payoutList';
import { getResults } from '../../../dev/demo/payouts/runPayouts';
import { submitForm } from '../../../dev/n8n/editor/form';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { loseAnswers } from '../support/payouts';
import { loadXlsx } from '../support/xlsx';
import { LEDGER_NAME } from '../../../nodes/shared/n8n/dataTable';
import { getError, useExampleWorld } from './exampleWorld';

const REPORTS = 'payouts@example.com';
const ANA = 'ana@payee.example';
const BIA = 'bia@payee.example';

const world = useExampleWorld();
beforeAll(async () => {
	await world.openForm(PAYOUT_EXAMPLE);
}, 60_000);

/** Changes the example as its user does, and publishes it again: its form starts what is published. */
async function setUp(change?: (node: INode) => INode): Promise<void> {
	await world.setUpExample(PAYOUT_EXAMPLE, {}, change);
	await publishWorkflow(world.client, world.workflows[PAYOUT_EXAMPLE]!);
}

const toCsv = (content: string | Buffer): File =>
	new File([content], 'lista.csv', { type: 'text/csv' });

/** Uploads a list to the form; returns the id of the execution. */
async function upload(list: File): Promise<string> {
	const form = await formUrl(PAYOUT_EXAMPLE, world.n8n.url);
	const submit = async () => await submitForm(form, [list]);
	return await world.client.executionOf(world.workflows[PAYOUT_EXAMPLE]!, submit);
}

interface Asked {
	executionId: string;
	question: Mail;
}

/** Uploads a list and waits for the question in the mailbox. */
async function uploadAndAsk(list: File): Promise<Asked> {
	const known = await world.countMailsTo(APPROVER);
	const executionId = await upload(list);
	return { executionId, question: await world.question(known) };
}

async function answer({ executionId, question }: Asked, decision: string): Promise<Execution> {
	await world.answer(question, decision);
	const execution = await world.client.waitForExecution(executionId);
	expect(getError(execution)).toBeUndefined();
	return execution;
}

/** From the list to the report, with an approver who says yes. */
async function payAll(list: File): Promise<Execution> {
	return await answer(await uploadAndAsk(list), PAY);
}

interface Unasked {
	execution: Execution;
	report: Mail;
}

/** Uploads a list of which nothing is to be paid: no one is asked, and the report is still sent. */
async function uploadUnasked(list: File): Promise<Unasked> {
	const questions = await world.countMailsTo(APPROVER);
	const [report, execution] = await world.nextMail(
		REPORTS,
		async () => await world.client.waitForExecution(await upload(list)),
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

/** A list: invoice, PIX key and amount of each row. */
function toList(...rows: Array<[string, string, string]>): File {
	const lines = rows.map(([invoice, pixKey, amount]) =>
		[invoice, 'Ana Souza', '', pixKey, amount, 'Almoço'].join(';'),
	);
	return toCsv(['Nota;Fornecedor;CNPJ;Chave PIX;Valor;Descrição', ...lines].join('\n'));
}

const two = (prefix: string) =>
	toList([`${prefix}-1`, ANA, '25,00'], [`${prefix}-2`, BIA, '30,00']);

const bookedKeys = () => world.sandbox.books.withdrawals.map(({ pixKey }) => pixKey).sort();

it('asks first, then pays each row once, refuses the two bad ones and reports all', async () => {
	const list = toCsv(await readFile(payoutFile));
	const asked = await uploadAndAsk(list);
	expect(asked.question.subject).toBe('Pagamentos a aprovar: 18 novos, R$ 6.613,85 (2 recusados)');
	const html = asked.question.html!;
	for (const words of [
		'Saldo ao conferir a lista: R$ 1.000.000,00. Depois destes pagamentos: R$ 993.359,15.',
		'linha 7 · NF-1006 · Bruno Teixeira · R$ 150,00\nChave PIX inválida: CPF com dígito verificador errado.',
		'A PAGAR: 18 pagamentos, R$ 6.613,85, mais R$ 27,00 de tarifas\nR$ 1.234,56 · Padaria Estrela do Sul Ltda · NF-1001 · CNPJ 45.819.027/0001-49\n',
	]) {
		expect(html).toContain(words);
	}
	// Refused rows first, and no codes.
	expect(html.indexOf('NF-1014')).toBeLessThan(html.indexOf('NF-1001'));
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
	expect(checkPayouts('paid', first, withdrawals)).toEqual([]);
	const [report] = await world.mailsTo(REPORTS, 1);
	expect(report!.subject).toBe('Pagamentos: 18 pagos, R$ 6.613,85 (2 recusados)');
	expect(report!.text).toMatch(
		/^Pago agora: 18, R\$ 6\.613,85, mais R\$ 27,00 de tarifas\. Autorizado por Joana\.\n.+\n\nRECUSADO {2}linha/,
	);
	expect(report!.text).not.toMatch(/[A-Z]_[A-Z]/);
	for (const { invoice, name } of readPayouts()) {
		expect(report!.text).toMatch(new RegExp(`linha \\d+ +${invoice} +${name}`));
	}

	// The same list, next week.
	const { execution, report: again } = await uploadUnasked(list);
	expect(checkPayouts('paid before', getResults(execution), withdrawals)).toEqual([]);
	expect(again.subject).toBe('Pagamentos: nada novo (2 recusados, 18 já pagos antes)');
	expect(again.text.match(/JÁ PAGO ANTES/g)).toHaveLength(18);
	// A table of who was paid, with names.
	expect(getItems(execution, 'Results').map(({ json }) => json.name)).toEqual(
		readPayouts().map(({ name }) => name),
	);
});

// What it says of columns that it does not know: test/unit/examples/payoutList.test.ts.
it.each([
	['without rows', '', 'lista vazia', /não há linha/],
	['with a footer', 'NF-1;a@b.example;20\nTOTAL;20\n', 'lista não lida', /apague rodapés/],
])('says of a list %s what is wrong with it', async (_what, rows, subject, text) => {
	const { report } = await uploadUnasked(toCsv(`nota;chave;valor\n${rows}`));
	expect(report.subject).toBe(`Pagamentos: ${subject}`);
	expect(report.text).toMatch(text);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('pays nobody when the answer is no', async () => {
	const execution = await answer(await uploadAndAsk(two('NO')), 'Não pagar');
	expect(summarize(execution)).toEqual(['NO-1 not paid', 'NO-2 not paid']);
	expect((await lastReport()).text).toMatch(
		/NÃO PAGO {2}linha 2 {2}NO-1 .+ {2}Não aprovado por Joana/,
	);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
	expect(summarize(await payAll(two('NO')))).toEqual(['NO-1 paid', 'NO-2 paid']);
});

it('pays nobody when nobody answers', async () => {
	const { nodes } = await readExample(PAYOUT_EXAMPLE);
	const { parameters } = nodes.find(({ name }) => name === 'Ask for Approval')!;
	const values = { limitType: 'afterTimeInterval', resumeAmount: 0.05, resumeUnit: 'minutes' };
	const options = { ...(parameters.options as INodeParameters), limitWaitTime: { values } };
	await setUp((node) =>
		node.name === 'Ask for Approval'
			? { ...node, parameters: { ...node.parameters, options } }
			: node,
	);
	const execution = await world.client.waitForExecution(await upload(two('TO')));
	await setUp();
	expect(getError(execution)).toBeUndefined();
	expect(summarize(execution)).toEqual(['TO-1 not paid', 'TO-2 not paid']);
	expect((await lastReport()).text).toMatch(
		/NÃO PAGO {2}linha 2 {2}TO-1 .+ {2}Ninguém respondeu a tempo/,
	);
	expect(world.sandbox.books.withdrawals).toHaveLength(0);
});

it('continues after a refusal by the service, reports reason and remedy, and pays it later', async () => {
	world.sandbox.account.blocklist = [ANA];
	const execution = await payAll(two('BL'));
	expect(summarize(execution)).toEqual(['BL-1 refused', 'BL-2 paid']);
	expect(getResults(execution)[0]!.reason).toBe(
		'O serviço bloqueou este destinatário. Fale com o suporte',
	);
	expect(bookedKeys()).toEqual([BIA]);

	world.sandbox.account.blocklist = [];
	expect(summarize(await payAll(two('BL')))).toEqual(['BL-1 paid', 'BL-2 paid before']);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

it('calls a payout that the bank refuses failed, and pays it the next time', async () => {
	world.sandbox.account.withdrawalOutcome = 'FAILED';
	expect(summarize(await payAll(two('FA')))).toEqual(['FA-1 failed', 'FA-2 failed']);

	world.sandbox.account.withdrawalOutcome = 'COMPLETED';
	expect(summarize(await payAll(two('FA')))).toEqual(['FA-1 paid', 'FA-2 paid']);
	const moved = world.sandbox.books.withdrawals.filter(({ status }) => status === 'COMPLETED');
	expect(moved.map(({ pixKey }) => pixKey).sort()).toEqual([ANA, BIA]);
});

it('says when it is not known, fails so that alarms ring, and finds the payout when it is started again', async () => {
	const findAnswers = loseAnswers(world, ANA);
	const { question, executionId } = await uploadAndAsk(two('UN'));
	await world.answer(question, PAY);
	const first = await world.client.waitForExecution(executionId);
	expect(first.status).toBe('error');
	expect(getError(first)).toBe(
		'Não se sabe se foi pago: UN-1. Inicie este fluxo de novo com a mesma lista: antes de pagar, ele descobre se já foi pago.',
	);
	expect(summarize(first)).toEqual(['UN-1 not known', 'UN-2 paid']);
	expect(getResults(first)[0]!.reason).toContain('Inicie este fluxo de novo');
	expect((await lastReport()).subject).toBe('Pagamentos: 1 pago, R$ 30,00 (1 NÃO SE SABE)');
	findAnswers();
	const asked = await uploadAndAsk(two('UN'));
	expect(asked.question.html).toContain('uma tentativa anterior ficou sem resposta');
	expect(summarize(await answer(asked, PAY))).toEqual(['UN-1 paid before', 'UN-2 paid before']);
	expect(bookedKeys()).toEqual([ANA, BIA]);
});

// How each cell is read: test/unit/nodes/shared/input, and what is said of it: test/unit/examples/payoutList.test.ts.
describe('lists as Brazilian programs write them: the books after two runs', () => {
	beforeEach(async () => await world.emptyTable(LEDGER_NAME));

	const COLUMNS = ['nota', 'nome', 'documento', 'chave_pix', 'tipo_de_chave', 'valor', 'descricao'];

	type Cell = string | number;
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

	/** As Excel holds cells. */
	const IN_CELLS: readonly Case[] = [
		// CPF and CNPJ that lost their zeros, in numeric columns; amounts of formulas.
		{ cells: [1042, 734120664, 734120664, '', 149.9 * 1.1], paid: [CPF, 16_489, CPF] },
		{ cells: ['NF-2', 458731000185, 458731000185, 'CNPJ', 78.4 * 1.1], paid: [CNPJ, 8_624, CNPJ] },
		// Typed with +, so that Excel made a number of it.
		{
			cells: ['NF-3', '007.341.206-64', 5541998765432, 'Telefone', 1234.56],
			paid: ['+5541998765432', 123_456, CPF],
		},
		// Invisible characters, and hyphens of word processors.
		{
			cells: ['NF-4\u200b', CNPJ_2, '7K.B40.X9Z/0001\u201151', ' ', 75.5],
			paid: [CNPJ_2, 7_550, CNPJ_2],
		},
		{ cells: ['NF-5', CPF, 41998765435, '', 50], refused: /telefone sem \+55/ },
		{
			cells: [20261001000123456, CPF, 'bia@payee.example', '', 54],
			refused: /o Excel estragou o número/,
		},
	];

	/** The same sort of list as CSV, where each cell is text. */
	const IN_TEXT: readonly Case[] = [
		{ cells: ['Nº 1042', '', CPF, 'CPF', 'R$ 1.280,50'], paid: [CPF, 128_050, CPF] },
		{
			cells: ['NF-2', "'06193528415", '="06193528415"', '', '164.89000000000001'],
			paid: [CPF_2, 16_489, CPF_2],
		},
		{
			cells: ['NF-3', CNPJ_2, 'mailto:Conta@Fornecedor.example ', 'e-mail', '"30,00"'],
			paid: ['conta@fornecedor.example', 3_000, CNPJ_2],
		},
		{
			cells: ['NF-4', CPF, '\u202a+55 41 99876\u20115434\u202c', 'Celular', 'R$\u00a0 75,00'],
			paid: ['+5541998765434', 7_500, CPF],
		},
		{ cells: ['NF-5', CPF, '4,5387E+13', '', '50,00'], refused: /o Excel estragou o número/ },
		{ cells: ['NF-6', CPF, 'bia@payee.example', '', '1.234'], refused: /pode ser R\$ 1\.234,00/ },
	];

	/** As systems export it that write HTML and call it Excel. */
	const IN_HTML: readonly Case[] = [
		{ cells: ['001', CPF, CPF, '', '250,00'], paid: [CPF, 25_000, CPF] },
		{ cells: ['002', CNPJ_2, CNPJ_2, '', '1.250,00'], paid: [CNPJ_2, 125_000, CNPJ_2] },
	];

	const toRow = ({ cells: [invoice, document, pixKey, pixKeyType, amount] }: Case): Cell[] => [
		...[invoice, 'José da Conceição', document, pixKey, pixKeyType, amount, 'Revisão'],
	];

	function toXlsx(cases: readonly Case[]): File {
		const { utils, write } = loadXlsx(world.host);
		const sheet = utils.aoa_to_sheet([COLUMNS, ...cases.map(toRow)]);
		for (const [index, { cells }] of cases.entries()) {
			// Shown as 007.341.206-64 and as R$ 164,89: the cell holds less, or more.
			if (typeof cells[1] === 'number') sheet[`C${index + 2}`]!.z = '000"."000"."000-00';
			if (typeof cells[4] === 'number') sheet[`F${index + 2}`]!.z = '"R$" #,##0.00';
		}
		const book = { SheetNames: ['Plan1'], Sheets: { Plan1: sheet } };
		return new File([write(book, { bookType: 'xlsx', type: 'buffer' })], 'Lista.XLSX');
	}

	/** With BOM, and line ends of Windows. */
	const toCsvFile = (cases: readonly Case[]): File =>
		toCsv(`\uFEFF${[COLUMNS, ...cases.map(toRow)].map((row) => `${row.join(';')}\r\n`).join('')}`);

	const toHtml = (cases: readonly Case[]): File => {
		const rows = [COLUMNS, ...cases.map(toRow)].map(
			(row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
		);
		return new File([`<table>${rows.join('')}</table>`], 'lista.xlsx');
	};

	/** PIX key, centavos and document of each payout that the service has made. */
	const booked = () =>
		world.sandbox.books.withdrawals
			.map(({ pixKey, amountCents, recipientDocument }) => [pixKey, amountCents, recipientDocument])
			.sort();

	it.each([
		['an XLSX file with numbers, lost zeros, formulas and phones', IN_CELLS, toXlsx],
		['a CSV file with BOM, decimal commas, R$ and protected zeros', IN_TEXT, toCsvFile],
		['HTML that is called XLSX', IN_HTML, toHtml],
	])('pays %s, and the same again pays nobody', async (_, cases, make) => {
		const meant = cases.flatMap(({ paid }) => (paid ? [[...paid]] : [])).sort();

		const first = getResults(await payAll(make(cases)));
		expect(first.map(({ result, reason }) => [result, reason])).toEqual(
			cases.map(({ refused }) =>
				refused ? ['refused', expect.stringMatching(refused)] : ['paid', ''],
			),
		);
		expect(booked()).toEqual(meant);

		const again = getResults((await uploadUnasked(make(cases))).execution);
		expect(again.map(({ result }) => result)).toEqual(
			cases.map(({ refused }) => (refused ? 'refused' : 'paid before')),
		);
		expect(booked()).toEqual(meant);
	});
});
