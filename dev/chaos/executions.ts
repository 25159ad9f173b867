import { setTimeout as sleep } from 'node:timers/promises';

import { isEnded, type Execution } from '../n8n/rest/executionData';
import { publishWorkflow } from '../n8n/rest/publication';
import { RestError, type ExecutionSummary, type N8nClient } from '../n8n/rest/rest';
import type { UnstableN8n } from './unstableN8n';

/**
 * An execution that has sent the service nothing for this long is stopped, and counts as failed. In real time: where
 * the clock jumps, each execution that is running then would pass for stalled.
 */
const STALLED_MS = 120_000;

/** As people look: n8n would be busy with little else. */
const POLL_MS = 1_000;
/** n8n saves an execution before or soon after it responds to the request that started it. */
const APPEARS_WITHIN_MS = 30_000;

/** Executions of one workflow as a person starts, watches and stops them, in an n8n that may be killed. */
export class Executions {
	constructor(
		private readonly n8n: UnstableN8n,
		readonly workflowId: string,
	) {}

	/** Calls the production webhook of this path. @returns id of the execution */
	async callWebhook(path: string): Promise<string> {
		// Only a retry can be refused.
		return (await this.untilOneAppears(async () => await this.post(path)))!;
	}

	/** "Execute workflow" from this trigger node. @returns id of the execution */
	async execute(trigger: string): Promise<string> {
		const press = async (client: N8nClient): Promise<void> => {
			await client.runWorkflow(this.workflowId, trigger).catch(ignoreWithoutAnswer);
		};
		return (await this.untilOneAppears(async () => await this.n8n.use(press)))!;
	}

	/**
	 * "Retry execution"; n8n responds when the new execution has ended, which is not waited for here.
	 *
	 * @param loadWorkflow whether with the saved workflow instead of the original one
	 * @returns null where n8n refuses: one that was stopped by hand and then retried can end as failed,
	 * and count as succeeded when it is to be retried again
	 */
	async retry(id: string, loadWorkflow: boolean): Promise<string | null> {
		let isRefused = false;
		const press = async (client: N8nClient): Promise<void> => {
			isRefused = false;
			void client
				.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow })
				.catch((error: unknown) => (isRefused = error instanceof RestError));
			return await Promise.resolve();
		};
		return await this.untilOneAppears(
			async () => await this.n8n.use(press),
			() => isRefused,
		);
	}

	/**
	 * Waits until an execution has ended; one that stalls is stopped.
	 * @param lastRequestAt when it last called the service, by any clock; 0 for never
	 */
	async toEnd(
		id: string,
		lastRequestAt: () => number,
		onStop: () => void = () => {},
	): Promise<Execution> {
		let last = lastRequestAt();
		let since = performance.now();
		for (;;) {
			const found = (await this.list()).find((execution) => execution.id === id);
			if (found && isEnded(found.status)) {
				return await this.n8n.use(async (client) => await client.getExecution(id));
			}
			if (lastRequestAt() !== last) {
				last = lastRequestAt();
				since = performance.now();
			}
			if (performance.now() - since > STALLED_MS) {
				onStop();
				await this.n8n.use(async (client) => await stop(client, id));
				since = performance.now();
			}
			await sleep(POLL_MS);
		}
	}

	/**
	 * Repeats what starts an execution until there is a new one. n8n can be killed before it has saved
	 * the execution: then the list shows none, and it is started again.
	 *
	 * @returns null when n8n refused and there is none
	 */
	private async untilOneAppears(
		start: () => Promise<void>,
		isRefused: () => boolean = () => false,
	): Promise<string | null> {
		const known = new Set((await this.list()).map(({ id }) => id));
		for (;;) {
			await start();
			const { kills } = this.n8n;
			const deadline = performance.now() + APPEARS_WITHIN_MS;
			let hasEnded = false;
			while (!hasEnded) {
				// Before the list is read: a later response may be about an execution in it.
				const refused = isRefused();
				hasEnded = refused || kills !== this.n8n.kills || performance.now() >= deadline;
				const found = (await this.list()).find(({ id }) => !known.has(id));
				if (found) return found.id;
				if (refused) return null;
				if (!hasEnded) await sleep(POLL_MS);
			}
		}
	}

	/** Calls the webhook until n8n accepts the call, or goes down. */
	private async post(path: string): Promise<void> {
		for (let refusals = 0; ; refusals += 1) {
			const { status, text } = await this.n8n.use(async () => {
				const url = `${this.n8n.url}/webhook/${path}`;
				const response = await fetch(url, { method: 'POST' }).catch(() => undefined);
				return { status: response?.status, text: (await response?.text().catch(() => '')) ?? '' };
			});
			// No response, or one of a part that misses another: the list shows whether it was started.
			if (status === undefined || (status >= 200 && status < 300) || status >= 500) return;
			if (status !== 404) throw new Error(`The webhook responded with ${status}: ${text}`);
			// n8n deactivates a workflow whose last executions have all crashed.
			if (refusals % 10 === 9) {
				await this.n8n.use(async (client) => await publishWorkflow(client, this.workflowId));
			}
			await sleep(POLL_MS);
		}
	}

	private async list(): Promise<ExecutionSummary[]> {
		return await this.n8n.use(async (client) => await client.listExecutions(this.workflowId));
	}
}

/** An execution may end between the look at the list and this. */
async function stop(client: N8nClient, id: string): Promise<void> {
	try {
		await client.request('POST', `/rest/executions/${id}/stop`);
	} catch (error) {
		const ended = ['can be stopped', 'Failed to find execution to stop'];
		const { message } = error as Error;
		if (!(error instanceof RestError && ended.some((text) => message.includes(text)))) throw error;
	}
}

/** Without a response, the list of executions shows whether one was started. */
function ignoreWithoutAnswer(error: unknown): void {
	if (error instanceof RestError) throw error;
}
