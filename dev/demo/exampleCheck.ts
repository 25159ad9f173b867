import { isEnded } from '../n8n/rest/executionData';
import { waitFor } from '../n8n/process/waitFor';
import { describeError } from '../cli/command';
import { sentTo, type Mail } from './mailbox';
import type { DemoSession } from './session';

/** One thing that was tried with an example. */
export interface Step {
	step: string;
	/** What was seen. */
	result: string;
}

/** Tries an example, and keeps what was seen. */
export class ExampleCheck {
	readonly steps: Step[] = [];
	/** What went wrong, one sentence each. */
	readonly faults: string[] = [];

	constructor(readonly session: DemoSession) {}

	/** If the work fails, that is a fault. */
	async try(work: (check: ExampleCheck) => Promise<void>): Promise<void> {
		await work(this).catch((error: unknown) => this.faults.push(describeError(error)));
	}

	/** Notes what was seen of a step, and whether it is what has to be. */
	expect(step: string, result: string, isRight: boolean): void {
		this.steps.push({ step, result });
		if (!isRight) this.faults.push(`${step}: this was not seen.`);
	}

	async mailsTo(recipient: string): Promise<Mail[]> {
		return sentTo(await this.session.mailbox.mails(), recipient);
	}

	/** The first e-mail to an address; waits for it. */
	async mailTo(recipient: string): Promise<Mail> {
		return await waitFor(async () => (await this.mailsTo(recipient))[0], {
			what: `an e-mail to ${recipient}`,
			timeoutMs: 30_000,
		});
	}

	async runToSuccess(file: string, trigger: string): Promise<void> {
		const { client, workflows } = this.session;
		const { status, data } = await client.runToEnd(workflows[file]!, trigger);
		if (status === 'success') return;
		const { error, lastNodeExecuted } = data.resultData;
		this.faults.push(
			`${file} ended with "${status}" in "${lastNodeExecuted}": ${error?.message ?? ''}`,
		);
	}

	/** Waits until every delivery has a response, and what it has started is done. */
	async settle(file: string): Promise<void> {
		const { sandbox, client, workflows } = this.session;
		await waitFor(() => sandbox.webhooks.deliveries.every(({ status }) => status !== 'PENDING'), {
			what: 'every delivery to be answered with success',
			timeoutMs: 30_000,
		});
		await waitFor(
			async () => {
				const executions = await client.listExecutions(workflows[file]!);
				return executions.every(({ status }) => isEnded(status));
			},
			{ what: 'the workflow to end', timeoutMs: 30_000 },
		);
	}
}
