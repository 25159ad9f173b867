/** The example that reminds of expired boletos, in a real n8n. */
import { REMINDER_EXAMPLE } from '../../../dev/demo/examples';
import { getItems } from '../../../dev/n8n/rest/executionData';
import { boletoPdf } from '../../../dev/sandbox';
import { DAY_MS, getError, useExampleWorld } from './exampleWorld';

const ACCOUNTING = 'accounting@example.com';

const world = useExampleWorld();

const run = async () => await world.runExample(REMINDER_EXAMPLE, 'Every Day at 09:00');

type Changes = Parameters<typeof world.seedPayment>[0];

const seedBoleto = (email: string | undefined, changes: Changes = {}) =>
	world.seedPayment({
		amountCents: 12_590,
		paymentMethod: 'BOLETO',
		status: 'EXPIRED',
		createdAt: Date.now() - 5 * DAY_MS,
		expiresAt: Date.now() - 2 * DAY_MS,
		description: 'Invoice 12',
		metadata: email === undefined ? {} : { email, name: 'Maria' },
		...changes,
	});

it('sends each overdue boleto to its customer, once', async () => {
	const boletos = [
		seedBoleto('ana@late.example'),
		seedBoleto('bia@late.example', { amountCents: 48_000 }),
	];
	// Paid, not due yet, long ago, and no boleto: none of these is reminded of.
	seedBoleto('paid@late.example', { status: 'PAID' });
	seedBoleto('open@late.example', { status: 'NEW', expiresAt: Date.now() + DAY_MS });
	seedBoleto('old@late.example', { expiresAt: Date.now() - 8 * DAY_MS });
	seedBoleto('pix@late.example', { paymentMethod: 'PIX' });

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

it('notifies accounting, once, of a boleto without an address', async () => {
	const boletos = [seedBoleto(undefined), seedBoleto('not an address')];
	const [mails] = await world.nextMails(ACCOUNTING, 2, async () => {
		await run();
		await run();
	});
	expect(mails.map(({ subject }) => subject).sort()).toEqual(
		boletos.map(({ txId }) => `Sem endereço para o lembrete do boleto ${txId}`).sort(),
	);
});

it('ends quietly when nothing is overdue', async () => {
	const before = (await world.mailbox.mails()).length;
	const execution = await run();
	expect(execution.status).toBe('success');
	expect(execution.data.resultData.lastNodeExecuted).toBe('Expired Boletos');
	expect(await world.mailbox.mails()).toHaveLength(before);
});

it('sends the others when one PDF fails, lists the run as failed, and sends it the next time', async () => {
	const missing = seedBoleto('caio@late.example');
	seedBoleto('davi@late.example');
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
