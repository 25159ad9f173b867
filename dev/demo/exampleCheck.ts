import { isEnded } from '../n8n/rest/executionData';
import { waitFor } from '../n8n/process/waitFor';
import { describeError } from '../cli/command';
import { sentTo, type Mail } from './mailbox';
import type { DemoSession } from './session';

export interface Step {
	step: string;
	result: string;
}

export class ExampleCheck {
	readonly steps: Step[] = [];
	readonly faults: string[] = [];

	constructor(readonly session: DemoSession) {}

	async try(work: (check: ExampleCheck) => Promise<void>): Promise<void> {
		await work(this).catch((error: unknown) => this.faults.push(describeError(error)));
	}

	expect(step: string, result: string, isRight: boolean): void {
		this.steps.push({ step, result });
		if (!isRight) this.faults.push(`${step}: this was not seen.`);
	}

	async mailsTo(recipient: string): Promise<Mail[]> {
		return sentTo(await this.session.mailbox.mails(), recipient);
	}

	/** @param index of the e-mail, from 0; by default the first one. It may take a poll, once a minute. */
	async mailTo(recipient: string, index = 0): Promise<Mail> {
		return await waitFor(async () => (await this.mailsTo(recipient))[index], {
			what: `e-mail ${index + 1} to ${recipient}`,
			timeoutMs: 90_000,
		});
	}

	async settle(file: string): Promise<void> {
		const { client, workflows } = this.session;
		await waitFor(
			async () => {
				const executions = await client.listExecutions(workflows[file]!);
				return executions.every(({ status }) => isEnded(status));
			},
			{ what: 'the workflow to end', timeoutMs: 30_000 },
		);
	}
}
