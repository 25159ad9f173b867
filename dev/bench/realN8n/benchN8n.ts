import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { ensureN8nInstalled, type N8nHost } from '../../n8n/install/install';
import { makeUserFolder, N8nInstance } from '../../n8n/instance';
import type { N8nProcess } from '../../n8n/process/process';
import { publishWorkflow } from '../../n8n/rest/publication';
import type { CredentialDefinition, ExecutionSummary, N8nClient } from '../../n8n/rest/rest';
import { runCommand } from '../../n8n/process/runCommand';
import { waitFor } from '../../n8n/process/waitFor';
import { node, buildWorkflow } from '../../n8n/rest/workflow';
import { toSqlite } from '../ledger/database';
import { readGroupUse, readUse, type Use } from '../measure/processes';
import type { SuiteOptions } from '../report';
import type { FilledStore } from './filledStore';
import type { Event, SignedRequest } from './signedRequest';

const WRITE_STORE = join(__dirname, '..', 'children', 'writeStore.cjs');

/** The name of the node that every workflow begins with. */
export const START = 'Start';

/** The name of the other node. */
const SECOND = 'Nothing';

/** How many of the newest executions are looked at for the end of the last one. */
const NEWEST = 20;

/** A published workflow that begins with a webhook. */
export interface Listener {
	readonly workflowId: string;
	readonly nodeId: string;
	/** Below the address of n8n. */
	readonly path: string;
	/** How its sender signs, where it is not that of this package's trigger. */
	readonly sign?: (event: Event, now: number, secret?: string) => SignedRequest;
}

/** What n8n has in its list for one workflow. */
export interface Finished {
	readonly count: number;
	/** When the last one ended, in epoch milliseconds; 0 where there is none. */
	readonly lastEnd: number;
}

/** A separate real n8n, with n8n's own settings, the built package, and an empty database. */
export class BenchN8n {
	private constructor(
		private readonly host: N8nHost,
		private readonly folder: string,
		private readonly instance: N8nInstance,
	) {}

	/** @param env more environment variables for it */
	static async start({ onProgress, env = {} }: Pick<SuiteOptions, 'onProgress' | 'env'>) {
		const host = await ensureN8nInstalled({ onProgress });
		const folder = await makeUserFolder('bench');
		const instance = new N8nInstance({ host, userFolder: folder, env });
		onProgress('starting n8n');
		await instance.start();
		return new BenchN8n(host, folder, instance);
	}

	/** One for as long as `work` takes. */
	static async use<T>(options: SuiteOptions, work: (n8n: BenchN8n) => Promise<T>): Promise<T> {
		const n8n = await BenchN8n.start(options);
		try {
			return await work(n8n);
		} finally {
			await n8n.end();
		}
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
		const { id } = await this.client.createWorkflow(
			buildWorkflow(name, [start, node(SECOND, 'noOp', 1)]),
		);
		await publishWorkflow(this.client, id);
		return { workflowId: id, nodeId: start.id, path };
	}

	/** What n8n lists as succeeded. */
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

	/** In how many executions the second node has run: those whose trigger has found a copy end before. */
	async continued({ workflowId }: Listener): Promise<number> {
		const database = toSqlite(this.host, this.database);
		const [count] = await database.query(
			`SELECT count(*) FROM execution_data JOIN execution_entity ON id = "executionId" WHERE "workflowId" = '${workflowId}' AND status = 'success' AND data LIKE '%"${SECOND}"%'`,
		);
		return Number(count);
	}

	/** The items that the first node of the newest execution returned. */
	async newestOutput({ workflowId }: Listener): Promise<unknown[]> {
		const [newest] = await this.client.listExecutions(workflowId);
		if (!newest) throw new Error('n8n lists no execution');
		const { data } = await this.client.getExecution(newest.id);
		return data.resultData.runData?.[START]?.[0]?.data?.main?.[0] ?? [];
	}

	/** Puts into n8n's database what it would contain after many deliveries, in place of what is there. */
	async setStore(listener: Listener, { value }: FilledStore): Promise<void> {
		const row = { workflowId: listener.workflowId, context: `n:${listener.nodeId}`, value };
		const rowFile = join(this.folder, 'row.json');
		await writeFile(rowFile, JSON.stringify(row));
		await runCommand(
			this.host.nodeBinary,
			['--disable-warning=ExperimentalWarning', WRITE_STORE, this.database, rowFile],
			{ cwd: this.folder, timeoutMs: 30_000 },
		);
	}

	/** Memory of n8n's process now, in bytes; undefined where the system does not report it. */
	memory(): number | undefined {
		return readUse(this.n8n.pid)?.memory;
	}

	/** Processor time of n8n's process, in milliseconds; undefined where the system does not report it. */
	processorTime(): number | undefined {
		return readUse(this.n8n.pid)?.processorMs;
	}

	/** What n8n and the processes that it has started use. */
	groupUse(): Use | undefined {
		return readGroupUse(this.n8n.pid);
	}

	/** Ends n8n and all that it keeps. */
	async end(): Promise<void> {
		await this.instance.remove();
	}

	private get database(): string {
		return join(this.folder, '.n8n', 'database.sqlite');
	}

	private get n8n(): N8nProcess {
		return this.instance.process;
	}

	private get client(): N8nClient {
		return this.instance.client;
	}
}
