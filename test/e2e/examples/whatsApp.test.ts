/** The examples that write messages, in a real n8n; the services that deliver them are doubles. */
import type { INode } from 'n8n-workflow';

import { NOTIFICATION_EXAMPLE } from '../../../dev/demo/examples';
import { postForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { saveCredential } from '../../../dev/n8n/rest/credentials';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import type { ExecutionSummary } from '../../../dev/n8n/rest/rest';
import { decodedQrCode } from '../../support/decodedQrCode';
import { GraphApi, type Message } from '../support/graphApi';
import { Messengers } from '../support/messengers';
import { use } from '../support/n8nTestEnv';
import { ExampleWorld, legible, POLL_EVERY_2_SECONDS } from './exampleWorld';

const WHATSAPP_EXAMPLE = 'charge-by-whatsapp.json';

const ACCESS_TOKEN = 'EAA-example-access-token';
const PHONE_NUMBER_ID = '100200300';

class WhatsAppWorld extends ExampleWorld {
	readonly graph = new GraphApi(ACCESS_TOKEN, PHONE_NUMBER_ID);
	readonly messengers = new Messengers();

	override async start(): Promise<void> {
		Object.assign(this.env, await this.graph.open());
		await this.messengers.open();
		await super.start();
		await saveCredential(this.client, {
			name: 'Telegram account',
			type: 'telegramApi',
			data: { accessToken: 'example-bot', baseUrl: this.messengers.url },
		});
		await saveCredential(this.client, {
			name: 'Evolution account',
			type: 'httpHeaderAuth',
			data: { name: 'apikey', value: 'example-evolution-key' },
		});
		await saveCredential(this.client, {
			name: 'WhatsApp account',
			type: 'whatsAppApi',
			data: { accessToken: ACCESS_TOKEN, businessAccountId: '400500600' },
		});
	}

	override async end(): Promise<void> {
		await super.end();
		await this.graph.close();
		await this.messengers.close();
	}
}

const world = use(new WhatsAppWorld());
const { graph, messengers } = world;

/** The trigger that polls, every two seconds. */
const pollOften = (node: INode): INode =>
	'pollTimes' in node.parameters
		? { ...node, parameters: { ...node.parameters, pollTimes: POLL_EVERY_2_SECONDS } }
		: node;

const evolution = () => ({ evolutionUrl: messengers.url, evolutionInstance: 'loja' });
const receivedBy = (path: string) => messengers.received.filter((each) => each.path === path);

describe('payments received', () => {
	/** The example as it comes, but for the pauses between polls, with these nodes enabled. */
	async function publish(choices: Record<string, string>, ...enabled: string[]): Promise<void> {
		await world.setUpExample(NOTIFICATION_EXAMPLE, choices, (node) =>
			pollOften(enabled.includes(node.name) ? { ...node, disabled: false } : node),
		);
		await publishWorkflow(world.client, world.workflows[NOTIFICATION_EXAMPLE]!);
	}

	const seedOpen = (amountCents: number, name: string, paymentMethod: 'PIX' | 'CARD' = 'PIX') =>
		world.seedPayment({
			amountCents,
			paymentMethod,
			description: `Order of ${name}`,
			customer: { name },
		});

	const tableRows = async () => await world.tableRows('Payments received');

	const payAll = (payments: Array<{ id: string }>) => {
		for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	};

	it('sends one message and keeps one row for each payment, and none again with the next poll', async () => {
		await publish({});
		const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];
		const [mails] = await world.nextMails('finance@example.com', 2, async () => {
			// Carlos pays when Maria's payment has been reported.
			await world.nextMail('finance@example.com', async () => payAll(payments.slice(0, 1)));
			payAll(payments.slice(1));
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

	it('sends the same by WhatsApp with a template, Telegram and the Evolution API, once their nodes are enabled', async () => {
		const choices = {
			...{ whatsAppFrom: PHONE_NUMBER_ID, whatsAppTo: '+55 11 98765-4321' },
			...{ ...evolution(), telegramChatId: '4711' },
		};
		await publish(choices, 'Send to WhatsApp', 'Send to Telegram', 'Send by Evolution API');
		const payments = [seedOpen(12_590, 'Maria & <Filhas>'), seedOpen(48_000, 'Carlos')];
		payAll(payments);

		const sent = await waitFor(
			() => graph.sentTo('5511987654321').length >= 2 && graph.sentTo('5511987654321'),
			{ what: 'two messages by WhatsApp', timeoutMs: 30_000 },
		);
		const templates = sent.map(({ template }) => template!);
		expect(templates.map(({ name, language }) => [name, language])).toEqual([
			['payment_received', 'pt_BR'],
			['payment_received', 'pt_BR'],
		]);
		const variables = templates.map((template) => legible(template.variables.join('|')));
		expect(variables.sort()).toEqual([
			'Carlos|R$ 480,00|Order of Carlos',
			'Maria & <Filhas>|R$ 125,90|Order of Maria & <Filhas>',
		]);

		const [telegram, viaEvolution] = await Promise.all(
			['/botexample-bot/sendMessage', '/message/sendText/loja'].map(
				async (path) =>
					await waitFor(() => receivedBy(path).length >= 2 && receivedBy(path), {
						...{ what: `two messages at ${path}`, timeoutMs: 30_000 },
					}),
			),
		);
		for (const { fields } of telegram!) {
			expect(fields).toMatchObject({ chat_id: '4711', parse_mode: 'HTML' });
		}
		const texts = telegram!.map(({ fields }) => legible(fields.text as string)).sort();
		expect(texts[0]).toMatch(/^Carlos pagou R\$ 480,00 por PIX\./);
		expect(texts[1]).toMatch(/^Maria &amp; &lt;Filhas> pagou R\$ 125,90/);
		for (const { key, fields } of viaEvolution!) {
			expect([key, fields.number]).toEqual(['example-evolution-key', '5511987654321']);
		}
		const plain = viaEvolution!.map(({ fields }) => legible(fields.text as string)).sort();
		expect(plain[1]).toMatch(/^Maria & <Filhas> pagou R\$ 125,90/);
		expect(await tableRows()).toEqual(
			expect.arrayContaining(payments.map(({ txId }) => expect.objectContaining({ txId }))),
		);
	});
});

describe('charging', () => {
	let form: string;
	beforeAll(async () => {
		const choices = { whatsAppFrom: PHONE_NUMBER_ID };
		await world.setUpExample(WHATSAPP_EXAMPLE, choices, pollOften);
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

	it('sends the same by the Evolution API, once its nodes are enabled and those for Meta are not', async () => {
		await world.setUpExample(WHATSAPP_EXAMPLE, evolution(), (node) => {
			const isMeta = node.type.endsWith('.whatsApp');
			const isOther = node.type.endsWith('.httpRequest');
			return pollOften(isMeta || isOther ? { ...node, disabled: isMeta } : node);
		});
		await publishWorkflow(world.client, world.workflows[WHATSAPP_EXAMPLE]!);
		for (const [index, reference] of ['Pedido 4', 'Pedido 5'].entries()) {
			await charge({ whatsApp: `(11) 98765-000${4 + index}`, reference });
		}
		const pictures = receivedBy('/message/sendMedia/loja').slice(-2);
		const codes = receivedBy('/message/sendText/loja').slice(-2);
		for (const [index, { fields, file }] of pictures.entries()) {
			expect(fields).toMatchObject({ number: `551198765000${4 + index}`, mediatype: 'image' });
			expect(fields.caption).toContain(`referente a "Pedido ${4 + index}"`);
			expect(codes[index]!.fields.number).toBe(fields.number);
			expect(decodedQrCode(file!)).toBe(codes[index]!.fields.text);
		}
		const [first] = world.sandbox.books.payments;
		world.sandbox.setPaymentStatus(first!.id, 'PAID');
		const receipt = await waitFor(
			() =>
				receivedBy('/message/sendText/loja').find(({ fields }) =>
					legible(fields.text as string).startsWith('Recebemos o seu pagamento'),
				),
			{ what: 'the receipt', timeoutMs: 30_000 },
		);
		expect(receipt.fields.number).toBe('5511987650004');
		expect(receipt.fields.text).toContain(first!.txId);
		expect(await failedExecutions()).toEqual([]);
	});
});
