/** The examples that compare and report what has moved, to accounting, in a real n8n. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';

import {
	forgetPayouts,
	MONTH_EXAMPLE,
	RECONCILIATION_EXAMPLE,
	STATEMENT_EXAMPLE,
} from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { filesFolder } from '../../../dev/n8n/process/environment';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { Execution } from '../../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	manualStart,
	payEachItem,
} from '../../../dev/n8n/rest/workflow';
import type { Payment } from '../../../dev/sandbox';
import { LEDGER_NAME } from '../../../nodes/BrlPayments/ledger/findTable';
import { COLUMNS } from '../../../nodes/BrlPayments/ledger/tableRow';
import { makeInvoices, type Payout } from '../support/payouts';
import { DAY_MS, getError, legible, toDay, useExampleWorld } from './exampleWorld';

const world = useExampleWorld();

/** What an example sends to accounting when it runs without an error. */
async function mailOf(run: () => Promise<Execution>): Promise<Mail> {
	const [mail, execution] = await world.nextMail('accounting@example.com', run);
	expect(getError(execution)).toBeUndefined();
	return mail;
}

/** Yesterday in São Paulo, as `YYYY-MM-DD`. */
const yesterday = () => toDay(Date.now() - DAY_MS);
/** A day as Brazilians write it. */
const inWords = (day: string) => day.split('-').reverse().join('/');

const refuseStatements = () =>
	world.sandbox.faults.add({
		...{ method: 'GET', path: '/v1/documents/statements', kind: 'error', times: Infinity },
		code: 'FORBIDDEN',
	});

describe('the archive of statements', () => {
	const run = async () => await world.runExample(STATEMENT_EXAMPLE, 'Every Day at 06:00');

	it('saves the statement of yesterday and sends it, the same again when it runs again', async () => {
		const day = yesterday();
		const name = `extrato-${day}.html`;
		for (let count = 0; count < 2; count += 1) {
			const mail = await mailOf(run);
			expect(mail.subject).toBe(`Extrato de ${inWords(day)}`);
			expect(mail.attachments).toEqual([expect.objectContaining({ fileName: name })]);
			const archived = await readFile(join(filesFolder(world.n8n.userFolder), name), 'utf8');
			expect(archived).toContain(`Period: ${day} to ${day}`);
			expect((await world.mailbox.attachment(mail)).toString('utf8')).toBe(archived);
		}
	});

	it('takes other days, with the movements in them', async () => {
		const payments = [1_010, 2_020].map((amountCents) => world.seedPayment({ amountCents }));
		for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
		const [from, to] = [yesterday(), toDay(Date.now())];
		await world.setUpExample(STATEMENT_EXAMPLE, { from, to });
		const mail = await mailOf(run);
		expect(mail.attachments).toEqual([
			expect.objectContaining({ fileName: `extrato-${from}-a-${to}.html` }),
		]);
		const statement = (await world.mailbox.attachment(mail)).toString('utf8');
		for (const { txId } of payments) expect(statement).toContain(txId);
	});
});

