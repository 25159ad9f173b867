import { formUrl } from './addresses';
import { LINK_EXAMPLE, NOTIFICATION_EXAMPLE } from './examples';
import { sentTo, type Mail } from './mailbox';
import type { DemoSession } from './session';
import { submitForm } from '../n8n/editor/form';
import { waitFor } from '../n8n/process/waitFor';
import { isEnded } from '../n8n/rest/executionData';

const CUSTOMERS = [
	['João da Silva', 'joao@customer.example', '1.234,56', 'R$ 1.234,56', 'Order 77'],
	['Maria Exemplo', 'maria@customer.example', '250', 'R$ 250,00', 'Order 78'],
] as const;

const DOCUMENT = '390.533.447-05';
const TEAM = 'finance@example.com';

/** What the button "Pagar com PIX" of the checkout page sends. */
async function pay(checkoutUrl: string): Promise<void> {
	const response = await fetch(checkoutUrl, {
		method: 'POST',
		body: new URLSearchParams({ action: 'PIX' }),
		redirect: 'manual',
	});
	await response.text();
	if (response.status !== 303) throw new Error(`The checkout page answered ${response.status}.`);
}

/**
 * Two customers pay, the second one when the team has an e-mail about the first: a later poll finds it.
 *
 * @returns one sentence for each thing that is not as expected
 */
export async function tryNotification(session: DemoSession): Promise<string[]> {
	const { client, mailbox, sandbox, webhookUrl, workflows } = session;
	const faults: string[] = [];
	const form = await formUrl(LINK_EXAMPLE, webhookUrl);
	const mailsTo = async (recipient: string) => sentTo(await mailbox.mails(), recipient);
	/** It may take a poll, once a minute. @param index from 0 */
	const mailTo = async (recipient: string, index: number): Promise<Mail> =>
		await waitFor(async () => (await mailsTo(recipient))[index], {
			...{ what: `e-mail ${index + 1} to ${recipient}`, timeoutMs: 90_000 },
		});
	for (const [index, [name, email, amount, shown, reference]] of CUSTOMERS.entries()) {
		await submitForm(form, [name, email, DOCUMENT, amount, reference]);
		const invitation = await mailTo(email, 0);
		const link = /https?:\/\/\S+\/checkout\/\S+/.exec(invitation.text)?.[0];
		if (link === undefined) throw new Error(`There is no payment link in: ${invitation.text}`);

		await pay(link);
		const mail = await mailTo(TEAM, index);
		await waitFor(
			async () => {
				const executions = await client.listExecutions(workflows[NOTIFICATION_EXAMPLE]!);
				return executions.every(({ status }) => isEnded(status));
			},
			{ what: 'the workflow to end', timeoutMs: 30_000 },
		);
		const { length } = await mailsTo(TEAM);
		if (length !== index + 1) faults.push(`${index + 1} paid, and ${TEAM} got ${length} e-mails.`);
		// Between "R$" and the number is a no-break space.
		const said = `${mail.subject}\n${mail.text}`.replaceAll('\u00a0', ' ');
		for (const word of [shown, name, sandbox.books.payments[index]!.txId]) {
			if (!said.includes(word)) faults.push(`The e-mail to ${TEAM} does not say "${word}".`);
		}
	}
	return faults;
}
