/** What the examples that pay a list do with it: which column is which, and what both e-mails say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

import type { IDataObject, INode } from 'n8n-workflow';

import { DateTime } from 'luxon';

import { readPayout } from '../../../nodes/BrlPayments/withdrawal/payout';
import { parseReference } from '../../../nodes/shared/input/reference';
import { parseReais } from '../../../nodes/shared/input/money';
import { InputError } from '../../../nodes/shared/input/inputError';

const folder = join(__dirname, '..', '..', '..', 'examples');
const readNodes = (file: string): INode[] =>
	(JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: INode[] }).nodes;
const find = (nodes: INode[], wanted: string): INode => nodes.find(({ name }) => name === wanted)!;

const PAYOUTS = readNodes('payouts-from-spreadsheet.json');
const LISTS = ['payouts-from-spreadsheet.json', 'payouts-from-google-sheets.json', 'salaries.json'];

function fieldsOf(node: INode): Record<string, string> {
	const { assignments } = node.parameters.assignments as {
		assignments: Array<{ name: string; value: string }>;
	};
	return Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
}

type Lookup = (node: string) => {
	isExecuted: boolean;
	all: () => Array<{ json: unknown }>;
	first: () => { json: unknown };
};

/** What has run: name of a node -> its items. */
function lookup(items: Readonly<Record<string, readonly unknown[]>>): Lookup {
	return (node) => {
		const all = (items[node] ?? []).map((json) => ({ json }));
		return { isExecuted: node in items, all: () => all, first: () => all[0]! };
	};
}

interface Row extends IDataObject {
	line: number;
	columns: string[];
}

/** What *Each Row* makes of the rows of a list. */
function readRows(nodes: INode[], list: readonly IDataObject[], titles = {}): Row[] {
	const { jsCode } = find(nodes, 'Each Row').parameters as { jsCode: string };
	const run = runInThisContext(`($input, $) => {${jsCode}}`) as (
		...scope: [object, Lookup]
	) => Array<{ json: Row }>;
	const $ = lookup({ 'Your Columns': [{ ...fieldsOf(find(nodes, 'Your Columns')), ...titles }] });
	const $input = { all: () => list.map((json) => ({ json })) };
	return run($input, $).map(({ json }) => json);
}

// The columns as people write them, and both e-mails as they are sent: test/e2e/examples/payouts.test.ts.
it('the columns are the ones that the user writes, before those that are already there', () => {
	const [row] = readRows(PAYOUTS, [{ 'A pagar (R$)': '10', valor: '20' }], {
		amount: 'a pagar r$, valor',
	});
	expect(row!.amount).toBe('10');
});

it('what is to be paid is read before what the invoice says, and the mail names the column that is not read', () => {
	const rows = readRows(PAYOUTS, [
		{ nota: 'NF-1', chave: '390.533.447-05', Valor: '1.000,00', 'Valor a pagar': '850,00' },
	]);
	const { toPay, question } = check(PAYOUTS, {
		'Each Row': rows,
		'Check Batch': rows.map(checkRow),
	});
	expect(toPay).toMatchObject([{ amount: 850 }]);
	expect(question.message).toContain('Colunas da planilha que não são lidas: Valor.');
});

it.each([
	[{ 'Valor (R$)': '1.018,00', 'Valor líquido (R$)': '938,50' }, '938,50', ''],
	[{ Valor: '1.018,00', 'Líquido a pagar': '938,50' }, '938,50', ''],
	[{ Valor: '1.018,00', 'Liq. NF': '938,50' }, '1.018,00', 'ATENÇÃO: a coluna Liq. NF não é lida.'],
	[{ Valor: '9,00', Status: 'Pago' }, '9,00', 'ATENÇÃO: a coluna Status não é lida. O que ela'],
])(
	'the net amount is read before the gross one, or the mail begins with what is not read: %j',
	(cells, amount, begin) => {
		const rows = readRows(PAYOUTS, [{ nota: 'NF-1', chave: '390.533.447-05', ...cells }]);
		const items = { 'Each Row': rows, 'Check Batch': rows.map(checkRow) };
		expect(rows).toMatchObject([{ amount }]);
		expect(check(PAYOUTS, items).question.message.startsWith(begin || 'Conta:')).toBe(true);
	},
);

