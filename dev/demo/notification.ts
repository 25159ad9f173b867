import { linkFormUrl } from './addresses';
import { NOTIFICATION_EXAMPLE } from './examples';
import type { ExampleCheck } from './exampleCheck';
import { submitForm } from '../n8n/editor/form';

const CUSTOMERS = [
	['João da Silva', 'joao@customer.example', '1.234,56', 'R$ 1.234,56', 'Order 77'],
	['Maria Exemplo', 'maria@customer.example', '250', 'R$ 250,00', 'Order 78'],
] as const;

const DOCUMENT = '390.533.447-05';
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

/** Two customers pay, the second one when the team has an e-mail about the first: a later poll finds it. */
export async function tryNotification(check: ExampleCheck): Promise<void> {
	const { webhookUrl, sandbox } = check.session;
	for (const [index, [name, email, amount, shown, reference]] of CUSTOMERS.entries()) {
		await submitForm(await linkFormUrl(webhookUrl), [name, email, DOCUMENT, amount, reference]);
		const invitation = await check.mailTo(email);
		const link = /https?:\/\/\S+\/checkout\/\S+/.exec(invitation.text)?.[0];
		if (link === undefined) throw new Error(`There is no payment link in: ${invitation.text}`);
		check.expect(
			'The payment node makes a link, and n8n mails it to the customer',
			invitation.subject,
			true,
		);

		await pay(link);
		const mail = await check.mailTo(TEAM, index);
		await check.settle(NOTIFICATION_EXAMPLE);
		const subjects = (await check.mailsTo(TEAM)).map(({ subject }) => subject);
		check.expect(
			'The customer pays on that page, and the team gets one e-mail',
			subjects.join('\n'),
			subjects.length === index + 1,
		);
		// Between "R$" and the number is a no-break space.
		const said = `${mail.subject}\n${mail.text}`.replaceAll('\u00a0', ' ');
		for (const word of [shown, name, sandbox.books.payments[index]!.txId]) {
			if (!said.includes(word)) check.faults.push(`The e-mail to ${TEAM} does not say "${word}".`);
		}
	}
}
