import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { ensureN8nInstalled, type N8nHost } from '../../n8n/install/install';
import { makeUserFolder, N8nInstance } from '../../n8n/instance';
import type { N8nProcess } from '../../n8n/process/process';
import { apiCredential } from '../../n8n/rest/credentials';
import { getItems, getRuns, type Execution } from '../../n8n/rest/executionData';
import { publishWorkflow } from '../../n8n/rest/publication';
import type {
	CredentialDefinition,
	ExecutionSummary,
	N8nClient,
	WorkflowDefinition,
} from '../../n8n/rest/rest';
import { waitFor } from '../../n8n/process/waitFor';
import { node, buildWorkflow, webhookStart } from '../../n8n/rest/workflow';
import type { BulkPayout } from '../bulk/payouts';
import { PAY, type ServiceAccess } from '../bulk/strategies';
import type { ServiceAddress } from '../children/sandbox';
import { toSqlite, type Database } from '../ledger/database';
import { readProcessorMs } from '../measure/processes';
import type { SuiteOptions } from '../report';
import type { Event, SignedRequest } from './signedRequest';

export const START = 'Start';

/** How many of the newest executions are looked at for the end of the last one. */
const NEWEST = 20;

export interface Listener {
	readonly workflowId: string;
	/** Below the address of n8n. */
	readonly path: string;
	/** How its sender signs, where it is not that of this package's trigger. */
	readonly sign?: (event: Event, now: number, secret?: string) => SignedRequest;
}

export interface BulkWorkflow {
	readonly id: string;
	readonly path: string;
}

interface BulkRun {
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

interface Finished {
	readonly count: number;
	/** When the last one ended, in epoch milliseconds; 0 where there is none. */
	readonly lastEnd: number;
}

interface BenchN8nOptions extends Pick<SuiteOptions, 'onProgress'> {
	readonly env?: NodeJS.ProcessEnv;
}

/** Gives the last node one item in each round. */
function eachItemInLoop({
	nodes,
	connections,
	...workflow
}: WorkflowDefinition): WorkflowDefinition {
	const [items, pay] = nodes.slice(-2) as [INode, INode];
	const loop = node('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} });
	const to = ({ name }: INode) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		...workflow,
		nodes: [...nodes, loop],
		connections: {
			...connections,
			[items.name]: { main: [to(loop)] },
			[loop.name]: { main: [[], to(pay)] },
			[pay.name]: { main: [to(loop)] },
		},
	};
}

/** A separate real n8n, with n8n's own settings, the built package, and an empty database. */
export class BenchN8n {
	private constructor(
		private readonly host: N8nHost,
		private readonly folder: string,
		private readonly instance: N8nInstance,
	) {}

	static async start({ onProgress, env = {} }: BenchN8nOptions): Promise<BenchN8n> {
		const host = await ensureN8nInstalled({ onProgress });
		const folder = await makeUserFolder('bench');
		const instance = new N8nInstance({ host, userFolder: folder, env });
		onProgress('starting n8n');
		try {
			await instance.start();
			return new BenchN8n(host, folder, instance);
		} catch (error) {
			await instance.remove();
			throw error;
		}
	}

	static async use<T>(options: BenchN8nOptions, work: (n8n: BenchN8n) => Promise<T>): Promise<T> {
		const n8n = await BenchN8n.start(options);
		try {
			return await work(n8n);
		} finally {
			await n8n.end();
		}
	}

	get database(): Database {
		return toSqlite(this.host, this.databaseFile);
	}

	async createAccess({ url, apiKey }: ServiceAddress): Promise<ServiceAccess> {
		const { id, name } = await this.client.createCredential(apiCredential(url, apiKey, url));
		return { url, credential: { id, name } };
	}