it('with letters lost in its titles, a list is not read', () => {
	const rows = readRows(PAYOUTS, [
		{ nota: '1', chave: 'x', valor: '9', 'valor l\ufffdquido': '8' },
	]);
	const items = { 'Each Row': rows, 'Check Batch': rows.map(checkRow) };
	const { toPay, report } = check(PAYOUTS, items);
	expect(toPay).toEqual([]);
	expect(report.text).toMatch(/^Nos títulos, os acentos se perderam/);
});

it('a blank cell is not filled from another column, except for a document', () => {
	const rows = readRows(PAYOUTS, [
		{ nota: '', fatura: 'F-1', valor: '80', 'valor a pagar': '', CPF: '1', CNPJ: ' ', __EMPTY: '' },
		{ nota: 'NF-2', valor: '80', 'valor a pagar': '7', CPF: '2' },
	]);
	expect(rows).toMatchObject([
		{ invoice: undefined, amount: undefined, document: '1', unread: ['fatura', 'valor'] },
		{ invoice: 'NF-2', amount: '7', document: '2' },
	]);
});

it('whose salary it is says the document, also if zeros are lost, and nothing else', () => {
	const documents = [
		'2558157000162',
		'02.558.157/0001-62',
		1234567890,
		'12.ABC.345/01DE-35',
		' ',
		'',
	];
	const rows = documents.map((CPF) => ({ nome: 'Ana', CPF, valor: 1 }));
	expect(readRows(readNodes('salaries.json'), rows).map(({ person }) => person)).toEqual([
		...['02558157000162', '02558157000162', '01234567890', '12ABC34501DE35', '', ''],
	]);
});

interface Checked {
	toPay: IDataObject[];
	results: Array<{ line: number; name?: string; state: string; result: string; reason: string }>;
	question: { subject: string; message: string };
	report: { subject: string; text: string };
	inDoubt: string[];
}

const legible = (text: string) => text.replaceAll('\u00a0', ' ');

/** Runs *Checked List* on what other nodes have put out. */
function check(nodes: INode[], items: Readonly<Record<string, readonly unknown[]>>): Checked {
	const { jsCode } = find(nodes, 'Checked List').parameters as { jsCode: string };
	const run = runInThisContext(`($, DateTime) => {${jsCode}}`) as (
		...scope: [Lookup, typeof DateTime]
	) => [{ json: Checked }];
	const settings = fieldsOf(find(nodes, 'Your Settings'));
	const columns = fieldsOf(find(nodes, 'Your Columns'));
	const given = { 'Your Settings': [settings], 'Your Columns': [columns], ...items };
	const [{ json }] = run(lookup(given), DateTime);
	return JSON.parse(legible(JSON.stringify(json))) as Checked;
}

/** The amount is shown of a row with problems, too. */
function readable(amount: unknown): IDataObject {
	try {
		return { amount: parseReais(amount) / 100 };
	} catch {
		return {};
	}
}

/** A row as *Check Batch* puts it out, if nothing but its own cells counts. */
function checkRow({ invoice, document, pixKey, pixKeyType, amount }: Row): IDataObject {
	const problems: Array<{ code: string; message: string }> = [];
	const add = (code: string, { message, remedy }: InputError) =>
		problems.push({ code, message: `${message}. ${remedy}` });
	try {
		if (parseReference(invoice, {}) === undefined)
			add('INVALID_INPUT', new InputError('The expression for Reference returned nothing', ''));
	} catch (error) {
		add('INVALID_INPUT', error as InputError);
	}
	const read = readPayout({ amount, pixKey, pixKeyType, recipientDocument: document });
	if ('problems' in read) for (const { code, error } of read.problems) add(code, error);
	const money =
		'payout' in read
			? {
					amount: read.payout.amount / 100,
					fee: 1.5,
					total: read.payout.amount / 100 + 1.5,
					pixKey: read.payout.pixKey.value,
					pixKeyType: read.payout.pixKey.type,
				}
			: readable(amount);
	return {
		...{ reference: invoice, ok: problems.length === 0, paidBefore: false },
		...money,
		...{ problems, warnings: [], batchOk: true, batchProblems: [], batchAvailableBalance: 1_000 },
	};
}

