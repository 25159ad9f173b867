/** The example with an agent, in a real n8n: a chat model decides, a person approves by e-mail. */
import { randomUUID } from 'node:crypto';

import type { IConnections } from 'n8n-workflow';

import { decide } from '../../dev/demo/payouts/approval';
import { getItems } from '../../dev/n8n/rest/executionData';
import { mailCredential, saveCredential } from '../../dev/n8n/rest/credentials';
import { readExample } from '../../dev/demo/examples';
import { withCredentials } from '../../dev/demo/keyCredentials';
import { startMailbox, type Mail, type Mailbox } from '../../dev/demo/mailbox';
import { node } from '../../dev/n8n/rest/workflow';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { ChatModel, type ToolCall } from './support/chatModel';
import { legible } from './examples/exampleWorld';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();
const AGENT = 'Payments Agent';
const CHAT = 'When Chat Message Received';
const MODEL_ACCOUNT = 'Example model account';

let mailbox: Mailbox;
let model: ChatModel;

beforeAll(async () => {
	mailbox = await startMailbox(world.host, world.n8n.userFolder);
	model = await ChatModel.start();
	await saveCredential(world.client, mailCredential(mailbox.smtpPort));
	await saveCredential(world.client, {
		name: MODEL_ACCOUNT,
		type: 'openAiApi',
		data: { apiKey: 'sk-example', url: model.url, header: false },
	});
});
afterAll(async () => {
	await model?.close();
	await mailbox?.close();
});

/** The example, with the model that its user is to choose. */
async function withModel() {
	const example = withCredentials(await readExample('agent-with-approval.json'));
	const chosen = node(
		'Model',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi',
		1.2,
		{ model: { __rl: true, mode: 'id', value: 'example-model' }, options: {} },
		{ credentials: { openAiApi: { id: null, name: MODEL_ACCOUNT } } },
	);
	const connections: IConnections = {
		...example.connections,
		[chosen.name]: { ai_languageModel: [[{ node: AGENT, type: 'ai_languageModel', index: 0 }]] },
	};
	return { ...example, nodes: [...example.nodes, chosen], connections };
}

const PAYOUT = { amount: '50,00', pixKey: 'maria@recipient.example' };
const request = (payout: object = PAYOUT): ToolCall => ({
	...{ name: 'Request_Payout', arguments: payout as ToolCall['arguments'] },
});

/**
 * Says something that leads to the given calls of tools.
 * @param decision of the person who is asked; absent where nobody is to be asked
 * @returns the question, if there was one, and the reply in the chat
 */
async function converse(text: string, calls: ToolCall[], decision?: string) {
	model.willCall(...calls);
	const { length: before } = await mailbox.mails();
	const message = { chatInput: text, sessionId: randomUUID(), action: 'sendMessage' };
	const workflow = { ...(await withModel()), pinData: { [CHAT]: [{ json: message }] } };
	const { id: workflowId } = await world.client.createWorkflow(workflow);
	const id = await world.client.runWorkflow(workflowId, CHAT);
	let mail: Mail | undefined;
	if (decision !== undefined) {
		mail = await waitFor(async () => (await mailbox.mails())[before], { what: 'the e-mail' });
		const { length: paid } = world.sandbox.books.withdrawals;
		// What a mail scanner does: it follows each link.
		for (const [, link = ''] of (mail.html ?? '').matchAll(/href="([^"]+)"/g)) {
			await (await fetch(link.replaceAll('&amp;', '&'))).text();
		}
		expect(world.sandbox.books.withdrawals).toHaveLength(paid);
		await decide(mail, decision, world.n8n.url);
	}
	const execution = await world.client.waitForExecution(id);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	if (decision === undefined) expect(await mailbox.mails()).toHaveLength(before);
	const reply = getItems(execution, 'Reply').at(-1)!.json.output as string;
	return { mail, reply: legible(reply) };
}

it('has tools that only read, and describes them to the model', async () => {
	const { reply } = await converse('What is the balance?', [
		{ name: 'Get_Balance', arguments: {} },
	]);

	expect(model.told).toEqual([expect.stringContaining('available')]);
	const told = model.offered.map(({ name, description }) => [name, description.split('.')[0]]);
	expect(told.sort()).toEqual([
		['Get_Balance', 'Reads only'],
		['Get_Limits', 'Reads only'],
		['List_Withdrawals', 'Reads only'],
		['Request_Payout', 'Reads only'],
	]);
	expect(JSON.stringify(model.offered)).toContain('PIX key exactly as the user gave it');
	expect(reply).toContain('available');
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('asks a person by a page that shows what is paid, and pays each request once', async () => {
	const second = { amount: 75.5, pixKey: '390.533.447-05' };
	const { mail, reply } = await converse('Pay both', [request(), request(second)], 'Pagar');

	expect(legible(mail!.subject)).toBe('Aprovar? 2 pagamentos do agente, R$ 125,50');
	for (const words of ['R$ 50,00 · chave PIX maria@recipient.example', 'R$ 75,50', 'Pay both']) {
		expect(legible(mail!.html)).toContain(words);
	}
	const { withdrawals } = world.sandbox.books;
	expect(withdrawals.map(({ pixKey, amountCents }) => [pixKey, amountCents]).sort()).toEqual([
		['39053344705', 7550],
		['maria@recipient.example', 5000],
	]);
	for (const { id } of withdrawals) expect(reply).toContain(id);

	// Asked for and approved again, within 24 hours.
	const again = await converse('Pay Maria again', [request()], 'Pagar');
	expect(again.reply).toContain('não foi pago');
	expect(world.sandbox.books.withdrawals).toHaveLength(2);
});

it('shows the person what is paid, wherever the model puts it', async () => {
	// n8n passes a tool what is in "query" before what is next to it.
	const hidden = { ...PAYOUT, query: { amount: 999, pixKey: 'thief@recipient.example' } };
	const { mail } = await converse('Pay Maria', [request(hidden)], 'Não pagar');
	expect(legible(mail!.html)).toContain('R$ 999,00 · chave PIX thief@recipient.example');
});

it('pays nothing when the person refuses', async () => {
	const { reply } = await converse('Pay Maria', [request()], 'Não pagar');

	expect(reply).toBe('Nada foi pago: não autorizado por Joana.');
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('asks nobody about what the check refuses', async () => {
	await converse('Pay', [request({ amount: '50', pixKey: '111.444.777-36' })]);

	expect(model.told.at(-1)).toContain('wrong check digits');
});

it('refuses what is over the limit that the node has, even if it was approved', async () => {
	const large = { ...PAYOUT, amount: '1000,01' };
	const { reply } = await converse('Pay Maria', [request(large), request()], 'Pagar');

	expect(reply).toContain('não foi pago');
	expect(world.sandbox.books.withdrawals).toEqual([]);
});