describe('the end of the month', () => {
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
		const [from, to] = [yesterday(), toDay(Date.now())];
		await world.setUpExample(MONTH_EXAMPLE, { from, to });
		const mail = await mailOf(async () => await world.runExample(MONTH_EXAMPLE, 'Every Month'));
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
				...{
					description: `=Pedido;${index}`,
					customer: { name: 'Maria', document: '01234567890' },
				},
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
		const parameters = { paymentId: id, reason: 'Order cancelled', options: {} };
		const nodes = [...manualStart([{}]), brlPayments('Refund', 'payment', 'refund', parameters)];
		await world.run(buildWorkflow('Refund', nodes));
		await waitFor(() => world.sandbox.books.refunds.some(({ status }) => status === 'COMPLETED'), {
			...{ what: 'the refund to be done', timeoutMs: 15_000 },
		});
		return world.sandbox.books.refunds.at(-1)!.txId;
	}

	const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
	const reais = (cents: number) =>
		legible((cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' }));
	const comma = (cents: number) => (cents / 100).toFixed(2).replace('.', ',');

	/** What the balance has changed by, as the service counts it. */
	async function statedChange(): Promise<number> {
		const days = `startDate=${yesterday()}&endDate=${toDay(Date.now())}`;
		const url = `${world.sandbox.url}/v1/documents/statements?${days}&format=text`;
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
		const unstated = world.seedPayment({
			status: 'PAID',
			createdAt: Date.now(),
			amountCents: 5_000,
		});
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
		refuseStatements();
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
});

describe('the daily reconciliation', () => {
	const run = async () => await world.runExample(RECONCILIATION_EXAMPLE, 'Every Day at 06:00');

	it('writes the rows of yesterday and their totals, each once, also when it runs again', async () => {
		const before = Date.now() - DAY_MS;
		const wanted = Array.from({ length: 104 }, (_value, index) =>
			world.seedPayment({ submittedCents: 1_010 + index, createdAt: before, status: 'PAID' }),
		);
		wanted.push(world.seedPayment({ submittedCents: 990, createdAt: before }));
		world.seedPayment({ submittedCents: 5_555, createdAt: before - 2 * DAY_MS, status: 'PAID' });
		world.seedPayment({ submittedCents: 6_666, createdAt: before + 2 * DAY_MS, status: 'PAID' });
		const withdrawals = [
			world.seedWithdrawal({ amountCents: 20_010, createdAt: before, status: 'COMPLETED' }),
			world.seedWithdrawal({ amountCents: 30_020, createdAt: before, status: 'COMPLETED' }),
		];

		expect(getError(await run())).toBeUndefined();
		expect(getError(await run())).toBeUndefined();

		const rows = await world.tableRows('Movements by day');
		expect(rows.map(({ txId }) => txId).sort()).toEqual(
			[...wanted, ...withdrawals].map(({ txId }) => txId).sort(),
		);
		const [first] = wanted as [(typeof wanted)[0]];
		expect(rows.find(({ txId }) => txId === first.txId)).toMatchObject({
			day: yesterday(),
			kind: 'payment',
			status: 'PAID',
			method: 'PIX',
			amount: first.amountCents / 100,
			fee: first.feeCents / 100,
			net: first.netCents / 100,
			created: new Date(first.createdAt).toISOString(),
			paid: new Date(first.createdAt).toISOString(),
		});
		const paid = wanted.filter(({ status }) => status === 'PAID');
		const totals = await world.tableRows('Totals by day');
		expect(totals).toHaveLength(3);
		expect(totals).toContainEqual(
			expect.objectContaining({
				kind: 'payment',
				status: 'PAID',
				number: 104,
				amount: paid.reduce((sum, { amountCents }) => sum + amountCents, 0) / 100,
				fee: (104 * first.feeCents) / 100,
			}),
		);
		expect(totals).toContainEqual(
			expect.objectContaining({
				kind: 'withdrawal',
				status: 'COMPLETED',
				number: 2,
				amount: 500.3,
			}),
		);
	});

	it('counts a movement once, under the status that it has now, and leaves other days alone', async () => {
		const withdrawal = world.seedWithdrawal({
			...{ amountCents: 10_000, createdAt: Date.now() - DAY_MS, status: 'PROCESSING' },
		});
		await world.addTableRows('Totals by day', { day: '2020-01-31', kind: 'payment', number: 7 });
		await run();
		withdrawal.status = 'COMPLETED';
		await run();
		const totals = await world.tableRows('Totals by day');
		const net = (10_000 + withdrawal.feeCents) / 100;
		expect(totals.filter(({ day }) => day === yesterday())).toEqual([
			expect.objectContaining({
				...{ kind: 'withdrawal', status: 'COMPLETED', number: 1, amount: 100, net },
			}),
		]);
		expect(totals).toContainEqual(expect.objectContaining({ day: '2020-01-31', number: 7 }));
	});

	it('reports what does not add up', async () => {
		const createdAt = Date.now() - DAY_MS;
		const missed = world.seedPayment({ createdAt, status: 'PAID' });
		const disputed = world.seedPayment({ createdAt, status: 'CHARGEBACK' });
		const fine = world.seedPayment({ createdAt, status: 'EXPIRED' });
		const failed = world.seedWithdrawal({
			createdAt,
			status: 'FAILED',
			errorMessage: 'The account is closed',
		});
		const waiting = world.seedWithdrawal({ createdAt, status: 'PROCESSING' });
		const done = world.seedWithdrawal({ createdAt, status: 'COMPLETED' });

		const mail = await mailOf(run);

		expect(mail.subject).toBe(`Conciliação de ${inWords(yesterday())}: 4 diferenças`);
		for (const difference of [
			`Pago, mas nenhum evento chegou: pagamento ${missed.txId}`,
			`Contestado (CHARGEBACK): pagamento ${disputed.txId}`,
			`Não pago (The account is closed): saque ${failed.txId}`,
			`Ainda em andamento: saque ${waiting.txId}`,
		]) {
			expect(mail.text).toContain(difference);
		}
		for (const { txId } of [fine, done]) expect(mail.text).not.toContain(txId);
	});

	it('shows which reference a withdrawal paid, and in which execution', async () => {
		const createdAt = Date.now() - DAY_MS;
		const [failed, other] = [1, 2].map(() => world.seedWithdrawal({ createdAt, status: 'FAILED' }));
		await world.createTable(LEDGER_NAME, COLUMNS);
		await world.addTableRows(LEDGER_NAME, {
			...{ reference: 'NF-77', status: 'failed', withdrawalId: failed!.id, execution: '41' },
		});

		const mail = await mailOf(run);

		expect(mail.text).toContain(`saque ${failed!.txId}, NF-77, execução 41, R$`);
		expect(mail.text).toContain(`saque ${other!.txId}, R$`);
		const rows = await world.tableRows('Movements by day');
		expect(rows.find(({ txId }) => txId === failed!.txId)).toMatchObject({
			...{ reference: 'NF-77', execution: '41' },
		});
	});

	it('finds events in its own table, not in one with a longer name', async () => {
		const seed = () => world.seedPayment({ createdAt: Date.now() - DAY_MS, status: 'PAID' });
		const [arrived, other] = [seed(), seed()];
		for (const [table, { txId }] of [
			['Payments received', arrived],
			['Payments received (copy)', other],
		] as const) {
			await world.createTable(table, [
				['txId', 'string'],
				['receivedAt', 'string'],
			]);
			await world.addTableRows(table, { txId, receivedAt: new Date().toISOString() });
		}
		const mail = await mailOf(run);
		expect(mail.subject).toContain(': 1 diferença');
		expect(mail.text).toContain(`Pago, mas nenhum evento chegou: pagamento ${other.txId}`);
		expect(mail.text).not.toContain(arrived.txId);
	});

	it('reports a day without movements, too', async () => {
		const mail = await mailOf(run);
		expect(mail.subject).toContain(': 0 diferenças');
		expect(mail.text).toContain('Nenhum movimento neste dia.');
	});
});

describe('the audit of payouts', () => {
	const HOUR_MS = DAY_MS / 24;

	beforeEach(async () => {
		await forgetPayouts(world.client);
		// The test says what becomes of each.
		world.sandbox.account.withdrawalCompletionDelayMs = HOUR_MS;
	});

	async function pay(references: readonly string[]): Promise<Payout[]> {
		const rows = makeInvoices(references);
		const node = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
		const execution = await world.run(buildWorkflow('Pay', [...manualStart(rows), node]));
		expect(getError(execution)).toBeUndefined();
		return rows;
	}

	/** What the table has beside payouts. */
	async function charge(orders: readonly string[]): Promise<void> {
		const node = brlPayments('Charge', 'payment', 'create', {
			...{ chargeBy: 'amount', amount: '50,02', methods: ['PIX'], mode: 'headless' },
			...{ additionalFields: { externalId: '={{ $json.order }}' }, options: {} },
		});
		const items = orders.map((order) => ({ order }));
		const execution = await world.run(buildWorkflow('Charge', [...manualStart(items), node]));
		expect(getError(execution)).toBeUndefined();
	}

	function completeAll(): void {
		for (const { id, status } of world.sandbox.books.withdrawals) {
			if (status !== 'FAILED') world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		}
	}

	it('leaves out charges, which the table has as well', async () => {
		await pay(['NF-1', 'NF-2']);
		await charge(['NF-1', 'PED-2']);
		completeAll();

		const { lines, mail } = await world.audit();

		expect(lines.map(({ referência, diferença }) => [referência, diferença]).sort()).toEqual([
			['NF-1', ''],
			['NF-2', ''],
		]);
		expect(mail.text).toContain('Referências pagas na tabela BRL Payouts: 2');
	});

	it('finds no difference if all three lists agree, and writes what Excel reads in Brazil', async () => {
		const [first] = await pay(['=NF;1', 'NF-2']);
		completeAll();

		const { mail, file, lines } = await world.audit();

		expect(lines.map(({ diferença }) => diferença)).toEqual(['', '']);
		expect(mail.subject).toMatch(
			/^Conferência dos pagamentos de [\d/]{10} a [\d/]{10}: 0 diferenças$/,
		);
		expect(mail.text).toContain('Saques no serviço: 2');
		expect(mail.text).toContain('Referências pagas na tabela BRL Payouts: 2');
		expect(mail.text).toContain('Extrato: comparado');
		const text = file.toString('utf8');
		expect(text).toMatch(
			/^\uFEFFreferência;situação;valor;tarifa;chave PIX;ID do saque;TxID;criado em;concluído em;no extrato;fluxo;execução;diferença\r\n/,
		);
		expect(text).toContain(`"'=NF;1";concluído;100,50;1,50;${first!.pixKey};`);
		const { id } = world.sandbox.books.withdrawals.find(({ pixKey }) => pixKey === first!.pixKey)!;
		expect(lines.find((line) => line['ID do saque'] === id)).toMatchObject({
			TxID: expect.stringMatching(/^WIT/),
			'criado em': expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
			'no extrato': 'sim',
			fluxo: expect.stringMatching(/^\w+$/),
			execução: expect.stringMatching(/^\d+$/),
		});
	});

	it('names each difference between the table, the service and the statement', async () => {
		await pay(['Agrees', 'Refused', 'Other', 'Gone', 'Open', 'Twice']);
		const find = (cents: number) =>
			world.sandbox.books.withdrawals.find(({ amountCents }) => amountCents === cents)!;
		world.sandbox.setWithdrawalStatus(find(10_151).id, 'FAILED');
		await world.editLedger('Other', { amount: 99 });
		await world.editLedger('Gone', { withdrawalId: '00000000-0000-4000-8000-000000000000' });
		await world.editLedger('Open', { status: 'sending', withdrawalId: null });
		const strange = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 4_321 });
		const second = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 10_555 });
		await world.addTableRows('BRL Payouts', {
			...{ reference: 'Twice', status: 'paid', withdrawalId: second.id, environment: 'live' },
		});
		completeAll();
		// Completed without a movement in the statement.
		const unstated = world.seedWithdrawal({ createdAt: Date.now(), status: 'COMPLETED' });

		const { mail, lines } = await world.audit();

		const found = lines
			.filter(({ diferença }) => diferença)
			.map((line) => [line.referência, line['ID do saque'], line.diferença]);
		const onlyInService = 'só no serviço: a tabela não conhece este saque';
		const unknown = 'não se sabe se foi pago: rode a lista de novo';
		const twice = 'a referência foi paga mais de uma vez';
		expect(found.sort()).toEqual(
			[
				['Refused', find(10_151).id, 'pago na tabela, mas o banco recusou'],
				['Other', find(10_252).id, 'outro valor na tabela: 99,00'],
				['', find(10_353).id, onlyInService],
				[
					'Gone',
					'00000000-0000-4000-8000-000000000000',
					'só na tabela: o serviço não mostra este saque',
				],
				['', find(10_454).id, onlyInService],
				['Open', '', unknown],
				['', strange.id, onlyInService],
				['Twice', find(10_555).id, twice],
				['Twice', second.id, twice],
				['', unstated.id, `${onlyInService}, não está no extrato`],
			].sort(),
		);
		expect(mail.subject).toContain(': 10 diferenças');
		expect(mail.text).toContain(`${onlyInService}: R$ 43,21`);
	});

	it('says of a reference that the bank refused first, and a second withdrawal paid, that it is paid', async () => {
		await pay(['Paid Later']);
		const [first] = world.sandbox.books.withdrawals;
		world.sandbox.setWithdrawalStatus(first!.id, 'FAILED');
		const second = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 10_050 });
		await world.addTableRows('BRL Payouts', {
			...{ reference: 'Paid Later', status: 'paid', withdrawalId: second.id, environment: 'live' },
		});
		completeAll();

		const { mail, lines } = await world.audit();

		expect(
			lines
				.map((line) => [line['ID do saque'], line.referência, line.situação, line.diferença])
				.sort(),
		).toEqual(
			[
				[first!.id, 'Paid Later', 'falhou, pago por outro saque', ''],
				[second.id, 'Paid Later', 'concluído', ''],
			].sort(),
		);
		expect(mail.subject).toContain(': 0 diferenças');
	});

	it('compares the other two lists if the statement cannot be read', async () => {
		await pay(['NF-3']);
		completeAll();
		refuseStatements();

		const { mail, lines } = await world.audit();

		expect(mail.text).toContain('Extrato: não pôde ser lido, e não foi comparado');
		expect(lines.map((line) => [line['no extrato'], line.diferença])).toEqual([['', '']]);
	});
});