const HEADER = ['nota', 'fornecedor', 'documento', 'chave_pix', 'tipo_de_chave', 'valor'];
const toRow = (cells: ReadonlyArray<string | number>): IDataObject =>
	Object.fromEntries(
		cells.flatMap((cell, column) => (cell === '' ? [] : [[HEADER[column]!, cell] as const])),
	);

/** The list, checked; `change` is what the check says in addition, by the index of the row. */
function checkList(
	cells: ReadonlyArray<ReadonlyArray<string | number>>,
	change: Readonly<Record<number, IDataObject>> = {},
) {
	const rows = readRows(PAYOUTS, cells.map(toRow));
	const checks = rows.map((row, index) => ({ ...checkRow(row), ...change[index] }));
	return { 'Each Row': rows, 'Check Batch': checks };
}

const GOOD = [
	['NF-1', 'Ana Souza', '', '390.533.447-05', '', '25,00'],
	['NF-2', 'Padaria Estrela', '', '45.819.027/0001-49', '', '1.234,56'],
] as const;

describe('what is wrong with a row, for somebody who reads Portuguese', () => {
	it.each([
		['', '', '', '111.444.777-35', '', '25', /^Sem número da nota$/],
		['2,0261E+19', '', '', '111.444.777-35', '', '25', /número da nota/],
		['NF\ufffd1', '', '', '111.444.777-35', '', '25', /acentos se perderam/],
		['#N/D', '', '', '111.444.777-35', '', '25', /fórmula da planilha/],
		['s/n', '', '', '111.444.777-35', '', '25', /só este pagamento/],
		['NF-1', '', '', '', '', '25', /^Sem chave PIX$/],
		['NF-1', '', '', '111.444.777-36', '', '25', /CPF com dígito verificador errado. Peça a chave/],
		['NF-1', '', '', '4133334444', '', '25', /telefone sem \+55. .*escreva \+55, o DDD/],
		['NF-1', '', '', '33334444', '', '25', /sem DDD/],
		['NF-1', '', '', '5541998765432', '', '25', /sem o sinal \+/],
		['NF-1', '', '', '+5520998765432', '', '25', /esse telefone não existe/],
		['NF-1', '', '', '4,5387E+13', '', '25', /Chave PIX: o Excel estragou o número/],
		['NF-1', '', '', 'ana@', '', '25', /e-mail errado/],
		['NF-1', '', '', 'josé@payee.example', '', '25', /acento/],
		['NF-1', '', '', 'ana@payee.example', 'PIX', '25', /Tipo de chave desconhecido: PIX/],
		['NF-1', '', '', 'ana@payee.example', 'CNPJ', '25', /O tipo da chave diz CNPJ/],
		['NF-1', '', '', 'banana', '', '25', /não é CPF, CNPJ, e-mail/],
		['NF-1', '', '', 'ana@payee.example', '', '', /^Sem valor$/],
		['NF-1', '', '', 'ana@payee.example', '', '1.234', /1\.234 pode ser R\$ 1\.234,00 ou R\$ 1,23/],
		['NF-1', '', '', 'ana@payee.example', '', '33,3333', /mais de duas casas/],
		['NF-1', '', '', 'ana@payee.example', '', '-25,00', /^Valor negativo: .*tire a linha/],
		['NF-1', '', '', 'ana@payee.example', '', 'vinte', /Valor ilegível/],
		['NF-1', '', '', 'ana@payee.example', '', '9,50', /Abaixo do valor mínimo, R\$ 10,00/],
		['NF-1', '', '', 'ana@payee.example', '', '9.999.999,00', /Acima do maior valor/],
		['NF-1', '', '111.444.777-36', 'ana@payee.example', '', '25', /CPF de quem recebe com dígito/],
		['NF-1', '', 'banana', 'ana@payee.example', '', '25', /CPF ou CNPJ de quem recebe inválido/],
		['NF-1', '', '390.533.447-05', '111.444.777-35', '', '25', /não é o da chave PIX/],
		['NF-1', '', '', '', '', '', /^Linha sem valor e sem chave PIX$/],
		// Somebody is forgotten, and not an empty row.
		['', 'Fornecedor esquecido', '', '', '', '', /Linha sem valor e sem chave PIX/],
	] as const)('%s %s %s %s %s %s', (...row) => {
		const cells = row.slice(0, 6) as string[];
		const { results } = check(PAYOUTS, checkList([...GOOD, cells]));
		const { reason, state, result } = results.at(-1)!;
		expect([state, result]).toEqual(['refused', 'RECUSADO']);
		expect(reason).toMatch(row[6]);
		if (!reason.includes('inválido: ')) expect(reason).not.toMatch(/\b(the|is|with|and|Write)\b/);
	});

	it('every code that the check may find has Portuguese words', () => {
		const code = LISTS.map((file) => find(readNodes(file), 'Checked List').parameters.jsCode);
		const sources = ['withdrawal/payout', 'orders/texts', 'withdrawal/assessBatch'].map((file) =>
			readFileSync(join(folder, `../nodes/BrlPayments/${file}.ts`), 'utf8'),
		);
		const codes = sources.flatMap((source) =>
			[...source.matchAll(/code: '([A-Z_]+)'|'(INVALID_[A-Z_]+)'/g)].map(
				([, one, other]) => one ?? other!,
			),
		);

		// The examples pay with references, and charge nobody.
		const others = /^(CHARGE_|EX|EQUAL_ROWS|ROWS_CHANGED|REFERENCE_NEEDED)/;
		const ofPayouts = [...new Set(codes)].filter((one) => !others.test(one));
		expect(ofPayouts.length).toBeGreaterThan(10);
		for (const each of code) for (const one of ofPayouts) expect(each).toContain(`['${one}', `);
	});
});

