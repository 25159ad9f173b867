/**
 * The examples that pay a list, over lists as Brazilian programs write them. What counts is who is paid
 * what: the books of the emulated service, after two runs.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { APPROVER, PAY } from '../../../dev/demo/payouts/approval';
import { forgetPayouts, PAYOUT_EXAMPLE, SHEETS_PAYOUT_EXAMPLE } from '../../../dev/demo/examples';
import { getResults } from '../../../dev/demo/payouts/runPayouts';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { loadXlsx } from '../support/xlsx';
import { getError, useExampleWorld } from './exampleWorld';

const START = 'When Clicking Execute Workflow';
const ROWS = 'Rows of the Spreadsheet';
const COLUMNS = ['invoice', 'name', 'document', 'pixKey', 'pixKeyType', 'amount', 'description'];

const world = useExampleWorld();
beforeEach(async () => await forgetPayouts(world.client));

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
	{ cells: ['NF-14', CPF, 'bia@payee.example', '', 33.333333], refused: /more than two decimals/ },
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
		return { ...node, parameters: { ...parameters, operation, options: { ...given, ...options } } };
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
	expect(before.sort()).toEqual(cases.map(({ paid }) => (paid ? 'paid before' : 'refused')).sort());
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

it('pays nobody twice for a list that was saved as ANSI first, and as UTF-8 a week later', async () => {
	const cases: Case[] = [
		{
			cells: ['Nº 1042', CPF, 'oficina@fornecedor.example', '', '1.280,50'],
			paid: ['oficina@fornecedor.example', 128_050, CPF],
		},
		{
			cells: ['Nº 1043', CPF, 'ana@fornecedor.example', '', 'R$\u00a0150,00'],
			paid: ['ana@fornecedor.example', 15_000, CPF],
		},
	];
	const encoding = /wrong encoding.*Options > Encoding/;

	// Read as UTF-8, which n8n does unless it is told otherwise.
	await write('ansi.csv', Buffer.from(toCsv(cases), 'latin1'));
	await world.setUpExample(PAYOUT_EXAMPLE, {}, reading('ansi.csv', 'csv'));
	const [report, unread] = await world.nextMail(
		'payouts@example.com',
		async () => await world.runExample(PAYOUT_EXAMPLE, START),
	);
	expect(getError(unread)).toBeUndefined();
	expect(getResults(unread).map(({ result, reason }) => [result, reason])).toEqual(
		cases.map(() => ['refused', expect.stringMatching(encoding)]),
	);
	expect(report.text).toMatch(encoding);
	expect(booked()).toEqual([]);

	// What the reason says.
	const results = await pay(PAYOUT_EXAMPLE, reading('ansi.csv', 'csv', { encoding: 'latin1' }));
	expect(Object.values(results).map(({ result }) => result)).toEqual(['paid', 'paid']);
	expect(booked()).toEqual(meant(cases));

	await write('utf8.csv', Buffer.from(`\uFEFF${toCsv(cases)}`));
	await world.setUpExample(PAYOUT_EXAMPLE, {}, reading('utf8.csv', 'csv'));
	const later = await world.runExample(PAYOUT_EXAMPLE, START);
	expect(getResults(later).map(({ result }) => result)).toEqual(['paid before', 'paid before']);
	expect(booked()).toEqual(meant(cases));
});
