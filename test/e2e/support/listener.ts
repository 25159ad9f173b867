import { randomUUID } from 'node:crypto';

import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import {
	API_CREDENTIAL_NAME,
	apiCredential,
	saveCredential,
} from '../../../dev/n8n/rest/credentials';
import { isEnded, getItems, type Execution, type Item } from '../../../dev/n8n/rest/executionData';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import type { ExecutionSummary } from '../../../dev/n8n/rest/rest';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { connectInLine, node } from '../../../dev/n8n/rest/workflow';
import type { N8nTestEnv } from './n8nTestEnv';

const TRIGGER_NODE = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
/** The name of the trigger in every workflow of these tests. */
export const TRIGGER = 'BRL Payments Trigger';

/** n8n allows no expression with more than one second in it, but as many expressions as one likes. */
export const POLL_EVERY_2_SECONDS: INodeParameters = {
	item: Array.from({ length: 30 }, (_, index) => ({
		...{ mode: 'custom', cronExpression: `${index * 2} * * * * *` },
	})),
};

interface ListenerParts {
	readonly name?: string;
	readonly events?: string[];
	readonly options?: INodeParameters;
	/** Further parameters of the trigger. */
	readonly parameters?: INodeParameters;
	/** Name of the credential; where left out, the one of all tests, with the secret that `deliver` signs with. */
	readonly credential?: string;
	/** Nodes behind the trigger, in one line. */
	readonly after?: INode[];
	readonly settings?: IWorkflowSettings;
}

/** Saves the signing secrets that workflows with this credential verify with from now on. */
export async function saveSecrets(
	world: N8nTestEnv,
	name: string,
	...secrets: string[]
): Promise<void> {
	const { url, keys } = world.sandbox;
	await saveCredential(world.client, apiCredential(url, keys.live, name, secrets.join('\n')));
}

/** A workflow that begins with the trigger, and what the tests do with it. */
export class Listener {
	private constructor(
		private readonly world: N8nTestEnv,
		readonly workflowId: string,
		private readonly webhookId: string,
	) {}

	/** Saves and activates a workflow, and waits until it listens. */
	static async open(world: N8nTestEnv, parts: ListenerParts = {}): Promise<Listener> {
		const listener = await Listener.save(world, parts);
		await listener.activate();
		return listener;
	}

	/** Saves a workflow that does not listen yet. */
	static async save(world: N8nTestEnv, parts: ListenerParts = {}): Promise<Listener> {
		const { name = 'Events', events = ['*'], options = {}, after = [], settings } = parts;
		const { credential = API_CREDENTIAL_NAME } = parts;
		const webhookId = randomUUID();
		const trigger = node(
			TRIGGER,
			TRIGGER_NODE,
			2,
			{ events, options, ...parts.parameters },
			{
				webhookId,
				credentials: { brlPaymentsApi: { id: null, name: credential } },
			},
		);
		const nodes = [trigger, ...after];
		const { id } = await world.client.createWorkflow({
			name,
			nodes,
			connections: connectInLine(nodes),
			settings: { executionOrder: 'v1', ...settings },
		});
		return new Listener(world, id, webhookId);
	}

	get url(): string {
		return `${this.world.webhookUrl}/${this.path}`;
	}

	/** Below the address of n8n, which may change at a restart. */
	get path(): string {
		return `webhook/${this.webhookId}/webhook`;
	}

	get testUrl(): string {
		return `${this.world.n8n.url}/webhook-test/${this.webhookId}/webhook`;
	}

	/** Publishes the workflow; fails with what n8n says when it cannot. */
	async activate(): Promise<void> {
		await publishWorkflow(this.world.client, this.workflowId);
	}

	/** All executions, oldest first, once none of them is at work any more. */
	async executions(): Promise<ExecutionSummary[]> {
		return await waitFor(
			async () => {
				const list = await this.world.client.listExecutions(this.workflowId);
				return list.every(({ status }) => isEnded(status)) && list.reverse();
			},
			{ what: 'all executions to end', timeoutMs: 300_000, pollMs: 500 },
		);
	}

	/** What each execution emitted, those that ended without an item included. */
	async emitted(): Promise<Item[][]> {
		const executions = await this.executions();
		const read = async ({ id }: ExecutionSummary) => await this.world.client.getExecution(id);
		const all: Execution[] = await Promise.all(executions.map(read));
		return all.map((execution) => getItems(execution, TRIGGER));
	}

	/** The delivery ids that continued into the workflow, in order of the executions. */
	async emittedIds(): Promise<unknown[]> {
		return (await this.emitted()).flat().map(({ json }) => json.deliveryId);
	}
}