describe('the e-mail that asks', () => {
	it('says so of a test key, of what was paid before and is not paid again, and of what to look at', () => {
		const batch = { batchAvailableBalance: null };
		const warnings = [
			'No recipient document: the service will use the one of your own company.',
			'R$ 25,00 is about 50 times less than the usual amount of this list, R$ 1.234,56. Compare it with your list.',
		];
		const { question, toPay } = check(
			PAYOUTS,
			checkList(GOOD, {
				0: { ...batch, warnings, paidBefore: null },
				1: { ...batch, paidBefore: true },
			}),
		);
		expect(toPay).toMatchObject([{ invoice: 'NF-1' }]);
		expect(question.subject).toBe('Pagamentos a aprovar: 1 novo, R$ 25,00 (1 já pago)');
		expect(question.message).toMatch(/^Conta: chave de teste, nenhum dinheiro sai\.\n/);
		expect(question.message).toContain('Já pagos antes: 1, R$ 1.234,56. Não serão pagos de novo.');
		expect(question.message.match(/^ATENÇÃO: .+$/gm)).toEqual([
			'ATENÇÃO: uma tentativa anterior ficou sem resposta: só será pago se ainda não foi',
			'ATENÇÃO: sem CPF ou CNPJ de quem recebe: o banco pode recusar',
			'ATENÇÃO: valor muito diferente dos outros, que são de cerca de R$ 1.234,56',
		]);
	});

	it('pays nobody if the whole list is too much, and says why in each row', () => {
		const batch = {
			...{ batchOk: false, batchAvailableBalance: 10 },
			batchProblems: [{ code: 'INSUFFICIENT_BALANCE', message: 'R$ 1.262,56 exceeds' }],
		};
		const { toPay, results } = check(PAYOUTS, checkList(GOOD, { 0: batch, 1: batch }));
		expect(toPay).toEqual([]);
		for (const { reason } of results)
			expect(reason).toBe('Saldo insuficiente, contando as tarifas');
	});
});

