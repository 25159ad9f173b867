/** The example that charges by WhatsApp, in a real n8n; its own WhatsApp node talks to a double of Meta's API. */
import { WHATSAPP_EXAMPLE } from '../../../dev/demo/examples';
import { postForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { ExecutionSummary } from '../../../dev/n8n/rest/rest';
import { decodedQrCode } from '../../support/decodedQrCode';
import type { Message } from '../support/graphApi';
import { use } from '../support/n8nTestEnv';
import { legible, POLL_EVERY_2_SECONDS } from './exampleWorld';
import { PHONE_NUMBER_ID, WhatsAppWorld } from './whatsAppWorld';

class ChargeWorld extends WhatsAppWorld {
	override async start(): Promise<void> {
		await super.start();
		const choices = { whatsAppFrom: PHONE_NUMBER_ID };
		await this.setUpExample(WHATSAPP_EXAMPLE, choices, (node) =>
			'pollTimes' in node.parameters
				? { ...node, parameters: { ...node.parameters, pollTimes: POLL_EVERY_2_SECONDS } }
				: node,
		);
	}

	async failedExecutions(): Promise<ExecutionSummary[]> {
		const all = await this.client.listExecutions(this.workflows[WHATSAPP_EXAMPLE]!);
		return all.filter(({ status }) => status === 'error');
	}
}

const world = use(new ChargeWorld());
const { graph } = world;

let form: string;
beforeAll(async () => {
	form = await world.openForm(WHATSAPP_EXAMPLE);
}, 60_000);

interface Answers {
	whatsApp: string;
	reference: string;
	document?: string;
	amount?: string;
}

/** Sends the form; n8n responds when the messages are sent. */
const charge = async ({ whatsApp, reference, document, amount }: Answers) =>
	await postForm(form, [
		'João da Silva',
		whatsApp,
		document ?? '390.533.447-05',
		amount ?? '1.234,56',
		reference,
	]);

const messagesTo = async (number: string, count: number): Promise<Message[]> =>
	await waitFor(() => graph.sentTo(number).length >= count && graph.sentTo(number), {
		what: `${count} messages to ${number}`,
		timeoutMs: 30_000,
	});

it('sends each customer the code to pay with, and the receipt once it is paid', async () => {
	const customers = [
		{ whatsApp: '+55 11 98765-0001', number: '5511987650001', reference: 'Pedido 1' },
		// Without the country code.
		{ whatsApp: '(11) 98765-0002', number: '5511987650002', reference: 'Pedido 2' },
	];
	for (const customer of customers) await charge(customer);
	const { payments } = world.sandbox.books;
	expect(payments.map(({ externalId }) => externalId)).toEqual(['Pedido 1', 'Pedido 2']);
	expect(payments).toMatchObject([
		{ amountCents: 123_456, mode: 'headless', methods: ['PIX'] },
		{ amountCents: 123_456, mode: 'headless', methods: ['PIX'] },
	]);
	for (const { number, reference } of customers) {
		const [picture, code, ...more] = graph.sentTo(number);
		expect(more).toEqual([]);
		expect(legible(picture!.caption)).toContain('Olá, João da Silva! Segue o PIX de R$ 1.234,56');
		expect(picture!.caption).toContain(`referente a "${reference}"`);
		expect(picture!.caption).toMatch(/Válido até \d\d\/\d\d\/\d{4} \d\d:\d\d\./);
		expect(code!.text).toMatch(/^000201/);
		expect(decodedQrCode(picture!.picture!)).toBe(code!.text);
	}

	world.sandbox.setPaymentStatus(payments[1]!.id, 'PAID');
	const [, , receipt] = await messagesTo(customers[1]!.number, 3);
	expect(legible(receipt!.text)).toContain('Recebemos o seu pagamento de R$ 1.234,56.');
	expect(receipt!.text).toContain(payments[1]!.txId);
	expect(graph.sentTo(customers[0]!.number)).toHaveLength(2);

	world.sandbox.setPaymentStatus(payments[0]!.id, 'PAID');
	await messagesTo(customers[0]!.number, 3);
	expect(graph.sentTo(customers[1]!.number)).toHaveLength(3);
	expect(await world.failedExecutions()).toEqual([]);
});

it('charges a request that comes twice once, and writes to the customer once', async () => {
	const answers = { whatsApp: '5511987650003', reference: 'Pedido 3' };
	const first = await charge(answers);
	const second = await charge(answers);
	expect([first.status, second.status]).toEqual([200, 200]);
	expect(world.sandbox.books.payments).toHaveLength(1);
	expect(graph.sentTo('5511987650003')).toHaveLength(2);
});

it('writes to no one when the payment is refused, and accepts the corrected form', async () => {
	const answers = { whatsApp: '5511987650005', reference: 'Pedido 5' };
	const refused = await charge({ ...answers, document: '390.533.447-06' });
	// The form then says that there was a problem.
	expect(refused.status).toBe(500);
	expect(world.sandbox.books.payments).toHaveLength(0);
	expect(graph.sentTo('5511987650005')).toHaveLength(0);
	await charge(answers);
	expect(graph.sentTo('5511987650005')).toHaveLength(2);
});

it('continues where it stopped when WhatsApp refused a message', async () => {
	const known = (await world.failedExecutions()).length;
	graph.refusals = 3;
	await charge({ whatsApp: '5511987650006', reference: 'Pedido 6' });
	expect(graph.sentTo('5511987650006')).toHaveLength(0);
	const [failed, ...others] = await world.failedExecutions();
	expect(others).toHaveLength(known);
	await world.client.retryExecution({
		id: failed!.id,
		workflowId: world.workflows[WHATSAPP_EXAMPLE]!,
	});
	await messagesTo('5511987650006', 2);
	expect(world.sandbox.books.payments).toHaveLength(1);
});

it('sends no receipt for a payment that was charged elsewhere', async () => {
	const known = graph.messages.length;
	const elsewhere = world.seedPayment({ status: 'NEW' });
	await charge({ whatsApp: '5511987650007', reference: 'Pedido 7' });
	const own = world.sandbox.books.payments.find(({ externalId }) => externalId === 'Pedido 7')!;
	world.sandbox.setPaymentStatus(elsewhere.id, 'PAID');
	world.sandbox.setPaymentStatus(own.id, 'PAID');
	await messagesTo('5511987650007', 3);
	expect(graph.messages).toHaveLength(known + 3);
});
