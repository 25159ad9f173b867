/** The examples that compare and report what has moved, what is missing and what is disputed, in a real n8n. */
import type { IDataObject } from 'n8n-workflow';

import { listExamples, readExample, RECONCILIATION_EXAMPLE } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { isEnded, type Execution } from '../../../dev/n8n/rest/executionData';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import {
	buildWorkflow,
	manualStart,
	payEachItem,
	webhookStart,
} from '../../../dev/n8n/rest/workflow';
import type { Payment } from '../../../dev/sandbox';
import { makeInvoices, makePayouts } from '../support/payouts';
import { LEDGER_NAME } from '../../../nodes/shared/n8n/dataTable';
import { loadXlsx } from '../support/xlsx';
import { DAY_MS, getError, legible, MINUTE_MS, toDay, useExampleWorld } from './exampleWorld';

const ALERT_EXAMPLE = 'alert.json';
const DISPUTE_EXAMPLE = 'dispute-desk.json';
const MONTH_EXAMPLE = 'month-end.json';

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

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe('the end of the month', () => {
	/** Runs it for yesterday and today; returns the e-mail to accounting, and the lines of the sheet with it. */
	async function run(): Promise<{ mail: Mail; lines: IDataObject[] }> {
		const [from, to] = [yesterday(), toDay(Date.now())];
		await world.setUpExample(MONTH_EXAMPLE, { from, to });
		const mail = await mailOf(async () => await world.runExample(MONTH_EXAMPLE, 'Every Month'));
		const fileName = `fechamento-${from}-a-${to}.xlsx`;
		expect(mail.attachments).toMatchObject([{ fileName }]);
		const { read, utils } = loadXlsx(world.host);
		const { SheetNames, Sheets } = read(await world.mailbox.attachment(mail));
		expect(SheetNames).toEqual(['Fechamento']);
		return { mail, lines: utils.sheet_to_json(Sheets.Fechamento!, { defval: '' }) };
	}

	const pay = (count: number) => {
		const payments = Array.from({ length: count }, (_, index) =>
			world.seedPayment({
				...{ submittedCents: 1_010 + 7 * index, createdAt: Date.now() - 20 * DAY_MS },
				...{ description: `=Pedido;${index}`, customer: { document: '00734120664' } },
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

	const reais = (cents: number) =>
		legible((cents / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' }));

	/** What the balance has changed by, as the service counts it. */
	async function statedChange(): Promise<number> {
		const days = `startDate=${yesterday()}&endDate=${toDay(Date.now())}`;
		const url = `${world.sandbox.url}/v1/documents/statements?${days}&format=text`;
		const headers = { authorization: `Bearer ${world.sandbox.keys.live}` };
		const { content } = (await (await fetch(url, { headers })).json()) as { content: string };
		const read = (name: string) => {
			const [, sign, digits] = new RegExp(`Saldo ${name}: (-?)R\\$ ([\\d.,]+)`).exec(content)!;
			return Number(`${sign}${digits!.replace(/[.,]/g, '')}`);
		};
		return read('final') - read('inicial');
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

	it('shows which reference each withdrawal paid, and that one was paid twice', async () => {
		await world.emptyTable(LEDGER_NAME);
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
});

describe('the daily reconciliation', () => {
	const run = async () => await world.runExample(RECONCILIATION_EXAMPLE, 'Every Day at 06:00');

	it('writes the rows of yesterday and their totals, each once, also when it runs again', async () => {
		const before = Date.now() - DAY_MS;
		const wanted = Array.from({ length: 104 }, (_value, index) =>
			world.seedPayment({ submittedCents: 1_010 + index, createdAt: before, status: 'PAID' }),
		);
		wanted.push(world.seedPayment({ submittedCents: 990, createdAt: before }));
		const late = {
			createdAt: before - 9 * DAY_MS,
			paidAt: before,
			paymentMethod: 'BOLETO',
		} as const;
		wanted.push(world.seedPayment({ submittedCents: 980, status: 'PAID', ...late }));
		world.seedPayment({ submittedCents: 5_555, createdAt: before - 2 * DAY_MS, status: 'PAID' });
		world.seedPayment({ submittedCents: 6_666, createdAt: before + 2 * DAY_MS, status: 'PAID' });
		const withdrawals = [
			world.seedWithdrawal({ amountCents: 20_010, createdAt: before, status: 'COMPLETED' }),
			world.seedWithdrawal({ amountCents: 30_020, createdAt: before, status: 'COMPLETED' }),
		];
		world.seedWithdrawal({ createdAt: before - 2 * DAY_MS, status: 'COMPLETED' });

		expect(getError(await run())).toBeUndefined();
		expect(getError(await run())).toBeUndefined();

		const rows = await world.tableRows('Movements by day');
		expect(rows.map(({ txId }) => txId).sort()).toEqual(
			[...wanted, ...withdrawals].map(({ txId }) => txId).sort(),
		);
		const [first] = wanted as [Payment];
		const at = ({ createdAt }: Payment) => new Date(createdAt).toISOString();
		expect(rows.find(({ txId }) => txId === first.txId)).toMatchObject({
			...{ day: yesterday(), kind: 'payment', status: 'PAID', method: 'PIX' },
			...{ amount: first.amountCents / 100, fee: first.feeCents / 100, net: first.netCents / 100 },
			...{ created: at(first), paid: at(first) },
		});
		const amounts = wanted.slice(0, 104).map(({ amountCents }) => amountCents);
		const paid = { kind: 'payment', status: 'PAID', number: 104, amount: sum(amounts) / 100 };
		const sent = { kind: 'withdrawal', status: 'COMPLETED', number: 2, amount: 500.3 };
		const totals = await world.tableRows('Totals by day');
		expect(totals).toHaveLength(4);
		for (const total of [{ ...paid, fee: (104 * first.feeCents) / 100 }, sent]) {
			expect(totals).toContainEqual(expect.objectContaining(total));
		}
	});

	it('reports what does not add up', async () => {
		const createdAt = Date.now() - DAY_MS;
		const missed = world.seedPayment({ createdAt, status: 'PAID' });
		const disputed = world.seedPayment({ createdAt, status: 'CHARGEBACK' });
		const fine = world.seedPayment({ createdAt, status: 'EXPIRED' });
		const errorMessage = 'The account is closed';
		const failed = world.seedWithdrawal({ createdAt, status: 'FAILED', errorMessage });
		// The day before, it was called under way.
		const failedLater = world.seedWithdrawal({
			...{ createdAt: createdAt - DAY_MS, processedAt: createdAt, status: 'FAILED' },
		});
		const waiting = world.seedWithdrawal({ createdAt, status: 'PROCESSING' });
		const done = world.seedWithdrawal({ createdAt, status: 'COMPLETED' });

		const mail = await mailOf(run);

		expect(mail.subject).toBe(`Conciliação de ${inWords(yesterday())}: 5 diferenças`);
		for (const difference of [
			`Pago, mas nenhum evento chegou: pagamento ${missed.txId}`,
			`Contestado (CHARGEBACK): pagamento ${disputed.txId}`,
			`Não pago (The account is closed): saque ${failed.txId}`,
			`Não pago (FAILED): saque ${failedLater.txId}`,
			`Ainda em andamento: saque ${waiting.txId}`,
		]) {
			expect(mail.text).toContain(difference);
		}
		for (const { txId } of [fine, done]) expect(mail.text).not.toContain(txId);
	});
});

describe('the alert', () => {
	const RECIPIENT = 'alerts@example.com';
	const PAID = { status: 'PAID', createdAt: Date.now() - 3 * 60 * MINUTE_MS } as const;
	const check = async () => await world.runExample(ALERT_EXAMPLE, 'Every Hour');

	/** What one check sends; a second one right after it must have nothing to add. */
	async function readAlert(): Promise<Mail> {
		const [mail] = await world.nextMail(RECIPIENT, async () => {
			expect(getError(await check())).toBeUndefined();
			expect(getError(await check())).toBeUndefined();
		});
		return mail;
	}

	// The first check makes the table.
	beforeAll(async () => expect((await check()).status).toBe('success'), MINUTE_MS);

	it('reports, once, which paid payments have sent no event, and where to look', async () => {
		const missed = [
			world.seedPayment({ ...PAID, amountCents: 12_590 }),
			world.seedPayment({ ...PAID, amountCents: 48_000 }),
		];
		const arrived = world.seedPayment(PAID);
		const unpaid = world.seedPayment({ createdAt: PAID.createdAt });
		// Whoever has removed one of the two events of cards gets no row before it is paid.
		const confirmed = world.seedPayment({ ...PAID, status: 'CONFIRMED' });
		const late = world.seedPayment({ status: 'PAID', createdAt: Date.now() - MINUTE_MS });
		const receivedAt = new Date().toISOString();
		await world.addTableRows('Payments received', { txId: arrived.txId, receivedAt });

		const { subject, text } = await readAlert();

		expect(subject).toBe('Minha empresa: 2 avisos');
		for (const { txId } of missed) expect(text).toContain(txId);
		for (const { txId } of [arrived, unpaid, confirmed, late]) expect(text).not.toContain(txId);
		expect(text.replaceAll('\u00a0', ' ')).toContain('R$ 125,90');
		expect(text).toContain('se o endpoint foi suspenso');
	});

	it('reports an execution that failed, in a workflow that names it, and how to continue', async () => {
		const id = world.workflows[ALERT_EXAMPLE]!;
		await world.client.activateWorkflow(id);
		const nodes = [...webhookStart('pay-list'), payEachItem()];
		const workflow = buildWorkflow('Pay the list', nodes);
		const payer = await world.listen({ ...workflow, settings: { errorWorkflow: id } });
		world.sandbox.account.balanceCents = 0;
		const [mail, executionId] = await world.nextMail(
			RECIPIENT,
			async () => await world.trigger(payer, 'pay-list', { items: makePayouts(2) }),
		);

		expect(mail.subject).toBe('Falhou: Pay the list');
		expect(mail.text).toMatch(/balance/i);
		expect(mail.text).toContain(`/workflow/${payer}/executions/${executionId}`);
		expect(mail.text).toContain('clique em Retry. O que já foi pago não é pago de novo');
	});
});

describe('the dispute desk', () => {
	const TEAM = 'finance@example.com';

	/** Waits until each delivery has a response, and what it has started is done. */
	const settle = async () =>
		await waitFor(
			async () => {
				const { deliveries } = world.sandbox.webhooks;
				if (deliveries.some(({ status }) => status === 'PENDING')) return false;
				const executions = await world.client.listExecutions(world.workflows[DISPUTE_EXAMPLE]!);
				return executions.every(({ status }) => isEnded(status));
			},
			{ what: 'the workflow to end', timeoutMs: 30_000 },
		);
	const runDaily = async () =>
		expect(getError(await world.runExample(DISPUTE_EXAMPLE, 'Every Day at 08:00'))).toBeUndefined();

	const seedPaid = (amountCents: number, name: string, paymentMethod: 'PIX' | 'CARD') => {
		const payment = world.seedPayment({
			...{ amountCents, paymentMethod, description: `Pedido de ${name}` },
			customer: { name, document: '39053344705', documentType: 'CPF' },
		});
		world.sandbox.setPaymentStatus(payment.id, 'PAID');
		return payment;
	};

	const rowsOf = async ({ id }: Payment): Promise<IDataObject[]> =>
		(await world.tableRows('Disputes')).filter(({ paymentId }) => paymentId === id);

	/** The e-mails about a payment, the oldest first; waits for this many, and finds no more. */
	async function mailsAbout({ txId }: Payment, count: number): Promise<string[]> {
		await world.mailsTo(TEAM, count);
		const mails = (await world.mailbox.mails())
			.filter(({ text }) => text.includes(txId))
			.map(({ subject, text }) => legible(`${subject}\n${text}`));
		expect(mails).toHaveLength(count);
		return mails;
	}

	it('opens a row for each dispute, once, and closes each when it is over', async () => {
		await world.connectEvents(DISPUTE_EXAMPLE);
		await publishWorkflow(world.client, world.workflows[DISPUTE_EXAMPLE]!);
		const claimed = seedPaid(12_590, 'Maria', 'PIX');
		const disputed = seedPaid(48_000, 'Carlos', 'CARD');

		world.sandbox.setPaymentStatus(claimed.id, 'MED_FROZEN');
		world.sandbox.setPaymentStatus(disputed.id, 'CHARGEBACK');
		await settle();
		for (const { id } of [...world.sandbox.webhooks.deliveries]) {
			world.sandbox.webhooks.replay(id);
			world.sandbox.webhooks.resend(id);
		}
		await settle();
		await runDaily();

		const deadline = toDay(Date.now() + 7 * DAY_MS);
		for (const [payment, kind, payer] of [
			[claimed, 'MED', 'Maria'],
			[disputed, 'chargeback', 'Carlos'],
		] as const) {
			expect(await rowsOf(payment)).toMatchObject([
				{
					...{ kind, status: 'aberta', outcome: '', deadline, payer, closedAt: '' },
					...{ txId: payment.txId, amount: payment.amountCents / 100, receipt: '' },
					...{ payerDocument: '39053344705', description: `Pedido de ${payer}` },
				},
			]);
		}
		const [mail] = await mailsAbout(claimed, 1);
		expect(mail).toContain(
			`Contestação (MED) de R$ 125,90 de Maria: responder até ${inWords(deadline)}`,
		);
		expect(mail).toContain('O serviço não dá um comprovante deste pagamento agora.');
		await mailsAbout(disputed, 1);

		// The MED is refused, and sends an event. The chargeback is won, which sends none of the three.
		world.sandbox.setPaymentStatus(claimed.id, 'PAID');
		world.sandbox.setPaymentStatus(disputed.id, 'PAID');
		await settle();
		await runDaily();
		await runDaily();

		for (const payment of [claimed, disputed]) {
			expect(await rowsOf(payment)).toMatchObject([
				{
					...{ status: 'encerrada', outcome: 'o dinheiro ficou com você', deadline },
					receipt: expect.stringContaining(payment.txId),
				},
			]);
			const [, closed] = await mailsAbout(payment, 2);
			expect(closed).toContain('encerrada, o dinheiro ficou com você');
			expect(closed).toContain('Comprovante de pagamento');
		}
	});
});

it('all examples use only node types that this n8n has, in their latest version', async () => {
	const versions = await world.client.nodeTypes();
	for (const file of await listExamples()) {
		for (const { type, typeVersion } of (await readExample(file)).nodes) {
			const latest = Math.max(...(versions.get(type) ?? []));
			expect([file, type, typeVersion]).toEqual([file, type, latest]);
		}
	}
});
