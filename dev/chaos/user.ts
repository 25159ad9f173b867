import type { Execution } from '../n8n/rest/executionData';
import { publishWorkflow } from '../n8n/rest/publication';
import type { WorkflowDefinition } from '../n8n/rest/rest';
import type { CrashingN8n } from './crashingN8n';
import { Executions, STALLED_MS } from './executions';
import type { Payout } from './load';

/** How often a failed execution is retried; one that crashed is retried whenever it did. */
export const MAX_RETRIES = 2;

/** The rule in words, for the report. */
export const PROCEDURE = `Each batch is one call of a production webhook. Retry On Fail: 3 tries, 1 s apart. An execution that failed is retried with "Retry execution", ${MAX_RETRIES} times at most; one that crashed with n8n is retried each time; one that asks the service for nothing in ${STALLED_MS / 1_000} s is stopped, and counts as failed. Nothing else is done, and for all the same.`;

/** What a person sees of a batch while it is paid. */
export interface Watching {
	/** When a payout of the batch was last requested, epoch milliseconds; 0 for never. */
	lastRequestAt(): number;
	/** Called for each execution that ended, before anything is done about it. */
	read(ended: Execution): void;
}

/** How often a person had to do what. */
export interface Effort {
	retries: number;
	stops: number;
}

/** A person who has a batch paid by a workflow, and does what anyone would do when it fails. */
export class User {
	private constructor(
		private readonly executions: Executions,
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
		return new User(new Executions(n8n, workflowId), path);
	}

	async pay(payouts: readonly Payout[], watching: Watching): Promise<Effort> {
		const effort: Effort = { retries: 0, stops: 0 };
		let ended = await this.toEnd(await this.startBatch(payouts), watching, effort);
		for (let failures = 0; ended.status !== 'success'; effort.retries += 1) {
			if (ended.status !== 'crashed' && (failures += 1) > MAX_RETRIES) break;
			const retried = await this.executions.retry(ended.id, false);
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
		return await this.executions.callWebhook(this.path, { items });
	}

	private async toEnd(id: string, watching: Watching, effort: Effort): Promise<Execution> {
		const ended = await this.executions.toEnd(
			id,
			() => watching.lastRequestAt(),
			() => (effort.stops += 1),
		);
		watching.read(ended);
		return ended;
	}
}
