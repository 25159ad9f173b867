/** The examples that charge, remind or refund customers, by forms and e-mails, in a real n8n. */
import { LINK_EXAMPLE, REFUND_EXAMPLE, REMINDER_EXAMPLE } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { APPROVER } from '../../../dev/demo/payouts/approval';
import { submitForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { getItems, getRuns } from '../../../dev/n8n/rest/executionData';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { boletoPdf } from '../../../dev/sandbox';
import { runSql } from '../support/database';
import { DAY_MS, fillIn, getError, useExampleWorld } from './exampleWorld';

const WAIT_EXAMPLE = 'wait-for-payment.json';

const world = useExampleWorld();

describe('reminders of expired boletos', () => {
	const run = async () => await world.runExample(REMINDER_EXAMPLE, 'Every Day at 09:00');

	const seedBoleto = (name: string, changes: Parameters<typeof world.seedPayment>[0] = {}) =>
		world.seedPayment({
			...{ amountCents: 12_590, paymentMethod: 'BOLETO', status: 'EXPIRED' },
			...{ createdAt: Date.now() - 5 * DAY_MS, expiresAt: Date.now() - 2 * DAY_MS },
			...{ description: 'Invoice 12', metadata: { email: `${name}@late.example`, name: 'Maria' } },
			...changes,
		});

	it('sends each overdue boleto to its customer, once', async () => {
		const boletos = [seedBoleto(' ana'), seedBoleto('bia', { amountCents: 48_000 })];
		// Paid, not due yet, long ago, and no boleto: none of these is reminded of.
		seedBoleto('paid', { status: 'PAID' });
		seedBoleto('open', { status: 'NEW', expiresAt: Date.now() + DAY_MS });
		seedBoleto('old', { expiresAt: Date.now() - 8 * DAY_MS });
		seedBoleto('pix', { paymentMethod: 'PIX' });

		expect(getError(await run())).toBeUndefined();
		expect(getError(await run())).toBeUndefined();

		const [toAna, ...moreToAna] = await world.mailsTo('ana@late.example', 1);
		const [toBia, ...moreToBia] = await world.mailsTo('bia@late.example', 1);
		expect([...moreToAna, ...moreToBia]).toEqual([]);
		expect(toAna!.text).toContain('R$ 125,90 referente a "Invoice 12" venceu em');
		expect(toBia!.text).toContain('R$ 480,00');
		for (const [index, mail] of [toAna!, toBia!].entries()) {
			const attached = await world.mailbox.attachment(mail);
			expect(attached.equals(await boletoPdf(boletos[index]!))).toBe(true);
		}
		for (const name of ['paid', 'open', 'old', 'pix']) {
			expect([name, await world.countMailsTo(`${name}@late.example`)]).toEqual([name, 0]);
		}
		const table = await world.tableRows('Boleto reminders');
		expect(table.map(({ paymentId }) => paymentId).sort()).toEqual(
			boletos.map(({ id }) => id).sort(),
		);
	});

	it('sends the others when one PDF fails, lists the run as failed, and sends it the next time', async () => {
		const missing = seedBoleto('caio');
		seedBoleto('davi');
		const repair = world.sandbox.faults.add({
			kind: 'error',
			code: 'NOT_FOUND',
			path: `/v1/payments/${missing.id}/boleto`,
			times: Infinity,
		});
		const execution = await run();
		expect(execution.status).toBe('error');
		expect(getError(execution)).toContain('could not be sent');
		expect(getItems(execution, 'Remember the Reminder')).toHaveLength(1);
		await world.mailsTo('davi@late.example', 1);
		expect(await world.countMailsTo('caio@late.example')).toBe(0);

		repair();
		expect(getError(await run())).toBeUndefined();
		await world.mailsTo('caio@late.example', 1);
		expect(await world.countMailsTo('davi@late.example')).toBe(1);
	});
});

describe('the payment link', () => {
	// The same form twice: test/engine/money/charges.test.ts.
	it('makes a payment for each form, sends its link to the customer, and shows it to the colleague', async () => {
		const form = await world.openForm(LINK_EXAMPLE);
		const customers = [
			['joao@customer.example', '1.234,56', 'R$ 1.234,56', 123_456],
			['rute@customer.example', 'R$ 250,00', 'R$ 250,00', 25_000],
		] as const;
		for (const [index, [email, amount, written, cents]] of customers.entries()) {
			const reference = `Order ${index}`;
			const page = await fillIn(form, [
				'João da Silva',
				email,
				'390.533.447-05',
				amount,
				reference,
			]);
			const payment = world.sandbox.books.payments[index]!;
			expect(payment).toMatchObject({
				...{ amountCents: cents, mode: 'hosted', methods: ['PIX', 'CARD'] },
				externalId: reference,
			});
			const link = `${world.sandbox.url}/checkout/${payment.id}`;
			const [mail] = await world.mailsTo(email, 1);
			expect(mail!.text).toContain(link);
			expect(mail!.text).toContain('Olá, João da Silva!');
			expect(mail!.text).toContain(`Para pagar ${written} referente a`);
			expect(page).toContain(link);
			expect(page).toContain(`enviado por e-mail para ${email}`);
			// What the customer sees there is the payment page.
			expect((await fetch(link)).status).toBe(200);
		}
	});
});

describe('the refund desk', () => {
	let form: string;
	beforeAll(async () => {
		form = await world.openForm(REFUND_EXAMPLE);
	}, 60_000);

	/** Asks for a refund; returns what the approver is asked. */
	async function ask(payment: string, email: string): Promise<Mail> {
		const known = await world.countMailsTo(APPROVER);
		await submitForm(form, [payment, 'Order &lt;cancelled&gt; <!--', email]);
		return await world.question(known);
	}

	it('refunds payments that are found by ID and by TxID, after a yes', async () => {
		const byId = world.seedPayment({ status: 'PAID', amountCents: 12_590, description: 'Order 1' });
		const byTxId = world.seedPayment({ status: 'CONFIRMED', amountCents: 48_000 });
		const first = await ask(` ${byId.id} `, 'ana@desk.example');
		const second = await ask(byTxId.txId, 'bia@desk.example');
		// What the colleague writes is no HTML.
		const reason = 'Order &#38;lt;cancelled&#38;gt; &#60;!--';
		for (const word of ['Order 1', reason, 'ana@desk.example', byId.txId]) {
			expect(first.html).toContain(word);
		}
		expect(world.sandbox.books.refunds).toHaveLength(0);

		await world.answer(first, 'Devolver');
		const [toAna] = await world.mailsTo('ana@desk.example', 1);
		await world.answer(second, 'Devolver');
		const [toBia] = await world.mailsTo('bia@desk.example', 1);
		expect(toAna!.subject).toBe('Devolução de R$ 125,90 a caminho');
		expect(toBia!.subject).toBe('Devolução de R$ 480,00 a caminho');
		expect(world.sandbox.books.refunds).toMatchObject([
			{ paymentId: byId.id, amountCents: 12_590, reason: 'Order &lt;cancelled&gt; <!--' },
			{ paymentId: byTxId.id, amountCents: 48_000, reason: 'Order &lt;cancelled&gt; <!--' },
		]);
	});

	it('refunds nothing when the answer is no', async () => {
		const { id } = world.seedPayment({ status: 'PAID' });
		await world.answer(await ask(id, 'no@desk.example'), 'Não devolver');
		const [mail] = await world.mailsTo('no@desk.example', 1);
		expect(mail!.text).toContain('Recusada por Joana');
		expect(world.sandbox.books.refunds).toHaveLength(0);
	});

	it('says in capitals when it is not known whether it was made, and what to do', async () => {
		const { id, txId } = world.seedPayment({ status: 'PAID' });
		world.sandbox.faults.add({
			kind: 'dropAfter',
			method: 'POST',
			path: `/v1/payments/${id}/refund`,
			times: Infinity,
		});
		await world.answer(await ask(id, 'lost@desk.example'), 'Devolver');
		const [mail] = await world.mailsTo('lost@desk.example', 1);
		expect(mail!.subject).toBe(`NÃO SE SABE se foi devolvido: ${txId}`);
		expect(mail!.text).toContain('Consulte o pagamento antes de fazer qualquer coisa');
		expect(mail!.text).toContain('Não devolva o dinheiro de outra forma');
		expect(mail!.text).not.toMatch(/recusada|Nenhum dinheiro saiu/i);
		expect(world.sandbox.books.refunds).toHaveLength(1);
	});
});

describe('the workflow that waits for a payment, for days', () => {
	let form: string;
	beforeAll(async () => {
		form = await world.openForm(WAIT_EXAMPLE);
	}, 60_000);

	/** Sends the form; returns the id of the execution. */
	async function charge(name: string): Promise<string> {
		const email = `${name.toLowerCase()}@customer.example`;
		const answers = [name, email, '390.533.447-05', '1.234,56', `Pedido de ${name}`];
		const send = async () => await submitForm(form, answers);
		return await world.client.executionOf(world.workflows[WAIT_EXAMPLE]!, send);
	}

	/** Returns the subjects of the e-mails to a customer. */
	async function subjectsTo(name: string): Promise<string[]> {
		return (await world.mailsTo(`${name}@customer.example`, 1)).map(({ subject }) => subject);
	}

	it('continues waiting when n8n is killed, for each payment until that one is paid', async () => {
		const ids = [await charge('Maria'), await charge('Pedro')];
		for (const id of ids) await world.untilStatus(id, 'waiting');
		// Of two executions at once, either may create its payment first.
		const ofMaria = world.sandbox.books.payments.find(
			({ description }) => description === 'Pedido de Maria',
		);
		const [mail] = await world.mailsTo('maria@customer.example', 1);
		expect(mail!.text).toContain(`${world.sandbox.url}/checkout/${ofMaria!.id}`);
		expect(mail!.text).toContain('R$ 1.234,56 referente a "Pedido de Maria"');

		world.sandbox.setPaymentStatus(ofMaria!.id, 'PAID');
		await world.n8n.kill9();
		// After the start: n8n 2.40 may take what it resumes while it starts for crashed.
		await runSql(
			world,
			`UPDATE execution_entity SET waitTill = strftime('%Y-%m-%d %H:%M:%f', 'now', '+30 seconds')
			WHERE id IN (${ids.join()})`,
		);
		await world.startN8n();
		await world.untilStatus(ids[0]!, 'success');
		const waiting = await waitFor(
			async () => {
				const execution = await world.untilStatus(ids[1]!, 'waiting');
				return getRuns(execution, 'Get Payment').length === 1 && execution;
			},
			{ what: 'the unpaid one to wait again', timeoutMs: 60_000 },
		);
		expect(getRuns(waiting, 'Create Payment')).toHaveLength(1);
		expect(await subjectsTo('maria')).toEqual([
			'Seu pagamento: Pedido de Maria',
			'Pagamento recebido: Pedido de Maria',
		]);
		expect(await subjectsTo('pedro')).toEqual(['Seu pagamento: Pedido de Pedro']);
		expect(world.sandbox.books.payments).toHaveLength(2);
		await world.client.request('POST', `/rest/executions/${ids[1]!}/stop`);
	});

	it('notifies the team of a payment that ended otherwise', async () => {
		// A pause of a second.
		await world.setUpExample(WAIT_EXAMPLE, { firstPause: 1 / 60 });
		await publishWorkflow(world.client, world.workflows[WAIT_EXAMPLE]!);
		const [mail] = await world.nextMail('team@example.com', async () => {
			const id = await charge('Caio');
			await waitFor(() => world.sandbox.books.payments.length === 1, { what: 'the payment' });
			world.sandbox.setPaymentStatus(world.sandbox.books.payments[0]!.id, 'CANCELLED');
			await world.untilStatus(id, 'success');
		});
		expect(mail.text).toContain('A cobrança "Pedido de Caio" de Caio (1.234,56) não foi paga');
		expect(mail.text).toContain('Situação: cancelado');
		expect(await subjectsTo('caio')).toHaveLength(1);
	});
});
