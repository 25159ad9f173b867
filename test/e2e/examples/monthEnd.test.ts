/** The example that gives the accountant a month as CSV and XLSX, in a real n8n. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import { MONTH_EXAMPLE } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { Payment } from '../../../dev/sandbox';
import { DAY_MS, getError, legible, toDay, useExampleWorld } from './exampleWorld';

const ACCOUNTING = 'accounting@example.com';

const world = useExampleWorld();

/** n8n's own library for spreadsheets. */
interface Library {
	read(file: Buffer): { SheetNames: string[]; Sheets: Record<string, object> };
	utils: { sheet_to_json(sheet: object): IDataObject[] };
}

/** The only sheet of a file. */
function readSheet(file: Buffer): IDataObject[] {
	const load = createRequire(join(world.host.folder, 'package.json'));
	const { read, utils } = load('@e965/xlsx') as Library;
	const { SheetNames, Sheets } = read(file);
	expect(SheetNames).toEqual(['Fechamento']);
	return utils.sheet_to_json(Sheets.Fechamento!);
}

interface Month {
	mail: Mail;
	csv: string;
	/** The lines of the CSV file by their column. */
	lines: Array<Record<string, string>>;
	sheet: IDataObject[];
}

/** Runs it for yesterday and today, and reads what it has sent. */
async function run(): Promise<Month> {
	const [from, to] = [toDay(Date.now() - DAY_MS), toDay(Date.now())];
	await world.setUpExample(MONTH_EXAMPLE, { from, to });
	const [mail, execution] = await world.nextMail(
		ACCOUNTING,
		async () => await world.runExample(MONTH_EXAMPLE, 'Every Month'),
	);
	expect(getError(execution)).toBeUndefined();
	const name = `fechamento-${from}-a-${to}`;
	expect(mail.attachments!.map(({ fileName }) => fileName)).toEqual([
		`${name}.csv`,
		`${name}.xlsx`,
	]);
	const csv = (await world.mailbox.attachment(mail, 0)).toString('utf8');
	const lines: Month['lines'] = parse(csv, { bom: true, delimiter: ';', columns: true });
	const sheet = readSheet(await world.mailbox.attachment(mail, 1));
	return { mail, csv, lines, sheet };
}

const pay = (count: number) => {
	const payments = Array.from({ length: count }, (_, index) =>
		world.seedPayment({
			...{ submittedCents: 1_010 + 7 * index, createdAt: Date.now() - 20 * DAY_MS },
			...{ description: `=Pedido;${index}`, customer: { name: 'Maria', document: '01234567890' } },
		}),
	);
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	return payments;
};

const withdraw = (amountCents: number) => {
	const environment = 'PRODUCTION' as const;
	const { id } = world.sandbox.payByOtherTool({ environment, amountCents });
	world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
	return world.sandbox.books.withdrawals.find((withdrawal) => withdrawal.id === id)!;
};

