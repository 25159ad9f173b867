/** The way of a payment through pages that people see: checkout, n8n, mailbox. */
import {
	apiCredential,
	mailCredential,
	saveCredential,
	webhookCredential,
} from '../../../dev/n8n/rest/credentials';
import { activateListening, loadExamples, NOTIFICATION_EXAMPLE } from '../../../dev/demo/examples';
import { LIVE_KEY_CREDENTIAL_NAME } from '../../../dev/demo/keyCredentials';
import { startMailbox, type Mailbox } from '../../../dev/demo/mailbox';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { createCheckout, registerEndpoint } from '../../../dev/demo/addresses';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen } from './support';

const world = useWorld();
const screen = useScreen(world);

let mailbox: Mailbox;
let workflows: Record<string, string>;

beforeAll(async () => {
	mailbox = await startMailbox(world.host, world.n8n.userFolder);
	const { url, keys } = world.sandbox;
	await saveCredential(world.client, apiCredential(url, keys.live, LIVE_KEY_CREDENTIAL_NAME));
	await saveCredential(world.client, mailCredential(mailbox.smtpPort));
	await saveCredential(world.client, webhookCredential('whsec_example_before_any_endpoint'));
	workflows = await loadExamples(world.client, world.n8n.userFolder);
	await activateListening(world.client, world.n8n.userFolder);
});
afterAll(async () => await mailbox?.close());

it('a payment on the checkout page becomes one message in the mailbox', async () => {
	const { secret } = await registerEndpoint(world.sandbox, world.n8n.url);
	await saveCredential(world.client, webhookCredential(secret));

	const checkout = await screen.openPage(await createCheckout(world.sandbox));
	await checkout.getByText('R$ 125,90').waitFor();
	await screen.keep('the checkout page');
	await checkout.getByLabel('PIX').check();
	await checkout.getByRole('button', { name: 'Pagar', exact: true }).click();
	await checkout.getByText('PAID').waitFor();

	const page = await screen.openPage(mailbox.url);
	await page.getByText('Pago: R$').click();
	await page.getByText('Maria Exemplo pagou').first().waitFor();
	await page.getByText('Order 1234').first().waitFor();

	// The workflow on the screen of its builder: one execution, and it went well.
	await screen.editor.openExecutions(workflows[NOTIFICATION_EXAMPLE]!);
	await screen.editor.page.getByText('Succeeded').first().waitFor();
	await waitFor(
		() => world.sandbox.webhooks.deliveries.every((each) => each.status === 'DELIVERED'),
		{
			what: 'the delivery to be confirmed',
		},
	);
	expect(world.sandbox.webhooks.deliveries).toHaveLength(1);
	expect((await mailbox.mails()).map(({ subject }) => subject)).toEqual([
		'Pago: R$\u00a0125,90 de Maria Exemplo',
	]);
});
