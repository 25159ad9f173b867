import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import { NOTIFICATION_EXAMPLE, readExample } from '../examples';
import {
	LIVE_KEY_CREDENTIAL_NAME,
	TEST_KEY_CREDENTIAL_NAME,
	withApiCredential,
} from '../keyCredentials';
import { publishWorkflow } from '../../n8n/rest/publication';
import type { N8nClient, WorkflowDefinition } from '../../n8n/rest/rest';

/** Under this name the example is among the workflows of a session, in addition to the files. */
export const POLLING_EXAMPLE = 'Payments received, by polling with a test key';

/**
 * A person who tries it does not want to wait for a minute. n8n allows no expression with several
 * seconds.
 */
const POLL_TIMES = {
	item: [0, 10, 20, 30, 40, 50].map((second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

function isTrigger({ type }: INode): boolean {
	return type === 'n8n-nodes-brl-payments.brlPaymentsTrigger';
}

async function definePollingExample(): Promise<WorkflowDefinition> {
	const example = await readExample(NOTIFICATION_EXAMPLE);
	const nodes = example.nodes.map((node) => {
		// Or n8n takes it for the node of the other workflow.
		const own = { ...node, id: randomUUID() };
		delete own.webhookId;
		if (!isTrigger(node)) return own;
		return {
			...own,
			parameters: { ...node.parameters, receiveBy: 'polling', pollTimes: POLL_TIMES },
			credentials: { brlPaymentsApi: { id: null, name: TEST_KEY_CREDENTIAL_NAME } },
		};
	});
	const polling = { ...example, name: POLLING_EXAMPLE, nodes };
	return withApiCredential(polling, LIVE_KEY_CREDENTIAL_NAME);
}

/** Puts it into n8n, active, unless it is there. @returns its id */
export async function keepPollingExample(client: N8nClient): Promise<string> {
	const present = (await client.listWorkflows()).find(({ name }) => name === POLLING_EXAMPLE);
	if (present) return present.id;
	const { id } = await client.createWorkflow(await definePollingExample());
	await publishWorkflow(client, id);
	return id;
}