describe('the report', () => {
	const asked = {
		...checkList(GOOD),
		'Ask for Approval': [{ data: { Decisão: 'Pagar', 'Seu nome': 'Joana' } }],
	};
	const { toPay } = check(PAYOUTS, asked);

	/** Both payouts were sent, in the order of *Rows to Pay*: the larger one first. */
	const pay = (first: IDataObject) =>
		check(PAYOUTS, {
			...{ ...asked, 'Rows to Pay': toPay },
			...{ Pay: [first, { id: 'w1', status: 'COMPLETED', alreadyPaid: false }] },
			'Wait for the Bank': [{}, {}],
		});

	it.each([
		['failed', 'FALHOU', { error: { code: 'WITHDRAWAL_NOT_PAID', message: 'm' } }],
		['under way', 'EM ANDAMENTO', { id: 'w', status: 'PENDING', alreadyPaid: false }],
		['under way', 'EM ANDAMENTO', { error: { effect: 'done', code: 'X', message: 'm' } }],
		['paid before', 'JÁ PAGO ANTES', { id: 'w', status: 'UNKNOWN', alreadyPaid: true }],
	])('calls a payout %s (%s), and the other one paid', (state, word, answer) => {
		const { results, report, inDoubt } = pay(answer);
		expect(results.map((row) => [row.state, row.result])).toEqual([
			['paid', 'PAGO'],
			[state, word],
		]);
		expect(report.subject).toMatch(/^Pagamentos: 1 pago, R\$ 25,00 \(1 .+\)$/);
		expect(report.text).toMatch(new RegExp(`^${word} +linha 3 `, 'm'));
		expect(inDoubt).toEqual([]);
	});

	it.each([
		['is deactivated', [{ reference: 'NF-2' }, { reference: 'NF-1' }]],
		['has Execute Once', [{ id: 'w', status: 'COMPLETED', alreadyPaid: false }]],
	])('does not call paid, or under way, what the node Pay has not sent, as it %s', (_how, Pay) => {
		const { results } = check(PAYOUTS, {
			...{ ...asked, 'Rows to Pay': toPay, Pay, 'Wait for the Bank': Pay },
		});
		expect(results[0]).toMatchObject({ result: 'NÃO PAGO' });
		expect(results[0]!.reason).toContain('O nó Pay não enviou esta linha');
	});

	it('says what was paid by another execution in the meantime', () => {
		const { report } = pay({ id: 'w', status: 'COMPLETED', alreadyPaid: true });
		expect(report.text).toMatch(/^JÁ PAGO ANTES .* Pago por outra execução/m);
		// What the account had before somebody approved.
		expect(report.text).toContain('Saldo ao conferir a lista: R$ 1.000,00.\n');
	});

	const [ANA, BIA] = ['ana@payee.example', 'bia@payee.example'];
	it.each<[string, IDataObject[], RegExp]>([
		[
			'another separator was used',
			[{ 'nota,valor,chave': '1,25,x' }, { 'nota,valor,chave': '2,25,x' }],
			/A planilha tem: nota,valor,chave\.[^]+ponto e vírgula/,
		],
		[
			'the column of the amount is missing',
			[
				{ nota: '1', chave: ANA },
				{ nota: '2', chave: BIA },
			],
			/^Faltam colunas ou valores\. A planilha tem: nota, chave\.\nNão encontrei: valor a pagar \(amount\)\./,
		],
	])('never calls a list empty if %s', (_case, list, text) => {
		const rows = readRows(PAYOUTS, list);
		const items = { 'Each Row': rows, 'Check Batch': rows.map(checkRow) };
		const { report, toPay: none } = check(PAYOUTS, items);
		expect(none).toEqual([]);
		expect(report.subject).toBe('Pagamentos: lista não reconhecida');
		expect(report.text).toMatch(text);
	});
});

it('is the same in all examples, except for what is particular to each list', () => {
	const parts = LISTS.map((file) =>
		(find(readNodes(file), 'Checked List').parameters.jsCode as string).split(
			'// From here on, the examples that pay a list are the same.',
		),
	);
	const [[head, rest], [sheetsHead, sheetsRest], [, salariesRest]] = parts as [
		string[],
		string[],
		string[],
	];
	expect(rest!.length).toBeGreaterThan(1000);
	expect([sheetsHead, sheetsRest, salariesRest]).toEqual([head, rest, rest]);
});