	/** Saves and publishes a workflow: webhook, list of items, the given node, once or for each item. */
	async publish(pay: INode, shape: 'list' | 'loop' = 'list'): Promise<BulkWorkflow> {
		const path = randomUUID();
		// It responds at the end: repeated requests to n8n would be measured as well.
		const start = webhookStart(path, { responseMode: 'lastNode', responseData: 'noData' });
		const workflow = buildWorkflow(path, [...start, pay]);
		const id = await this.save(shape === 'list' ? workflow : eachItemInLoop(workflow));
		return { id, path };
	}

	/** @throws when the execution failed */
	async pay({ id, path }: BulkWorkflow, payouts: readonly BulkPayout[]): Promise<BulkRun> {
		const before = this.processorTime();
		await this.call(path, payouts);
		const after = this.processorTime();
		const execution = await this.newestExecution(id);
		if (execution.status !== 'success') {
			throw new Error(`n8n: ${execution.data.resultData.error?.message ?? execution.status}`);
		}
		const times = getRuns(execution, PAY).map(({ executionTime = NaN }) => executionTime);
		const milliseconds = times.reduce((sum, time) => sum + time, 0);
		if (!(milliseconds > 0)) throw new Error('n8n does not report how long the node took');
		return {
			milliseconds,
			succeeded: getItems(execution, PAY).filter(({ json }) => json.error === undefined).length,
			processorMs: before && after && after - before,
		};
	}

	getUrl({ path }: Listener): string {
		return `${this.n8n.url}/${path}`;
	}

	async saveCredential(credential: CredentialDefinition): Promise<void> {
		await this.client.createCredential(credential);
	}

	/**
	 * Saves and publishes a workflow of two nodes: the given one, and one that does nothing.
	 *
	 * @param path of the webhook, below the address of n8n
	 */
	async listen(name: string, start: INode, path: string): Promise<Listener> {
		const workflowId = await this.save(buildWorkflow(name, [start, node('Nothing', 'noOp', 1)]));
		return { workflowId, path };
	}

	async finished({ workflowId }: Listener): Promise<Finished> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['success'] }));
		const { count, results } = await this.client.request<{
			count: number;
			results: Array<ExecutionSummary & { stoppedAt: string }>;
		}>('GET', `/rest/executions?filter=${filter}&limit=${NEWEST}`);
		const ends = results.map(({ stoppedAt }) => Date.parse(stoppedAt));
		return { count, lastEnd: Math.max(0, ...ends) };
	}

	/** Waits until n8n lists this many as succeeded. @throws when it lists more */
	async finishedToBe(listener: Listener, count: number): Promise<Finished> {
		return await waitFor(
			async () => {
				const finished = await this.finished(listener);
				if (finished.count > count) {
					throw new Error(`n8n ran ${finished.count} executions instead of ${count}`);
				}
				return finished.count === count && finished;
			},
			{ what: `n8n to end ${count} executions`, timeoutMs: 120_000, pollMs: 200 },
		);
	}

	/** Processor time of n8n's process, in milliseconds; undefined where the system does not report it. */
	processorTime(): number | undefined {
		return readProcessorMs(this.n8n.pid);
	}

	async end(): Promise<void> {
		await this.instance.remove();
	}

	private async save(workflow: WorkflowDefinition): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		await publishWorkflow(this.client, id);
		return id;
	}

	/** Resolves when the execution has ended, however long that takes. */
	private async call(path: string, items: readonly BulkPayout[]): Promise<void> {
		const outgoing = request(`${this.n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
		});
		outgoing.end(JSON.stringify({ items }));
		const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
		response.resume();
		await once(response, 'end');
	}

	private async newestExecution(workflowId: string): Promise<Execution> {
		const [newest] = await this.client.listExecutions(workflowId);
		if (!newest) throw new Error('n8n lists no execution');
		return await this.client.waitForExecution(newest.id);
	}

	private get databaseFile(): string {
		return join(this.folder, '.n8n', 'database.sqlite');
	}

	private get n8n(): N8nProcess {
		return this.instance.process;
	}

	private get client(): N8nClient {
		return this.instance.client;
	}
}
