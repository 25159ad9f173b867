import { readFile } from 'node:fs/promises';

import type { N8nProcess } from '../../../../dev/n8n/process/process';
import { waitFor } from '../../../../dev/n8n/process/waitFor';
import { Cluster, WORKERS, type Worker } from '../../../../dev/n8n/queue/cluster';
import { use, N8nTestEnv } from '../../support/n8nTestEnv';

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

	/**
	 * The status of each execution of a workflow, once no worker is at work any more: n8n may call what a dead one had
	 * taken queued or running ever after. @param stillMs nothing changes for so long, so nothing more will end
	 */
	async settle(workflowId: string, stillMs = Infinity): Promise<Map<string, string>> {
		let before = '';
		let since = Date.now();
		return await waitFor(
			async () => {
				const rows = await this.cluster.postgres.query(
					`SELECT id, status FROM execution_entity
					WHERE "workflowId" = '${workflowId}' AND mode <> 'integrated'`,
				);
				if (rows.join() !== before) since = Date.now();
				before = rows.join();
				const found = new Map(rows.map((row) => row.split('|') as [string, string]));
				const isAtWork = [...found.values()].some((each) => ['new', 'running'].includes(each));
				return found.size > 0 && (!isAtWork || Date.now() - since > stillMs) && found;
			},
			{ what: 'all executions to end', timeoutMs: 15 * 60_000, pollMs: 500 },
		);
	}

	/** What the workers have logged, also those that were killed. */
	async workerLogs(): Promise<string[]> {
		const files = WORKERS.map((worker) => this.cluster.member(worker).logFile);
		const texts = await Promise.all(files.map(async (file) => await readFile(file, 'utf8')));
		return texts.flatMap((text) => text.split('\n'));
	}

	/** Both workers again, with these settings. */
	async restartWorkers(env: NodeJS.ProcessEnv): Promise<void> {
		for (const worker of WORKERS) {
			await this.cluster.member(worker).stop();
			await this.cluster.startMember(worker, env);
		}
	}

	override async end(): Promise<void> {
		await this.cluster?.stop();
		await super.end();
	}
}

/**
 * What the demo has, and docs/queue-mode.md advises for workers: n8n leaves the execution of a dead one alone.
 */
export const LEAVE_ALONE = { QUEUE_WORKER_STALLED_INTERVAL: String(24 * 60 * 60_000) };

/** One cluster for all tests of a file. */
export function useQueueWorld(env?: NodeJS.ProcessEnv): QueueWorld {
	return use(new QueueWorld(env));
}
