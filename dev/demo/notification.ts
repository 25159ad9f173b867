import { linkFormUrl } from './addresses';
import { NOTIFICATION_EXAMPLE } from './examples';
import type { ExampleCheck } from './exampleCheck';
import { submitForm } from '../n8n/editor/form';

const CUSTOMER = {
	name: 'João da Silva',
	email: 'joao@customer.example',
	document: '390.533.447-05',
	amount: '1.234,56',
	reference: 'Order 77',
};

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

export async function tryNotification(check: ExampleCheck): Promise<void> {
	const { webhookUrl, sandbox } = check.session;
	await submitForm(await linkFormUrl(webhookUrl), Object.values(CUSTOMER));
	const invitation = await check.mailTo(CUSTOMER.email);
	const link = /https?:\/\/\S+\/checkout\/\S+/.exec(invitation.text)?.[0];
	if (link === undefined) throw new Error(`There is no payment link in: ${invitation.text}`);
	check.expect(
		'The payment node makes a link, and n8n mails it to the customer',
		invitation.subject,
		true,
	);

	const expectOneMail = async (step: string) => {
		const subjects = (await check.mailsTo(TEAM)).map(({ subject }) => subject);
		check.expect(step, subjects.join('\n') || 'no e-mail', subjects.length === 1);
	};
	await pay(link);
	const { subject, text } = await check.mailTo(TEAM);
	await check.settle(NOTIFICATION_EXAMPLE);
	await expectOneMail('The customer pays on that page, and the team gets one e-mail');
	const [payment] = sandbox.books.payments;
	// Between "R$" and the number is a no-break space.
	const said = `${subject}\n${text}`.replaceAll('\u00a0', ' ');
	for (const word of ['R$ 1.234,56', CUSTOMER.name, payment!.txId]) {
		if (!said.includes(word)) check.faults.push(`The e-mail to ${TEAM} does not say "${word}".`);
	}

	const [delivery] = sandbox.webhooks.deliveries;
	const copy = sandbox.webhooks.replay(delivery!.id);
	await check.settle(NOTIFICATION_EXAMPLE);
	const answer = copy.attempts.at(-1)?.status;
	if (answer !== 200) check.faults.push(`The copy was answered ${answer} instead of 200.`);
	await expectOneMail(`A copy of the delivery is answered ${answer}, and sends no second one`);
}
