/** The examples that write messages, in a real n8n; the services that deliver them are doubles. */
import type { INode } from 'n8n-workflow';

import { NOTIFICATION_EXAMPLE } from '../../../dev/demo/examples';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { saveCredential } from '../../../dev/n8n/rest/credentials';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { decodedQrCode } from '../../support/decodedQrCode';
import { POLL_EVERY_2_SECONDS } from '../support/listener';
import { Messengers, type Received } from '../support/messengers';
import { use } from '../support/n8nTestEnv';
import { ExampleWorld, fillIn, getError, legible } from './exampleWorld';

const WHATSAPP_EXAMPLE = 'charge-by-whatsapp.json';

const ACCESS_TOKEN = 'EAA-example-access-token';
const PHONE_NUMBER_ID = '100200300';

class WhatsAppWorld extends ExampleWorld {
	readonly messengers = new Messengers();

	override async start(): Promise<void> {
		Object.assign(this.env, await this.messengers.open());
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
		await this.messengers.close();
	}
}

const world = use(new WhatsAppWorld());
const { messengers } = world;

/** Changes an example as its user does, but for the pauses between polls, and publishes it. */
async function publish(
	file: string,
	choices: Record<string, string>,
	change: (node: INode) => INode = (node) => node,
): Promise<void> {
	await world.setUpExample(file, choices, (node) =>
		change(
			'pollTimes' in node.parameters
				? { ...node, parameters: { ...node.parameters, pollTimes: POLL_EVERY_2_SECONDS } }
				: node,
		),
	);
	await publishWorkflow(world.client, world.workflows[file]!);
}

const evolution = () => ({ evolutionUrl: messengers.url, evolutionInstance: 'loja' });

/** The messages that Meta is to send to a number, the oldest first; waits for this many. */
const messagesTo = async (number: string, count: number): Promise<Received[]> =>
	await waitFor(
		() => {
			const sent = messengers
				.at(`/${PHONE_NUMBER_ID}/messages`)
				.filter(({ fields }) => fields.to === number);
			return sent.length >= count && sent;
		},
		{ what: `${count} messages to ${number}`, timeoutMs: 30_000 },
	);
const textsOf = (messages: Received[]) =>
	messages.map(({ fields }) => legible(fields.text as string));

describe('payments received', () => {
	const seedOpen = (amountCents: number, name: string) =>
		world.seedPayment({ amountCents, description: `Order of ${name}`, customer: { name } });

	const payAll = (payments: Array<{ id: string }>) => {
		for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	};

	it('sends one message and keeps one row for each payment, and none again with the next poll', async () => {
		await publish(NOTIFICATION_EXAMPLE, {});
		const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];
		const [mails] = await world.nextMails('finance@example.com', 2, async () => {
			// Carlos pays when Maria's payment has been reported.
			await world.nextMail('finance@example.com', async () => payAll(payments.slice(0, 1)));
			payAll(payments.slice(1));
		});

		expect(mails.map(({ subject }) => subject).sort()).toEqual([
			'Pago: R$ 125,90 de Maria',
			'Pago: R$ 480,00 de Carlos',
		]);
		expect(mails.find(({ subject }) => subject.includes('Maria'))!.text).toMatch(
			/^Maria pagou R\$ 125,90 por PIX\.\n\nTransação: PAY\w+\nSituação: pago\nPago em: \d\d\/\d\d\/\d{4} \d\d:\d\d\nReferente a: Order of Maria/,
		);
		const table = await world.tableRows('Payments received');
		for (const { txId, amountCents, payer } of payments) {
			expect(table.filter((row) => row.txId === txId)).toMatchObject([
				{
					...{ amount: amountCents / 100, status: 'PAID', method: 'PIX', payer: payer!.name },
					description: `Order of ${payer!.name}`,
				},
			]);
		}
	});

	it('sends the same by WhatsApp with a template, Telegram and the Evolution API, once their nodes are enabled', async () => {
		const enabled = ['Send to WhatsApp', 'Send to Telegram', 'Send by Evolution API'];
		const choices = {
			...{ whatsAppFrom: PHONE_NUMBER_ID, whatsAppTo: '+55 11 98765-4321' },
			...{ ...evolution(), telegramChatId: '4711' },
		};
		await publish(NOTIFICATION_EXAMPLE, choices, (node) =>
			enabled.includes(node.name) ? { ...node, disabled: false } : node,
		);
		payAll([seedOpen(12_590, 'Maria & <Filhas>'), seedOpen(48_000, 'Carlos')]);

		const templates = (await messagesTo('5511987654321', 2)).map(({ key, fields }) => {
			expect(key).toBe(`Bearer ${ACCESS_TOKEN}`);
			return fields.template;
		});
		const received = { name: 'payment_received', language: { code: 'pt_BR' } };
		expect(templates).toMatchObject([received, received]);
		const all = legible(JSON.stringify(templates));
		for (const text of ['Carlos', 'R$ 480,00', 'Maria & <Filhas>', 'R$ 125,90']) {
			expect(all).toContain(`"text":"${text}"`);
		}

		const [telegram, viaEvolution] = await Promise.all(
			['/botexample-bot/sendMessage', '/message/sendText/loja'].map(
				async (path) =>
					await waitFor(() => messengers.at(path).length >= 2 && messengers.at(path), {
						...{ what: `two messages at ${path}`, timeoutMs: 30_000 },
					}),
			),
		);
		for (const { fields } of telegram!) {
			expect(fields).toMatchObject({ chat_id: '4711', parse_mode: 'HTML' });
		}
		expect(textsOf(telegram!).sort()).toEqual([
			expect.stringMatching(/^Carlos pagou R\$ 480,00 por PIX\./),
			expect.stringMatching(/^Maria &amp; &lt;Filhas> pagou R\$ 125,90/),
		]);
		for (const { key, fields } of viaEvolution!) {
			expect([key, fields.number]).toEqual(['example-evolution-key', '5511987654321']);
		}
		expect(textsOf(viaEvolution!).sort()[1]).toMatch(/^Maria & <Filhas> pagou R\$ 125,90/);
	});
});

