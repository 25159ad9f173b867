import type { INode } from 'n8n-workflow';

import type { Endpoint, Sandbox } from '../sandbox';
import { NOTIFICATION_EXAMPLE, readExample } from './examples';

async function findNode(file: string, type: string): Promise<INode> {
	const { nodes } = await readExample(file);
	const found = nodes.find((node) => node.type === type);
	if (found) return found;
	throw new Error(`${file} has no node of the type ${type}.`);
}

/** Where people fill in the form of an example, once that is active. */
export async function formUrl(file: string, n8nUrl: string): Promise<string> {
	const { webhookId } = await findNode(file, 'n8n-nodes-base.formTrigger');
	return `${n8nUrl}/form/${webhookId}`;
}

/** Does what a user does under Settings > Webhooks: registers the production URL of a trigger. */
export async function registerEndpoint(
	sandbox: Sandbox,
	n8nUrl: string,
	file = NOTIFICATION_EXAMPLE,
): Promise<Endpoint> {
	const { webhookId, parameters } = await findNode(
		file,
		'n8n-nodes-brl-payments.brlPaymentsTrigger',
	);
	return sandbox.webhooks.register({
		url: `${n8nUrl}/webhook/${webhookId}/webhook`,
		events: parameters.events as string[],
	});
}
