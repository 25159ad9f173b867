import { redisCredential, saveCredential } from '../../../../dev/n8n/rest/credentials';
import { readExample, REDIS_EXAMPLE } from '../../../../dev/demo/examples';
import { publishWorkflow } from '../../../../dev/n8n/rest/publication';
import type { Counter } from '../../support/counter';
import { effectNode } from '../../support/counter';
import { SECRET } from '../../support/deliveries';
import { saveSecrets, TRIGGER_NODE } from '../../support/listener';
import type { QueueWorld } from './queueWorld';

/** The node of the example that stands for the user's own work. */
const WORK = 'Send E-mail';

/**
 * The example as a user has set it up, with the counter in place of its e-mail. Returns the id of
 * the workflow and the path of its trigger.
 */
export async function openRedisExample(
	world: QueueWorld,
	counter: Counter,
): Promise<{ workflowId: string; path: string }> {
	const { port, password } = world.cluster.redis;
	await saveCredential(world.client, redisCredential(port, password));
	const example = await readExample(REDIS_EXAMPLE);
	const trigger = example.nodes.find(({ type }) => type === TRIGGER_NODE)!;
	const { name } = trigger.credentials!.brlPaymentsWebhookApi!;
	await saveSecrets(world, name, SECRET);
	const nodes = example.nodes.map((node) =>
		node.name === WORK ? { ...effectNode(counter), name: WORK, position: node.position } : node,
	);
	const { id } = await world.client.createWorkflow({ ...example, nodes });
	await publishWorkflow(world.client, id);
	return { workflowId: id, path: `webhook/${trigger.webhookId}/webhook` };
}
