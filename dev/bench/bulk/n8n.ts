import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { apiCredential } from '../../n8n/rest/credentials';
import { getItems, getRuns, type Execution } from '../../n8n/rest/executionData';
import type { N8nHost } from '../../n8n/install/install';
import { makeUserFolder, N8nInstance } from '../../n8n/instance';
import type { N8nProcess } from '../../n8n/process/process';
import type { N8nClient } from '../../n8n/rest/rest';
import { waitFor } from '../../n8n/process/waitFor';
import { node, buildWorkflow } from '../../n8n/rest/workflow';
import type { ServiceAddress } from '../children/sandbox';
import { readUse } from '../measure/processes';
import { PAY, type ServiceAccess } from './strategies';
import type { BulkPayout } from './payouts';

/** Where the node of the loop is. */
const ONE_BY_ONE = join(__dirname, '..', 'oneByOne');

/** A workflow that pays what is posted to it. */
export interface BulkWorkflow {
	readonly id: string;
	readonly path: string;
}

/** What one execution says about its paying node. */
export interface BulkRun {
	/**
	 * The node's own time as n8n records it, in milliseconds: n8n's work before and after it is not in
	 * it.
	 */
	readonly milliseconds: number;
	/** Output items without an error. */
	readonly succeeded: number;
	/** Processor time of n8n over the whole execution, in milliseconds; undefined where it can't be read. */
	readonly processorMs: number | undefined;
}

/** A real n8n with this package, kept for all runs, as it is where users run it. */
export class BulkN8n {
	/** @param databaseFile of SQLite */
	private constructor(
		private readonly instance: N8nInstance,
		readonly databaseFile: string,
	) {}

	/** @param settings environment variables besides those that every n8n here has */
	static async start(host: N8nHost, settings: NodeJS.ProcessEnv = {}): Promise<BulkN8n> {
		const env = { N8N_CUSTOM_EXTENSIONS: ONE_BY_ONE, ...settings };
		const userFolder = await makeUserFolder('bench');
		const instance = new N8nInstance({ host, userFolder, env });
		try {
			await instance.start();
			return new BulkN8n(instance, join(userFolder, '.n8n', 'database.sqlite'));
		} catch (error) {
			await instance.remove();
			throw error;
		}
	}

	/** Saves a credential for a service. */
	async createAccess({ url, apiKey }: ServiceAddress): Promise<ServiceAccess> {
		const credential = apiCredential(url, apiKey, url);
		const { id, name } = await this.client.createCredential(credential);
		return { url, credential: { id, name } };
	}

	/** Saves and publishes a workflow: webhook, list of items, the given node. */
	async publish(pay: INode): Promise<BulkWorkflow> {
		const path = randomUUID();
		const workflow = buildWorkflow(path, [
			node(
				'Webhook',
				'webhook',
				2.1,
				// It responds at the end: repeated requests to n8n would be measured as well.
				{ httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData', options: {} },
				{ webhookId: randomUUID() },
			),
			node('Items', 'splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
			pay,
		]);
		const { id } = await this.client.createWorkflow(workflow);
		await this.client.activateWorkflow(id);
		return { id, path };
	}

	/** @throws when the execution failed */
	async pay(workflow: BulkWorkflow, payouts: readonly BulkPayout[]): Promise<BulkRun> {
		const before = readUse(this.process.pid);
		await this.call(workflow.path, payouts);
		const after = readUse(this.process.pid);
		const execution = await this.lastExecution(workflow.id);
		if (execution.status !== 'success') {
			throw new Error(`n8n: ${execution.data.resultData.error?.message ?? execution.status}`);
		}
		return {
			milliseconds: getOwnTime(execution),
			succeeded: getItems(execution, PAY).filter(({ json }) => json.error === undefined).length,
			processorMs: before && after && after.processorMs - before.processorMs,
		};
	}

	/** Runs a workflow with no items. @returns milliseconds until it has responded, at its end */
	async visit({ path }: BulkWorkflow): Promise<number> {
		const begunAt = performance.now();
		await this.call(path, []);
		return performance.now() - begunAt;
	}

	async end(): Promise<void> {
		await this.instance.remove();
	}

	private get process(): N8nProcess {
		return this.instance.process;
	}

	private get client(): N8nClient {
		return this.instance.client;
	}

	/** Resolves when the execution has ended, however long that takes. */
	private async call(path: string, items: readonly BulkPayout[]): Promise<void> {
		await waitFor(
			async () => {
				const outgoing = request(`${this.process.url}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
				});
				outgoing.end(JSON.stringify({ items }));
				const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
				response.resume();
				await once(response, 'end');
				// Activation responds before the webhook is there. A request that found none started nothing.
				return response.statusCode !== 404;
			},
			{ what: `the webhook ${path}`, timeoutMs: 15_000 },
		);
	}

	private async lastExecution(workflowId: string): Promise<Execution> {
		const [newest] = await this.client.listExecutions(workflowId);
		if (!newest) throw new Error('n8n keeps no execution');
		return await this.client.waitForExecution(newest.id);
	}
}

function getOwnTime(execution: Execution): number {
	const time = getRuns(execution, PAY).at(-1)?.executionTime;
	if (time === undefined) throw new Error('n8n does not report how long the node took');
	return time;
}