/** Refunds a payment, and waits until the money is back. Returns the TxID of the refund. */
async function refund({ id }: Payment): Promise<string> {
	const response = await fetch(`${world.sandbox.url}/v1/payments/${id}/refund`, {
		method: 'POST',
		headers: {
			authorization: `Bearer ${world.sandbox.keys.live}`,
			'content-type': 'application/json',
			'x-idempotency-key': id,
		},
		body: JSON.stringify({ reason: 'Order cancelled' }),
	});
	const { refund: made } = (await response.json()) as { refund: { txId: string } };
	await waitFor(() => world.sandbox.books.refunds.some(({ status }) => status === 'COMPLETED'), {
		what: 'the refund to be done',
		timeoutMs: 15_000,
	});
	return made.txId;
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const reais = (cents: number) =>
	legible((cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' }));
const comma = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');

/** What the balance has changed by, as the service counts it. */
async function statedChange(): Promise<number> {
	const day = [toDay(Date.now() - DAY_MS), toDay(Date.now())];
	const url = `${world.sandbox.url}/v1/documents/statements?startDate=${day[0]}&endDate=${day[1]}&format=text`;
	const headers = { authorization: `Bearer ${world.sandbox.keys.live}` };
	const { content } = (await (await fetch(url, { headers })).json()) as { content: string };
	const read = (name: string) => {
		const [, sign, digits] = new RegExp(`${name} balance: (-?)R\\$ ([\\d.,]+)`).exec(content)!;
		return Number(`${sign}${digits!.replace(/[.,]/g, '')}`);
	};
	return read('Closing') - read('Opening');
}

it('agrees with the statement to the centavo, in both files and the e-mail', async () => {
	const payments = pay(123);
	const withdrawals = [withdraw(20_010), withdraw(30_033)];
	// What is not of these days, or moved no money.
	world.seedPayment({ status: 'PAID', createdAt: Date.now() - 5 * DAY_MS });
	world.seedPayment({ status: 'EXPIRED', createdAt: Date.now() });
	world.seedWithdrawal({ status: 'FAILED', createdAt: Date.now(), processedAt: Date.now() });

	const { mail, csv, lines, sheet } = await run();

	expect(mail.subject).toMatch(/^Fechamento de \p{L}+ de \d{4}: 0 diferenças$/u);
	const net = sum(payments.map(({ netCents }) => netCents));
	const fees = sum(payments.map(({ feeCents }) => feeCents));
	const out = sum(withdrawals.map(({ amountCents, feeCents }) => amountCents + feeCents));
	const outFees = sum(withdrawals.map(({ feeCents }) => feeCents));
	expect(await statedChange()).toBe(net - out);
	expect(mail.text).toContain(`Variação do saldo: ${reais(net - out)}\n`);
	expect(mail.text).toContain(`Extrato: ${reais(net - out)}, diferença de R$ 0,00\n`);
	expect(mail.text).toContain(`Tarifas do mês: ${reais(fees + outFees)}\n`);
	expect(mail.text).toContain('Diferenças\nNenhuma.');

	expect(csv).toMatch(
		/^\uFEFFdata;tipo;TxID;ID;forma;situação;nome ou chave PIX;CPF ou CNPJ;descrição;referência;valor;tarifa;variação do saldo;no extrato;diferença\r\n/,
	);
	const first = lines.find(({ ID }) => ID === payments[0]!.id)!;
	expect(first).toMatchObject({
		...{ tipo: 'recebimento', forma: 'PIX', situação: 'pago', 'CPF ou CNPJ': "'01234567890" },
		...{ descrição: "'=Pedido;0", valor: comma(payments[0]!.amountCents) },
		data: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/),
	});
	expect(lines.slice(-3).map((line) => [line.tipo, line['variação do saldo']])).toEqual([
		['total de recebimentos', comma(net)],
		['total de saques', comma(-out)],
		['total do mês', comma(net - out)],
	]);
	expect(lines).toHaveLength(123 + 2 + 3);

	// The same in the spreadsheet, where amounts are numbers and texts are as they were.
	expect(sheet).toHaveLength(lines.length);
	expect(sheet.find(({ ID }) => ID === payments[0]!.id)).toMatchObject({
		...{ descrição: '=Pedido;0', 'CPF ou CNPJ': '01234567890' },
		valor: payments[0]!.amountCents / 100,
	});
	const cents = sheet
		.slice(0, -3)
		.map((line) => Math.round(Number(line['variação do saldo']) * 100));
	expect(sum(cents)).toBe(net - out);
	expect(sheet.at(-1)).toMatchObject({ tipo: 'total do mês', 'no extrato': (net - out) / 100 });
});

it('names each difference, and all together explain the difference of the totals', async () => {
	const [fine, disputed, refunded] = pay(3) as [Payment, Payment, Payment];
	world.sandbox.setPaymentStatus(disputed.id, 'CHARGEBACK');
	const refundTxId = await refund(refunded);
	// The lists have these, and the statement has no movement of them.
	const unstated = world.seedPayment({ status: 'PAID', createdAt: Date.now(), amountCents: 5_000 });
	const withdrawal = world.seedWithdrawal({ status: 'COMPLETED', createdAt: Date.now() });

	const { mail, lines } = await run();

	const found = lines
		.filter(({ diferença }) => diferença)
		.map((line) => [line.TxID, line.diferença]);
	expect(found.sort()).toEqual(
		[
			[disputed.txId, 'contestado, o extrato mostra o estorno'],
			[refundTxId, 'só no extrato'],
			[unstated.txId, 'não está no extrato'],
			[withdrawal.txId, 'não está no extrato'],
		].sort(),
	);
	expect(mail.subject).toContain(': 4 diferenças');
	expect(mail.text).not.toContain(fine.txId);
	const listed = sum([fine, disputed, refunded, unstated].map(({ netCents }) => netCents));
	const change = listed - withdrawal.amountCents - withdrawal.feeCents;
	const stated = await statedChange();
	expect(mail.text).toContain(
		`Extrato: ${reais(stated)}, diferença de ${reais(stated - change)}\n`,
	);
});

it('writes the files also if the statement cannot be read, and for days without a movement', async () => {
	world.sandbox.faults.add({
		...{ method: 'GET', path: '/v1/documents/statements', kind: 'error', times: Infinity },
		code: 'FORBIDDEN',
	});
	const empty = await run();
	expect(empty.lines.map(({ tipo }) => tipo)).toEqual([
		'total de recebimentos',
		'total de saques',
		'total do mês',
	]);
	pay(2);
	const { mail, lines } = await run();
	expect(mail.text).toContain('Extrato: não pôde ser lido, e não foi comparado');
	expect(lines.map((line) => [line['no extrato'], line.diferença])).toEqual(
		Array.from({ length: 5 }, () => ['', '']),
	);
});
