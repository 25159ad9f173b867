import { setTimeout as sleep } from 'node:timers/promises';

import { isEnded, type Execution } from '../demo/n8n/executionData';
import { publishWorkflow } from '../demo/n8n/publication';
import {
	type N8nClient,
	RestError,
	type ExecutionSummary,
	type WorkflowDefinition,
} from '../demo/n8n/rest';
import type { CrashingN8n } from './crashingN8n';
import type { Payout } from './load';

/** How often a failed execution is retried; one that crashed is retried whenever it did. */
export const MAX_RETRIES = 2;

/** An execution that has asked the service for nothing in so long is stopped, as one that failed. */
const STALLED_MS = 20_000;

/** The rule in words, for the report. */
export const PROCEDURE = `Each batch is one call of a production webhook. Retry On Fail: 3 tries, 1 s apart. An execution that failed is retried with "Retry execution", ${MAX_RETRIES} times at most; one that crashed with n8n is retried each time; one that asks the service for nothing in ${STALLED_MS / 1_000} s is stopped, and counts as failed. Nothing else is done, and for all the same.`;

const POLL_MS = 300;
/** n8n saves an execution before or soon after it answers the request that started it. */
const APPEARS_WITHIN_MS = 30_000;

/** What a person sees of a batch while it is paid. */
export interface Watching {
	/** When the service was last asked to pay one of the batch, milliseconds since 1970; 0 for never. */
	lastRequestAt(): number;
	/** Told of each execution that ended, before anything is done about it. */
	read(ended: Execution): void;
}

/** How often a person had to do what. */
export interface Effort {
	retries: number;
	stops: number;
}

/** A person who has a batch paid by a workflow, and does what anybody would do when it fails. */
export class User {
	private constructor(
		private readonly n8n: CrashingN8n,
		private readonly workflowId: string,
		private readonly path: string,
	) {}

	/** Saves and publishes the workflow, which begins with a webhook of this path. */
	static async withWorkflow(
		n8n: CrashingN8n,
		workflow: WorkflowDefinition,
		path: string,
	): Promise<User> {
		const workflowId = await n8n.use(async (client) => {
			const { id } = await client.createWorkflow(workflow);
			await publishWorkflow(client, id);
			return id;
		});
		return new User(n8n, workflowId, path);
	}

	async pay(payouts: readonly Payout[], watching: Watching): Promise<Effort> {
		const effort: Effort = { retries: 0, stops: 0 };
		let ended = await this.toEnd(await this.startBatch(payouts), watching, effort);
		for (let failures = 0; ended.status !== 'success'; effort.retries += 1) {
			if (ended.status !== 'crashed' && (failures += 1) > MAX_RETRIES) break;
			const retried = await this.retry(ended.id);
			if (retried === null) break;
			ended = await this.toEnd(retried, watching, effort);
		}
		return effort;
	}

	private async startBatch(payouts: readonly Payout[]): Promise<string> {
		const items = payouts.map(({ payee, amountCents }) => ({
			pixKey: payee,
			amount: amountCents / 100,
			description: `Campaign ${payee}`,
		}));
		const started = await this.untilOneAppears(async () => await this.post({ items }));
		if (started === null) throw new Error('A call of a webhook cannot be refused like a retry.');
		return started;
	}

	/**
	 * "Retry execution"; n8n answers when the new execution has ended, which is not waited for here.
	 * @returns null where n8n refuses: one that was stopped by hand and then retried can end as failed,
	 * and count as succeeded when it is to be retried again
	 */
	private async retry(id: string): Promise<string | null> {
		let isRefused = false;
		const press = async (client: N8nClient): Promise<void> => {
			isRefused = false;
			void client
				.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false })
				.catch((error: unknown) => (isRefused = error instanceof RestError));
			return await Promise.resolve();
		};
		return await this.untilOneAppears(
			async () => await this.n8n.use(press),
			() => isRefused,
		);
	}

	/**
	 * Does what starts an execution until there is a new one. n8n can be killed before it has saved
	 * the execution: then the list shows none, and it is asked for again.
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
			const deadline = Date.now() + APPEARS_WITHIN_MS;
			let hasEnded = false;
			while (!hasEnded) {
				// Before the list is read: what n8n said after that may be about an execution in it.
				const refused = isRefused();
				hasEnded = refused || kills !== this.n8n.kills || Date.now() >= deadline;
				const found = (await this.list()).find(({ id }) => !known.has(id));
				if (found) return found.id;
				if (refused) return null;
				if (!hasEnded) await sleep(POLL_MS);
			}
		}
	}

	/** Calls the webhook until n8n takes the call, or n8n is lost over it. */
	private async post(body: object): Promise<void> {
		for (let refusals = 0; ; refusals += 1) {
			const { status, text } = await this.n8n.use(async () => {
				const response = await fetch(`${this.n8n.url}/webhook/${this.path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				}).catch(() => undefined);
				return { status: response?.status, text: (await response?.text().catch(() => '')) ?? '' };
			});
			// No answer: whether an execution was started shows in the list.
			if (status === undefined || (status >= 200 && status < 300)) return;
			if (status !== 404) throw new Error(`The webhook answered ${status}: ${text}`);
			// n8n switches a workflow off whose last executions have all crashed.
			if (refusals % 10 === 9) {
				await this.n8n.use(async (client) => await publishWorkflow(client, this.workflowId));
			}
			await sleep(POLL_MS);
		}
	}

	private async toEnd(id: string, watching: Watching, effort: Effort): Promise<Execution> {
		let since = Date.now();
		for (;;) {
			const found = (await this.list()).find((execution) => execution.id === id);
			if (found && isEnded(found.status)) {
				const ended = await this.n8n.use(async (client) => await client.getExecution(id));
				watching.read(ended);
				return ended;
			}
			if (Date.now() - Math.max(since, watching.lastRequestAt()) > STALLED_MS) {
				effort.stops += 1;
				await this.n8n.use(
					async (client) => await client.request('POST', `/rest/executions/${id}/stop`),
				);
				since = Date.now();
			}
			await sleep(POLL_MS);
		}
	}

	private async list(): Promise<ExecutionSummary[]> {
		return await this.n8n.use(async (client) => await client.listExecutions(this.workflowId));
	}
}
