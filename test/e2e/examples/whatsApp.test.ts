/** The examples that write by WhatsApp, in a real n8n; its own WhatsApp node talks to a double of Meta's API. */
import { NOTIFICATION_EXAMPLE, WHATSAPP_EXAMPLE } from '../../../dev/demo/examples';
import { postForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { saveCredential } from '../../../dev/n8n/rest/credentials';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import type { ExecutionSummary } from '../../../dev/n8n/rest/rest';
import { decodedQrCode } from '../../support/decodedQrCode';
import { GraphApi, type Message } from '../support/graphApi';
import { use } from '../support/n8nTestEnv';
import { ExampleWorld, legible, POLL_EVERY_2_SECONDS } from './exampleWorld';

const ACCESS_TOKEN = 'EAA-example-access-token';
const PHONE_NUMBER_ID = '100200300';

class WhatsAppWorld extends ExampleWorld {
	readonly graph = new GraphApi(ACCESS_TOKEN, PHONE_NUMBER_ID);

	override async start(): Promise<void> {
		Object.assign(this.env, await this.graph.open());
		await super.start();
		await saveCredential(this.client, {
			name: 'WhatsApp account',
			type: 'whatsAppApi',
			data: { accessToken: ACCESS_TOKEN, businessAccountId: '400500600' },
		});
	}

	override async end(): Promise<void> {
		await super.end();
		await this.graph.close();
	}
}

const world = use(new WhatsAppWorld());
const { graph } = world;

describe('payments received', () => {
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
		const [mails] = await world.nextMails('finance@example.com', 2, async () => {
			for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
			await settle();
			// A replay is a delivery as well.
			for (const { id } of [...world.sandbox.webhooks.deliveries])
				world.sandbox.webhooks.replay(id);
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

	it('sends the same by WhatsApp, with a template, once its node is enabled', async () => {
		const choices = { whatsAppFrom: PHONE_NUMBER_ID, whatsAppTo: '+55 11 98765-4321' };
		await world.setUpExample(NOTIFICATION_EXAMPLE, choices, (node) =>
			node.name === 'Send to WhatsApp' ? { ...node, disabled: false } : node,
		);
		await publishWorkflow(world.client, world.workflows[NOTIFICATION_EXAMPLE]!);
		const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];

		for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
		await settle();

		const sent = graph.sentTo('5511987654321').map(({ template }) => template!);
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
});

describe('charging', () => {
	let form: string;
	beforeAll(async () => {
		const choices = { whatsAppFrom: PHONE_NUMBER_ID };
		await world.setUpExample(WHATSAPP_EXAMPLE, choices, (node) =>
			'pollTimes' in node.parameters
				? { ...node, parameters: { ...node.parameters, pollTimes: POLL_EVERY_2_SECONDS } }
				: node,
		);
		form = await world.openForm(WHATSAPP_EXAMPLE);
	}, 60_000);

	async function failedExecutions(): Promise<ExecutionSummary[]> {
		const all = await world.client.listExecutions(world.workflows[WHATSAPP_EXAMPLE]!);
		return all.filter(({ status }) => status === 'error');
	}

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
		expect(await failedExecutions()).toEqual([]);
	});

	it('charges a request that comes twice once, and writes to the customer once', async () => {
		const answers = { whatsApp: '5511987650003', reference: 'Pedido 3' };
		const first = await charge(answers);
		const second = await charge(answers);
		expect([first.status, second.status]).toEqual([200, 200]);
		expect(world.sandbox.books.payments).toHaveLength(1);
		expect(graph.sentTo('5511987650003')).toHaveLength(2);
	});
});
