import { readFile } from 'node:fs/promises';

import type { N8nProcess } from '../../../dev/n8n/process/process';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { Cluster, WORKERS, type Worker } from '../../../dev/n8n/queue/cluster';
import { use, N8nTestEnv } from './n8nTestEnv';

/** A real n8n in queue mode, next to a sandbox. */
export class QueueWorld extends N8nTestEnv {
	cluster!: Cluster;

	override get webhookUrl(): string {
		return this.cluster.front.url;
	}

	protected override readonly launch = async (): Promise<N8nProcess> => {
		const { host, folder, env } = this;
		this.cluster = await Cluster.start({ host, folder, env });
		return this.cluster.main;
	};

	/** The workers that an execution was started on, as their logs say. */
	async getWorkers(executionId: string): Promise<Worker[]> {
		const found: Worker[] = [];
		for (const worker of WORKERS) {
			const log = await readFile(this.cluster.member(worker).logFile, 'utf8');
			if (log.includes(`Worker started execution ${executionId} `)) found.push(worker);
		}
		return found;
	}

	/** The one worker that an execution is running on. */
	async getWorker(executionId: string): Promise<Worker> {
		return await waitFor(async () => (await this.getWorkers(executionId))[0], {
			what: `a worker to take execution ${executionId}`,
		});
	}

	/** The status of each execution of a workflow, once no worker is at work any more. */
	async settle(workflowId: string): Promise<Map<string, string>> {
		return await waitFor(
			async () => {
				const rows = await this.cluster.postgres.query(
					`SELECT id, status FROM execution_entity
					WHERE "workflowId" = '${workflowId}' AND mode <> 'integrated'`,
				);
				const found = new Map(rows.map((row) => row.split('|') as [string, string]));
				const isAtWork = [...found.values()].some((each) => ['new', 'running'].includes(each));
				return found.size > 0 && !isAtWork && found;
			},
			{ what: 'all executions to end', timeoutMs: 15 * 60_000, pollMs: 500 },
		);
	}

	override async end(): Promise<void> {
		await this.cluster?.stop();
		await super.end();
	}
}

/** One cluster for all tests of a file. */
export function useQueueWorld(env?: NodeJS.ProcessEnv): QueueWorld {
	return use(new QueueWorld(env));
}
