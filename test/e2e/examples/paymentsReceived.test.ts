/** The example that notifies the team of payments and keeps a table of them, in a real n8n. */
import { NOTIFICATION_EXAMPLE } from '../../../dev/demo/examples';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { use } from '../support/n8nTestEnv';
import { legible } from './exampleWorld';
import { PHONE_NUMBER_ID, WhatsAppWorld } from './whatsAppWorld';

const TEAM = 'finance@example.com';

const world = use(new WhatsAppWorld());

beforeEach(async () => {
	await world.connectEvents(NOTIFICATION_EXAMPLE);
	await publishWorkflow(world.client, world.workflows[NOTIFICATION_EXAMPLE]!);
});

const seedOpen = (amountCents: number, name: string, paymentMethod: 'PIX' | 'CARD' = 'PIX') =>
	world.seedPayment({
		amountCents,
		paymentMethod,
		description: `Order of ${name}`,
		customer: { name },
	});

const settle = async () => await world.settle(NOTIFICATION_EXAMPLE);

const tableRows = async () => await world.tableRows('Payments received');

it('sends one message and keeps one row for each payment, and nothing for copies', async () => {
	const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];
	const [mails] = await world.nextMails(TEAM, 2, async () => {
		for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
		await settle();
		// A replay is a delivery as well.
		for (const { id } of [...world.sandbox.webhooks.deliveries]) world.sandbox.webhooks.replay(id);
		await settle();
	});

	const text = mails.find(({ subject }) => subject.includes('Maria'))!.text;
	expect(text.replaceAll('\u00a0', ' ')).toMatch(
		/^Maria pagou R\$ 125,90 por PIX\.\n\nTransação: PAY\w+\nSituação: pago\nPago em: \d\d\/\d\d\/\d{4} \d\d:\d\d\nReferente a: Order of Maria/,
	);
	expect(mails.map(({ subject }) => subject).sort()).toEqual([
		'Pago: R$ 125,90 de Maria',
		'Pago: R$ 480,00 de Carlos',
	]);
	for (const { txId, amountCents, payer } of payments) {
		const rows = (await tableRows()).filter((row) => row.txId === txId);
		expect(rows).toEqual([
			expect.objectContaining({
				amount: amountCents / 100,
				status: 'PAID',
				method: 'PIX',
				payer: payer!.name,
				description: `Order of ${payer!.name}`,
			}),
		]);
	}
});

it('keeps one row of a card payment that is confirmed first and paid later', async () => {
	const { id, txId } = seedOpen(5_000, 'Rita', 'CARD');
	world.sandbox.setPaymentStatus(id, 'CONFIRMED');
	await settle();
	const confirmed = (await tableRows()).filter((row) => row.txId === txId);
	// The event has only the TxID: the amount comes from the current state.
	expect(confirmed).toEqual([expect.objectContaining({ status: 'CONFIRMED', amount: 50 })]);

	world.sandbox.setPaymentStatus(id, 'PAID');
	await settle();
	const paid = (await tableRows()).filter((row) => row.txId === txId);
	expect(paid).toEqual([expect.objectContaining({ status: 'PAID', amount: 50 })]);
});

it('sends the message although the current state cannot be read', async () => {
	world.sandbox.faults.add({ kind: 'status', status: 500, method: 'GET', times: Infinity });
	const [mail] = await world.nextMail(TEAM, async () => {
		world.sandbox.setPaymentStatus(seedOpen(7_700, 'Davi').id, 'PAID');
		await settle();
	});
	expect(mail.subject).toContain('de Davi');
});

it('sends the same by WhatsApp, with a template, once its node is enabled', async () => {
	const choices = { whatsAppFrom: PHONE_NUMBER_ID, whatsAppTo: '+55 11 98765-4321' };
	await world.setUpExample(NOTIFICATION_EXAMPLE, choices, (node) =>
		node.name === 'Send to WhatsApp' ? { ...node, disabled: false } : node,
	);
	await publishWorkflow(world.client, world.workflows[NOTIFICATION_EXAMPLE]!);
	const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];

	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	await settle();

	const sent = world.graph.sentTo('5511987654321').map(({ template }) => template!);
	expect(sent.map(({ name, language }) => [name, language])).toEqual([
		['payment_received', 'pt_BR'],
		['payment_received', 'pt_BR'],
	]);
	const variables = sent.map((template) => legible(template.variables.join('|')));
	expect(variables.sort()).toEqual([
		'Carlos|R$ 480,00|Order of Carlos',
		'Maria|R$ 125,90|Order of Maria',
	]);
	expect(await tableRows()).toEqual(
		expect.arrayContaining(payments.map(({ txId }) => expect.objectContaining({ txId }))),
	);
});
