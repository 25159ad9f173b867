/**
 * The example that waits for days until a payment is paid, in a real n8n that is killed in the
 * meantime.
 */
import { WAIT_EXAMPLE } from '../../../dev/demo/examples';
import { submitForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { mailCredential, saveCredential } from '../../../dev/n8n/rest/credentials';
import { getRuns, type Execution, type ExecutionStatus } from '../../../dev/n8n/rest/executionData';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import type { Payment } from '../../../dev/sandbox';
import { runSql } from '../support/database';
import { useExampleWorld } from './exampleWorld';

const TEAM = 'team@example.com';

const world = useExampleWorld();

let form: string;
beforeAll(async () => {
	form = await world.openForm(WAIT_EXAMPLE);
}, 60_000);

const executions = async () => await world.client.listExecutions(world.workflows[WAIT_EXAMPLE]!);

async function untilStatus(id: string, status: ExecutionStatus): Promise<Execution> {
	return await waitFor(
		async () => {
			const execution = await world.client.getExecution(id);
			return execution.status === status && execution;
		},
		{ what: `execution ${id} to be ${status}`, timeoutMs: 90_000 },
	);
}

/** Sends the form; returns the id of the execution. */
async function charge(name: string, document = '390.533.447-05'): Promise<string> {
	const known = new Set((await executions()).map(({ id }) => id));
	const email = `${name.toLowerCase()}@customer.example`;
	await submitForm(form, [name, email, document, '1.234,56', `Pedido de ${name}`]);
	return await waitFor(async () => (await executions()).find(({ id }) => !known.has(id))?.id, {
		what: 'the execution to show',
		timeoutMs: 15_000,
	});
}

/** Returns the subjects of the e-mails to a customer. */
async function subjectsTo(name: string): Promise<string[]> {
	return (await world.mailsTo(`${name}@customer.example`, 1)).map(({ subject }) => subject);
}

/** Sends the form; returns the payment that it has created, and ends with the execution. */
async function chargeAndSet(name: string, status: Payment['status']) {
	const id = await charge(name);
	await waitFor(() => world.sandbox.books.payments.length === 1, { what: 'the payment' });
	world.sandbox.setPaymentStatus(world.sandbox.books.payments[0]!.id, status);
	return await untilStatus(id, 'success');
}

it('continues waiting when n8n is killed, for each payment until that one is paid', async () => {
	const ids = [await charge('Maria'), await charge('Pedro')];
	for (const id of ids) await untilStatus(id, 'waiting');
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
		"UPDATE execution_entity SET waitTill = strftime('%Y-%m-%d %H:%M:%f', 'now', '+30 seconds')",
	);
	await world.startN8n();
	await untilStatus(ids[0]!, 'success');
	const waiting = await waitFor(
		async () => {
			const execution = await untilStatus(ids[1]!, 'waiting');
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

describe('with pauses of a second', () => {
	/** Publishes the example with other settings. */
	async function change(choices: Record<string, number>): Promise<void> {
		await world.setUpExample(WAIT_EXAMPLE, choices);
		await publishWorkflow(world.client, world.workflows[WAIT_EXAMPLE]!);
	}
	beforeAll(async () => await change({ firstPause: 1 / 60 }), 60_000);

	it('tries again after a check that got no response', async () => {
		const known = await world.countMailsTo(TEAM);
		// More often than the node tries on its own.
		world.sandbox.faults.add({
			...{ method: 'GET', kind: 'dropBefore', times: 8 },
			when: ({ url }) => url.startsWith('/v1/payments/'),
		});
		const checks = getRuns(await chargeAndSet('Rita', 'CONFIRMED'), 'Get Payment');
		expect(checks.length).toBeGreaterThan(1);
		expect(checks[0]!.data!.main![1]).toHaveLength(1);
		expect(await subjectsTo('rita')).toHaveLength(2);
		expect(await world.countMailsTo(TEAM)).toBe(known);
	});

	it('notifies the team when trying again cannot help', async () => {
		const [mail] = await world.nextMail(TEAM, async () => {
			const id = await charge('Joana');
			await waitFor(() => world.sandbox.books.payments.length === 1, { what: 'the payment' });
			await world.useKey(world.sandbox.keys.live.replace(/.{4}$/, 'xxxx'));
			await untilStatus(id, 'success');
			await world.useKey(world.sandbox.keys.live);
		});
		expect(mail.subject).toBe('Cobrança não paga: Pedido de Joana');
		expect(mail.text).toMatch(/API key/);
		expect(mail.text).toContain(world.sandbox.books.payments[0]!.id);
	});

	it('notifies the team of a payment that ended otherwise', async () => {
		const [mail] = await world.nextMail(TEAM, async () => await chargeAndSet('Caio', 'CANCELLED'));
		expect(mail.text).toContain('A cobrança "Pedido de Caio" de Caio (1.234,56) não foi paga');
		expect(mail.text).toContain('Situação: cancelado');
		expect(await subjectsTo('caio')).toHaveLength(1);
	});

	it('shows the team why a charge was refused, and sends no link', async () => {
		const [mail] = await world.nextMail(
			TEAM,
			async () => await untilStatus(await charge('Ana', '390.533.447-06'), 'success'),
		);
		expect(mail.text).toContain('CPF');
		expect(mail.text).toContain('Pagamento: desconhecido');
		expect(await world.countMailsTo('ana@customer.example')).toBe(0);
		expect(world.sandbox.books.payments).toEqual([]);
	});

	it('sends the link and waits, in a retry after the mail server was away', async () => {
		await saveCredential(world.client, mailCredential(1));
		const id = await charge('Eva');
		const failed = await untilStatus(id, 'error');
		await saveCredential(world.client, mailCredential(world.mailbox.smtpPort));
		world.sandbox.setPaymentStatus(world.sandbox.books.payments[0]!.id, 'PAID');
		expect(await world.client.retryExecution(failed)).toMatchObject({ status: 'success' });
		expect(await subjectsTo('eva')).toHaveLength(2);
		expect(world.sandbox.books.payments).toHaveLength(1);
	});

	it('notifies the team of what is unpaid after a day', async () => {
		await change({ firstPause: 1 / 60, days: 3 / (24 * 60 * 60) });
		const [mail, execution] = await world.nextMail(
			TEAM,
			async () => await untilStatus(await charge('Bia'), 'success'),
		);
		expect(getRuns(execution, 'Get Payment').length).toBeGreaterThan(1);
		expect(mail.subject).toBe('Cobrança não paga: Pedido de Bia');
		expect(mail.text).toContain('Situação: aguardando o pagamento');
		expect(await subjectsTo('bia')).toHaveLength(1);
	});
});
