import { NOTIFICATION_EXAMPLE } from './examples';
import { submitForm } from '../n8n/editor/form';
import { sentTo, type Mail } from './mailbox';
import { isEnded } from '../n8n/rest/executionData';
import { waitFor } from '../n8n/process/waitFor';
import { linkFormUrl } from './addresses';
import { tryExample, type ExampleRun } from './report';
import type { DemoSession } from './session';

const CUSTOMER = {
	name: 'João da Silva',
	email: 'joao@customer.example',
	document: '390.533.447-05',
	amount: '1.234,56',
	reference: 'Order 77',
};

/** The address of the team, as the example has it. */
const TEAM = 'finance@example.com';

/** What the button "Pay" of the checkout page sends. */
async function pay(checkoutUrl: string): Promise<void> {
	const response = await fetch(checkoutUrl, {
		method: 'POST',
		body: new URLSearchParams({ action: 'pay', method: 'PIX' }),
		redirect: 'manual',
	});
	await response.text();
	if (response.status !== 303) throw new Error(`The checkout page answered ${response.status}.`);
}

class NotificationCheck {
	constructor(
		private readonly seen: ExampleRun,
		private readonly session: DemoSession,
	) {}

	async run(): Promise<void> {
		const { webhookUrl, mailbox, sandbox } = this.session;
		await submitForm(await linkFormUrl(webhookUrl), Object.values(CUSTOMER));
		const invitation = await waitFor(async () => sentTo(await mailbox.mails(), CUSTOMER.email)[0], {
			what: 'the e-mail with the payment link',
			timeoutMs: 30_000,
		});
		const link = /https?:\/\/\S+\/checkout\/\S+/.exec(invitation.text)?.[0];
		if (link === undefined) throw new Error(`There is no payment link in: ${invitation.text}`);
		this.report(
			'The payment node makes a link, and n8n mails it to the customer',
			invitation.subject,
		);

		await pay(link);
		const [mail] = await waitFor(
			async () => {
				const mails = sentTo(await mailbox.mails(), TEAM);
				return mails.length > 0 && mails;
			},
			{ what: `an e-mail to ${TEAM} about the payment`, timeoutMs: 30_000 },
		);
		await this.settle();
		await this.expectOneMail('The customer pays on that page, and the team gets one e-mail');
		this.checkWords(mail!);

		const [delivery] = sandbox.webhooks.deliveries;
		const copy = sandbox.webhooks.replay(delivery!.id);
		await this.settle();
		const answer = copy.attempts.at(-1)?.status;
		if (answer !== 200) this.seen.faults.push(`The copy was answered ${answer} instead of 200.`);
		await this.expectOneMail(
			`A copy of the delivery is answered ${answer}, and sends no second one`,
		);
	}

	private report(step: string, result: string): void {
		this.seen.steps.push({ step, result });
	}

	/** Waits until every delivery has a response, and what it has started is done. */
	private async settle(): Promise<void> {
		const { sandbox, client, workflows } = this.session;
		await waitFor(() => sandbox.webhooks.deliveries.every(({ status }) => status !== 'PENDING'), {
			what: 'every delivery to be answered with success',
			timeoutMs: 30_000,
		});
		await waitFor(
			async () => {
				const executions = await client.listExecutions(workflows[NOTIFICATION_EXAMPLE]!);
				return executions.every(({ status }) => isEnded(status));
			},
			{ what: 'the notification workflow to end', timeoutMs: 30_000 },
		);
	}

	private async expectOneMail(step: string): Promise<void> {
		const subjects = sentTo(await this.session.mailbox.mails(), TEAM).map(({ subject }) => subject);
		this.report(step, subjects.join('\n') || 'no e-mail');
		if (subjects.length !== 1) {
			this.seen.faults.push(
				`${step}: there are ${subjects.length} e-mails to ${TEAM} instead of one.`,
			);
		}
	}

	private checkWords({ subject, text }: Mail): void {
		const { payments } = this.session.sandbox.books;
		const [payment] = payments;
		// Between "R$" and the number is a no-break space.
		const said = `${subject}\n${text}`.replaceAll('\u00a0', ' ');
		for (const word of [
			'R$ 1.234,56',
			CUSTOMER.name,
			payment?.txId ?? 'one payment in the books',
		]) {
			if (!said.includes(word))
				this.seen.faults.push(`The e-mail to ${TEAM} does not say "${word}".`);
		}
	}
}

/** From the payment link to the message that it was paid, and a copy that must not send another. */
export async function runNotification(session: DemoSession): Promise<ExampleRun> {
	return await tryExample(async (run) => await new NotificationCheck(run, session).run());
}
