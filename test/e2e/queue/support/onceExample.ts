import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import { redisCredential, saveCredential } from '../../../../dev/n8n/rest/credentials';
import { ONCE_EXAMPLE, readExample } from '../../../../dev/demo/examples';
import { waitFor } from '../../../../dev/n8n/process/waitFor';
import { publishWorkflow } from '../../../../dev/n8n/rest/publication';
import { type Counter, effectNode } from '../../support/counter';
import { SECRET } from '../../support/deliveries';
import { saveSecrets, TRIGGER_NODE } from '../../support/listener';
import type { QueueWorld } from './queueWorld';

/** The node of the examples that stands for the user's own work. */
const WORK = 'Send E-mail';
/** How many rows the table of the other example has. */
const ROW_COUNT = 64;

/**
 * An example that lets each delivery through once, as a user has set it up, with the counter in place
 * of its e-mail. Returns the id of the workflow and the path of its trigger.
 *
 * @param options of the trigger
 */
export async function openOnceExample(
	world: QueueWorld,
	counter: Counter,
	file: string,
	options: INodeParameters = {},
): Promise<{ workflowId: string; path: string }> {
	const { port, password } = world.cluster.redis;
	await saveCredential(world.client, redisCredential(port, password));
	const example = await readExample(file);
	const trigger = example.nodes.find(({ type }) => type === TRIGGER_NODE)!;
	const { name } = trigger.credentials!.brlPaymentsWebhookApi!;
	await saveSecrets(world, name, SECRET);
	const webhookId = randomUUID();
	const nodes = example.nodes.map((node) => {
		if (node === trigger) {
			return { ...node, webhookId, parameters: { ...node.parameters, options } };
		}
		if (node.name !== WORK) return node;
		return { ...effectNode(counter), name: WORK, position: node.position };
	});
	const { id } = await world.client.createWorkflow({ ...example, nodes });
	await publishWorkflow(world.client, id);
	if (file === ONCE_EXAMPLE) await untilItHasRows(world, id);
	return { workflowId: id, path: `webhook/${webhookId}/webhook` };
}

/** Publishing starts an execution that makes the table, once. */
async function untilItHasRows({ client, cluster }: QueueWorld, workflowId: string): Promise<void> {
	const { id } = await waitFor(async () => (await client.listExecutions(workflowId))[0], {
		what: 'the execution that publishing starts',
		timeoutMs: 30_000,
	});
	expect((await client.waitForExecution(id)).status).toBe('success');
	const tables = "SELECT id FROM data_table WHERE name = 'Deliveries taken'";
	const [table, ...others] = await cluster.postgres.query(tables);
	expect(others).toEqual([]);
	const rows = `SELECT count(DISTINCT "row"), count(*) FROM "data_table_user_${table}"`;
	expect(await cluster.postgres.query(rows)).toEqual([`${ROW_COUNT}|${ROW_COUNT}`]);
}
