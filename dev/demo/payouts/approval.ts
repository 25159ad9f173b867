import { postForm } from '../../n8n/editor/form';
import { sentTo, type Mail, type Mailbox } from '../mailbox';
import { waitFor } from '../../n8n/process/waitFor';

export const APPROVER = 'approver@example.com';

/** The answer of the payout example that releases the payouts. */
export const PAY = 'Pagar';

export function decisionPage({ subject, html }: Mail): string {
	const address = /<a href="([^"]+)"/.exec(html ?? '')?.[1];
	if (address === undefined) throw new Error(`There is no button in the e-mail "${subject}".`);
	return address.replaceAll('&amp;', '&');
}

/** The question that comes into the mailbox next. @param known how many were there before */
export async function nextQuestion(mailbox: Mailbox, known: number): Promise<Mail> {
	return await waitFor(async () => sentTo(await mailbox.mails(), APPROVER)[known], {
		what: `question ${known + 1} to ${APPROVER}`,
		timeoutMs: 60_000,
	});
}

/**
 * Fills in the page behind the button and sends it, as a person would.
 * @param decision one of the choices of the page
 * @param n8nUrl where n8n is reached, which need not be the address that it writes into e-mails
 */
export async function decide(mail: Mail, decision: string, n8nUrl: string): Promise<void> {
	const { pathname, search } = new URL(decisionPage(mail));
	await waitFor(
		async () => {
			const { status, text } = await postForm(`${n8nUrl}${pathname}${search}`, [decision, 'Joana']);
			// The e-mail is sent shortly before n8n waits for the decision: until then it says that the
			// execution is running, or looks for the token of one that it has not stored yet.
			if (status === 409) return false;
			if (status === 500 && text.includes('resumeToken')) return false;
			if (status !== 200) throw new Error(`The response to the decision was ${status}: ${text}`);
			return true;
		},
		{ what: 'n8n to wait for the decision', timeoutMs: 15_000 },
	);
}
