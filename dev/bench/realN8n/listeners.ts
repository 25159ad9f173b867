import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { apiCredential } from '../../n8n/rest/credentials';
import { node, webhook } from '../../n8n/rest/workflow';
import { START, type BenchN8n, type Listener } from './benchN8n';
import { EVENT, SECRET, signAsSlack } from './signedRequest';

const TRIGGER_NODE = 'n8n-nodes-brl-payments.brlPaymentsTrigger';

// To receive, it sends nothing.
const signing = apiCredential('http://127.0.0.1:1', 'example', 'Bench signing', SECRET);
const slack = {
	name: 'Bench Slack',
	type: 'slackApi',
	data: { accessToken: 'xoxb-example', signatureSecret: SECRET },
};

export async function saveCredentials(n8n: BenchN8n): Promise<void> {
	await n8n.saveCredential(signing);
	await n8n.saveCredential(slack);
}

export async function listenWithTrigger(
	n8n: BenchN8n,
	name: string,
	options: INodeParameters = {},
): Promise<Listener> {
	const webhookId = randomUUID();
	const parameters = { events: [EVENT], options };
	const credentials = { brlPaymentsApi: { id: null, name: signing.name } };
	const start = node(START, TRIGGER_NODE, 2, parameters, { webhookId, credentials });
	return await n8n.listen(name, start, `webhook/${webhookId}/webhook`);
}

/** n8n's Webhook node, open to everyone. */
export async function listenWithWebhook(n8n: BenchN8n): Promise<Listener> {
	const webhookId = randomUUID();
	return await n8n.listen('Webhook', webhook(webhookId, {}, { webhookId }), `webhook/${webhookId}`);
}

/** n8n's Slack Trigger, which verifies a signature with the secret of a credential, as this one does. */
export async function listenWithSlack(n8n: BenchN8n): Promise<Listener> {
	const webhookId = randomUUID();
	const parameters = { trigger: ['any_event'], watchWorkspace: true, options: {} };
	const credentials = { slackApi: { id: null, name: slack.name } };
	const start = node(START, 'slackTrigger', 1, parameters, { webhookId, credentials });
	const listener = await n8n.listen('Slack', start, `webhook/${webhookId}/webhook`);
	return { ...listener, sign: signAsSlack };
}
