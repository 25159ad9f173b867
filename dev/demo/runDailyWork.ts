import { APPROVER, decide, nextQuestion } from './payouts/approval';
import { RECONCILIATION_EXAMPLE, REMINDER_EXAMPLE, STATEMENT_EXAMPLE } from './examples';
import { submitForm } from '../n8n/editor/form';
import { sentTo, type Mail } from './mailbox';
import { waitFor } from '../n8n/process/waitFor';
import { refundFormUrl } from './addresses';
import type { Past } from './seedHistory';
import { tryExample, type ExampleRun } from './report';
import type { DemoSession } from './session';

/** Who is notified, as the examples have it. */
const ACCOUNTING = 'accounting@example.com';
const REQUESTER = 'ana@example.com';

/** The examples that look back: reminders, refunds and reconciliation. */
class DailyWorkCheck {
	constructor(
		private readonly seen: ExampleRun,
		private readonly session: DemoSession,
		private readonly past: Past,
	) {}

	async run(): Promise<void> {
		await this.remind();
		// Before the refund, which would make one of the differences go away.
		await this.reconcile();
		await this.refund();
	}

	private async remind(): Promise<void> {
		const { withAddress, withoutAddress } = this.past.overdue;
		// Twice: nobody may be reminded twice.
		await this.runToSuccess(REMINDER_EXAMPLE, 'Every Day at 09:00');
		await this.runToSuccess(REMINDER_EXAMPLE, 'Every Day at 09:00');
		const reminders: Mail[] = [];
		for (const { metadata } of withAddress) reminders.push(...(await this.mailsTo(metadata.email)));
		this.expect(
			'Each overdue boleto is sent to its customer as a PDF, once in two runs',
			reminders.map(({ subject }) => subject).join('\n'),
			reminders.length === withAddress.length &&
				reminders.every(({ attachments }) => attachments?.length === 1),
		);
		const notices = (await this.mailsTo(ACCOUNTING)).filter(({ subject }) =>
			subject.includes(withoutAddress.txId),
		);
		this.expect(
			'Accounting is notified of the one without an address',
			notices.map(({ subject }) => subject).join('\n'),
			notices.length === 1,
		);
	}

	private async refund(): Promise<void> {
		const { webhookUrl, mailbox, sandbox } = this.session;
		const [payment] = this.past.paidYesterday;
		const asked = (await this.mailsTo(APPROVER)).length;
		const answers = [payment!.txId, 'Order cancelled by the customer', REQUESTER];
		await submitForm(await refundFormUrl(webhookUrl), answers);
		await decide(await nextQuestion(mailbox, asked), 'Devolver', webhookUrl);
		const [answer] = await waitFor(
			async () => {
				const mails = await this.mailsTo(REQUESTER);
				return mails.length > 0 && mails;
			},
			{ what: `the answer to ${REQUESTER}`, timeoutMs: 30_000 },
		);
		this.expect(
			'A refund is asked for, approved and made once',
			answer!.subject,
			sandbox.books.refunds.length === 1 && answer!.subject.includes('a caminho'),
		);
	}

	private async reconcile(): Promise<void> {
		await this.runToSuccess(RECONCILIATION_EXAMPLE, 'Every Day at 06:00');
		const report = (await this.mailsTo(ACCOUNTING)).find(({ subject }) =>
			subject.startsWith('Conciliação'),
		);
		// Two payments without an event, and a withdrawal that failed.
		this.expect(
			'The differences of yesterday are reported',
			report?.subject ?? 'no e-mail',
			report?.subject.endsWith(': 3 diferenças') === true,
		);
		await this.runToSuccess(STATEMENT_EXAMPLE, 'Every Day at 06:00');
		const statement = (await this.mailsTo(ACCOUNTING)).find(({ subject }) =>
			subject.startsWith('Extrato'),
		);
		this.expect(
			'The statement of yesterday is archived and sent',
			statement?.subject ?? 'no e-mail',
			statement?.attachments?.length === 1,
		);
	}

	private async runToSuccess(file: string, trigger: string): Promise<void> {
		const { client, workflows } = this.session;
		const { status, data } = await client.runToEnd(workflows[file]!, trigger);
		if (status === 'success') return;
		const { error, lastNodeExecuted } = data.resultData;
		this.seen.faults.push(
			`${file} ended with "${status}" in "${lastNodeExecuted}": ${error?.message ?? ''}`,
		);
	}

	private async mailsTo(recipient: unknown): Promise<Mail[]> {
		return sentTo(await this.session.mailbox.mails(), String(recipient));
	}

	private expect(step: string, result: string, isRight: boolean): void {
		this.seen.steps.push({ step, result });
		if (!isRight) this.seen.faults.push(`${step}: this was not seen.`);
	}
}

/** Runs the examples that look back as their schedule and a colleague would. */
export async function runDailyWork(session: DemoSession, past: Past): Promise<ExampleRun> {
	return await tryExample(async (run) => await new DailyWorkCheck(run, session, past).run());
}