describe('charging', () => {
	let form: string;
	beforeAll(async () => {
		await publish(WHATSAPP_EXAMPLE, { whatsAppFrom: PHONE_NUMBER_ID });
		form = await world.openForm(WHATSAPP_EXAMPLE);
	}, 60_000);

	afterEach(async () => {
		const all = await world.client.listExecutions(world.workflows[WHATSAPP_EXAMPLE]!);
		expect(all.filter(({ status }) => status === 'error')).toEqual([]);
	});

	/** Sends the form; returns its last page, which shows when the messages are sent. */
	const charge = async (whatsApp: string, reference: string, amount = '1.234,56') =>
		await fillIn(form, ['João da Silva', whatsApp, '390.533.447-05', amount, reference]);

	it('sends each customer the code to pay with, and the receipt once it is paid', async () => {
		const customers = [
			{ whatsApp: '+55 11 98765-0001', number: '5511987650001', reference: 'Pedido 1' },
			// Without the country code.
			{ whatsApp: '(11) 98765-0002', number: '5511987650002', reference: 'Pedido 2' },
		];
		for (const { whatsApp, reference } of customers) await charge(whatsApp, reference);
		const { payments } = world.sandbox.books;
		const charged = { amountCents: 123_456, mode: 'headless', methods: ['PIX'] };
		expect(payments).toMatchObject(
			customers.map(({ reference }) => ({ ...charged, externalId: reference })),
		);
		for (const { number, reference } of customers) {
			const [picture, code, ...more] = await messagesTo(number, 2);
			expect(more).toEqual([]);
			const { id, caption } = picture!.fields.image as { id: string; caption: string };
			expect(legible(caption)).toContain('Olá, João da Silva! Segue o PIX de R$ 1.234,56');
			expect(caption).toContain(`referente a "${reference}"`);
			expect(caption).toMatch(/Válido até \d\d\/\d\d\/\d{4} \d\d:\d\d\./);
			expect(code!.fields.text).toMatchObject({ body: expect.stringMatching(/^000201/) });
			const { file } = messengers.received[Number(id)]!;
			expect(code!.fields.text).toMatchObject({ body: decodedQrCode(file!) });
		}

		for (const [index, { number }] of [...customers.entries()].reverse()) {
			world.sandbox.setPaymentStatus(payments[index]!.id, 'PAID');
			const [, , receipt, ...more] = await messagesTo(number, 3);
			expect(more).toEqual([]);
			const { body } = receipt!.fields.text as { body: string };
			expect(legible(body)).toContain('Recebemos o seu pagamento de R$ 1.234,56.');
			expect(body).toContain(payments[index]!.txId);
			// The other customer has not paid yet, or has the receipt already.
			expect(await messagesTo(customers[1 - index]!.number, 0)).toHaveLength(3 - index);
		}
	});

	it('charges a request that comes twice once, writes again until it is paid, and says what was done', async () => {
		expect(await charge('5511987650003', 'Pedido 3')).toContain('Cobrança enviada por WhatsApp');
		expect(await charge('5511987650003', 'Pedido 3')).toContain('Cobrança enviada por WhatsApp');
		const other = await charge('5511987650003', 'Pedido 3', '99,00');
		expect(other).toContain('Nada foi cobrado');
		expect(other).toContain('was charged before with another amount');
		const [payment, ...more] = world.sandbox.books.payments;
		expect(more).toEqual([]);
		expect(await messagesTo('5511987650003', 0)).toHaveLength(4);
		world.sandbox.setPaymentStatus(payment!.id, 'PAID');
		await messagesTo('5511987650003', 5);
		expect(await charge('5511987650003', 'Pedido 3')).toContain('Esta referência já foi paga');
		expect(await messagesTo('5511987650003', 0)).toHaveLength(5);
	});

	it('sends the same by the Evolution API, once its nodes are enabled and those for Meta are not', async () => {
		await publish(WHATSAPP_EXAMPLE, evolution(), (node) => {
			const isMeta = node.type.endsWith('.whatsApp');
			const isOther = node.type.endsWith('.httpRequest');
			return isMeta || isOther ? { ...node, disabled: isMeta } : node;
		});
		for (const index of [4, 5]) await charge(`(11) 98765-000${index}`, `Pedido ${index}`);
		const pictures = messengers.at('/message/sendMedia/loja').slice(-2);
		const codes = messengers.at('/message/sendText/loja').slice(-2);
		expect(pictures.map(({ fields }) => fields.number)).toEqual(['5511987650004', '5511987650005']);
		for (const [index, { fields, file }] of pictures.entries()) {
			expect(fields.caption).toContain(`referente a "Pedido ${4 + index}"`);
			expect(codes[index]!.fields).toMatchObject({
				number: fields.number,
				text: decodedQrCode(file!),
			});
		}
		const [first] = world.sandbox.books.payments;
		world.sandbox.setPaymentStatus(first!.id, 'PAID');
		const receipt = await waitFor(
			() =>
				messengers
					.at('/message/sendText/loja')
					.find(({ fields }) => (fields.text as string).startsWith('Recebemos o seu pagamento')),
			{ what: 'the receipt', timeoutMs: 30_000 },
		);
		expect(receipt.fields).toMatchObject({
			number: '5511987650004',
			text: expect.stringContaining(first!.txId),
		});
	});
});

