/** The example with an agent, in a real n8n: a chat model decides, a person approves by e-mail. */
import { randomUUID } from 'node:crypto';

import type { IConnections } from 'n8n-workflow';

import { mailCredential, saveCredential } from '../../dev/n8n/rest/credentials';
import { readExample } from '../../dev/demo/examples';
import { startMailbox, type Mail, type Mailbox } from '../../dev/demo/mailbox';
import { node } from '../../dev/n8n/rest/workflow';
import { waitFor } from '../../dev/n8n/process/waitFor';
import { ChatModel, type ToolCall } from './support/chatModel';
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
	const example = await readExample('agent-with-approval.json');
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

const PAYOUT = { amount: 50, pixKey: 'maria@recipient.example', description: 'Invoice 1042' };
const send = (payout = PAYOUT): ToolCall => ({
	name: 'Send_PIX',
	arguments: { toolParameters: payout, hitlParameters: {} },
});

/** Runs the example with what a user wrote in the chat; returns the id of the execution. */
async function say(chatInput: string): Promise<string> {
	const message = { chatInput, sessionId: randomUUID(), action: 'sendMessage' };
	const workflow = { ...(await withModel()), pinData: { [CHAT]: [{ json: message }] } };
	const { id } = await world.client.createWorkflow(workflow);
	return await world.client.runWorkflow(id, CHAT);
}

/** Presses one of the two buttons in the mail, as the approver's browser does. */
async function press(mail: Mail, approved: boolean): Promise<void> {
	const links = [...(mail.html ?? '').matchAll(/href="([^"]+)"/g)].map(([, link = '']) =>
		link.replaceAll('&amp;', '&'),
	);
	const link = links.find((each) => each.includes(`approved=${approved}`));
	expect(link).toBeDefined();
	// n8n responds only to what looks like a person's browser.
	const response = await fetch(link!, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux)' } });
	expect(response.status).toBe(200);
	await response.text();
}

/** Says something that leads to the given calls; each approval is answered in turn. */
async function converse(text: string, calls: ToolCall[], answers: boolean[]): Promise<Mail[]> {
	model.willCall(...calls);
	const mails: Mail[] = [];
	const { length: before } = await mailbox.mails();
	const id = await say(text);
	for (const answer of answers) {
		const mail = await waitFor(async () => (await mailbox.mails())[before + mails.length], {
			what: 'the e-mail',
		});
		await world.untilStatus(id, 'waiting');
		expect(world.sandbox.books.withdrawals).toHaveLength(mails.length === 0 ? 0 : 1);
		await press(mail, answer);
		mails.push(mail);
	}
	const execution = await world.client.waitForExecution(id);
	expect(execution.data.resultData.error?.message).toBeUndefined();
	return mails;
}

it('describes to the model what each tool does, and which one moves money', async () => {
	const { amount, pixKey } = PAYOUT;
	const calls = [
		{ name: 'Get_Balance', arguments: {} },
		{ name: 'Check_Payment', arguments: { amount, pixKey } },
	];
	await converse('What is the balance, and can I pay Maria?', calls, []);

	expect(model.told).toEqual([
		expect.stringContaining('available'),
		expect.stringContaining('"ok":true'),
	]);
	const told = Object.fromEntries(
		model.offered.map(({ name, description }) => [name, description.split('.')[0]]),
	);
	expect(told).toEqual({
		Get_Balance: 'Reads only',
		Get_Limits: 'Reads only',
		List_Withdrawals: 'Reads only',
		Check_Payment: 'Reads only',
		Send_PIX: 'MOVES MONEY',
	});
	expect(JSON.stringify(model.offered)).toContain('PIX key exactly as the user gave it');
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('shows the person what is paid, where the model hides it from view', async () => {
	// n8n passes a tool what is in "query" before what is next to it.
	const hidden = { ...PAYOUT, query: { amount: 999, pixKey: 'thief@recipient.example' } };
	const mails = await converse('Pay Maria', [send(hidden)], [true]);

	expect(world.sandbox.books.withdrawals[0]).toMatchObject({
		amountCents: 99_900,
		pixKey: 'thief@recipient.example',
	});
	expect(mails[0]!.subject).toBe('Aprovar? R$ 999 para thief@recipient.example');
});

it('pays nothing when the person refuses', async () => {
	await converse('Pay Maria', [send()], [false]);

	expect(model.told.at(-1)).toContain('rejected');
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('pays once when the person approves, who is shown amount and key, even if it is asked for and approved again', async () => {
	const mails = await converse('Pay Maria', [send(), send()], [true, true]);

	expect(mails[0]!.subject).toBe('Aprovar? R$ 50 para maria@recipient.example');
	expect(mails[0]!.html).toContain('Invoice 1042');
	expect(world.sandbox.books.withdrawals).toMatchObject([
		{ amountCents: 5000, pixKey: PAYOUT.pixKey },
	]);
	const { id } = world.sandbox.books.withdrawals[0]!;
	expect(model.told).toEqual([expect.stringContaining(id), expect.stringContaining(id)]);
	expect(model.told[1]).toContain('"alreadyPaid":true');
});
