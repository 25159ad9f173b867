import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sumBy } from 'lodash';
import type { IConnections, INode } from 'n8n-workflow';
import { request } from 'undici';
import { ensureN8nInstalled, type N8nHost } from '../n8n/install/install';
import { makeUserFolder, N8nInstance } from '../n8n/instance';
import { waitFor } from '../n8n/process/waitFor';
import { getItems, getRuns, type Item } from '../n8n/rest/executionData';
import { publishWorkflow } from '../n8n/rest/publication';
import type { CredentialDefinition, ExecutionSummary, N8nClient } from '../n8n/rest/rest';
import { buildWorkflow, connectInLine, node, toMain, webhookStart } from '../n8n/rest/workflow';
import { toSqlite, type Database } from './database';

/** Of the newest executions, so many are looked at for the end of the last one. */
const NEWEST = 20;

/** A published workflow. */
export interface Listening {
	readonly id: string;
	/** Of its production webhook, below `/webhook/`. */
	readonly path: string;
}

/** A separate real n8n, with n8n's own settings, the built package, and an empty database. */
export class BenchN8n {
	private constructor(
		private readonly host: N8nHost,
		private readonly folder: string,
		private readonly instance: N8nInstance,
	) {}

	/** @param env more environment variables for n8n */
	static async use<T>(
		onProgress: (text: string) => void,
		credential: CredentialDefinition,
		work: (n8n: BenchN8n) => Promise<T>,
		env: NodeJS.ProcessEnv = {},
	): Promise<T> {
		const host = await ensureN8nInstalled({ onProgress });
		const folder = await makeUserFolder('bench');
		const instance = new N8nInstance({ host, userFolder: folder, env });
		onProgress('starting n8n');
		try {
			await instance.start();
			await instance.client.createCredential(credential);
			return await work(new BenchN8n(host, folder, instance));
		} finally {
			await instance.remove();
		}
	}

	get database(): Database {
		return toSqlite(this.host, join(this.folder, '.n8n', 'database.sqlite'));
	}

	/**
	 * Saves and publishes a workflow: webhook, list of items, the given node.
	 * @param loopSize items that the node is given at a time; all where absent
	 */
	async publish(measured: INode, loopSize?: number): Promise<Listening> {
		const path = randomUUID();
		// It responds at the end: repeated requests to n8n would be measured as well.
		const start = webhookStart(path, { responseMode: 'lastNode', responseData: 'noData' });
		if (loopSize === undefined) return { id: await this.save([...start, measured]), path };
		const loop = node('Loop', 'splitInBatches', 3, { batchSize: loopSize, options: {} });
		const done = node('Done', 'noOp', 1);
		const connections = {
			...connectInLine([...start, loop]),
			[loop.name]: toMain([done], [measured]),
			[measured.name]: toMain([loop]),
		};
		return { id: await this.save([...start, loop, done, measured], connections), path };
	}

	/**
	 * Runs such a workflow with these items.
	 * @param name of the node
	 * @returns the node's own time, as n8n records it, in milliseconds, and what it put out
	 * @throws when the execution failed, or an item did
	 */
	async run(
		{ id, path }: Listening,
		name: string,
		items: readonly object[],
	): Promise<{ milliseconds: number; output: Item[] }> {
		const { body } = await request(`${this.url}/webhook/${path}`, {
			...{ method: 'POST', headers: { 'content-type': 'application/json' } },
			...{ body: JSON.stringify({ items }), headersTimeout: 0, bodyTimeout: 0 },
		});
		await body.dump();
		const [newest] = await this.client.listExecutions(id);
		if (!newest) throw new Error('n8n lists no execution');
		const execution = await this.client.waitForExecution(newest.id);
		if (execution.status !== 'success') {
			throw new Error(`n8n: ${execution.data.resultData.error?.message ?? execution.status}`);
		}
		const output = getItems(execution, name);
		const failed = output.find(({ json }) => json.error !== undefined);
		if (failed) throw new Error(`An item failed: ${JSON.stringify(failed.json.error)}`);
		return { milliseconds: sumBy(getRuns(execution, name), 'executionTime'), output };
	}

	/** Saves and publishes a workflow of two nodes: the given one, and one that does nothing. */
	async listen(start: INode, path: string): Promise<Listening> {
		return { id: await this.save([start, node('Nothing', 'noOp', 1)]), path };
	}

	/**
	 * Waits until n8n lists this many executions as succeeded. @throws when it lists more
	 * @returns when the last one ended, in epoch milliseconds; 0 where there is none
	 */
	async finishedToBe({ id }: Listening, count: number): Promise<number> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id, status: ['success'] }));
		return await waitFor(
			async () => {
				const listed = await this.client.request<{
					count: number;
					results: Array<ExecutionSummary & { stoppedAt: string }>;
				}>('GET', `/rest/executions?filter=${filter}&limit=${NEWEST}`);
				if (listed.count > count) {
					throw new Error(`n8n ran ${listed.count} executions instead of ${count}`);
				}
				const ends = listed.results.map(({ stoppedAt }) => Date.parse(stoppedAt));
				return listed.count === count && Math.max(0, ...ends);
			},
			{ what: `n8n to end ${count} executions`, timeoutMs: 120_000, pollMs: 200 },
		);
	}

	get url(): string {
		return this.instance.process.url;
	}

	private async save(nodes: INode[], connections?: IConnections): Promise<string> {
		const workflow = buildWorkflow('Bench', nodes, connections);
		const { id } = await this.client.createWorkflow(workflow);
		await publishWorkflow(this.client, id);
		return id;
	}

	private get client(): N8nClient {
		return this.instance.client;
	}
}