it('sends receipts of one poll one by one: who cannot get one is named, and nobody gets two', async () => {
	const workflowId = world.workflows[WHATSAPP_EXAMPLE]!;
	const numbers = [6, 7, 8, 9].map((digit) => `551198765000${digit}`);
	const payments = numbers.map((whatsApp) => world.seedPayment({ metadata: { whatsApp } }));
	const [, refused, , withoutReceipt] = payments;
	messengers.refusedNumber = numbers[1]!;
	world.sandbox.faults.add({
		...{ kind: 'error', code: 'RECEIPT_NOT_AVAILABLE', times: Infinity },
		path: `/v1/documents/payments/${withoutReceipt!.id}/receipt`,
	});
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');

	const failed = await waitFor(
		async () => {
			const all = await world.client.listExecutionsOfAllModes(workflowId);
			return all.find(({ status }) => status === 'error');
		},
		{ what: 'the run to fail', timeoutMs: 60_000 },
	);
	const error = getError(await world.client.getExecution(failed.id));
	for (const { txId } of [refused!, withoutReceipt!]) expect(error).toContain(txId);
	const sent = messengers
		.at('/message/sendText/loja')
		.filter(({ fields }) => numbers.includes(fields.number as string))
		.map(({ fields }) => fields.number);
	const [first, second, third] = numbers;
	expect(sent.sort()).toEqual([first, second, second, second, third]);
});
