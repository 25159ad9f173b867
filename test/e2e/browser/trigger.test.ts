/** The trigger and its credential in n8n's real editor: what a person sees who sets them up. */
import { eventOptions } from '../../../nodes/BrlPaymentsTrigger/events';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener, saveSecrets, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

let listener: Listener;
beforeAll(async () => {
	listener = await Listener.save(world, { events: ['PAYMENT_PAID'] });
	await screen.editor.openWorkflow(listener.workflowId);
	await screen.editor.openNode(TRIGGER);
});

it('says how it is set up, step by step', async () => {
	const { editor } = screen;
	await waitForText(editor.part('node-parameters'), 'Without a public address');
	const steps = editor.page.getByText('1. Open Webhook URLs').first();
	await waitForText(steps, '4. Publish (activate) this workflow');
	expect((await steps.innerText()).split('\n').map((step) => step.slice(0, 15))).toEqual([
		...['1. Open Webhook', '2. In the dashb', '3. Paste the se', '4. Publish (act'],
	]);
	await screen.keep('the trigger before anything has arrived');
});

it('shows both URLs', async () => {
	const { editor } = screen;
	await editor.showProductionUrl();
	await editor.page.getByText(listener.url).waitFor();
	await editor.page.getByText('Test URL', { exact: true }).last().click();
	await editor.page.getByText(listener.testUrl).waitFor();
});

it('offers every event, with what happened and what identifies it', async () => {
	expect(await screen.editor.readChoices('events')).toEqual(
		eventOptions.map(({ name, description }) => `${name}\n${description}`),
	);
});

// Which fields and options each way has: test/unit/nodes/BrlPaymentsTrigger/description.test.ts.
it.each([
	['Polling', 0],
	['Webhook and Polling', 1],
	['Webhook', 1],
])('set to receive by %s shows the webhook URLs only where there are some', async (way, urls) => {
	const { editor } = screen;
	await editor.choose('receiveBy', way);
	await waitForText(editor.part('node-parameters'), 'Options');
	expect(await editor.part('node-credentials-slot').count()).toBe(1);
	expect(await editor.page.getByText('Webhook URLs', { exact: true }).count()).toBe(urls);
});

describe('while it listens for a test event', () => {
	const listen = async () => {
		const { editor } = screen;
		await editor.part('trigger-execute-button').click();
		await editor.part('trigger-listening').waitFor();
	};

	it('shows a signed delivery as its output', async () => {
		await listen();
		const delivery = paymentPaid();
		expect(await deliver(listener.testUrl, delivery)).toMatchObject({ status: 200 });
		const output = screen.editor.part('output-panel');
		await output.getByText(delivery.id).waitFor();
		await waitForText(output, 'PAYMENT_PAID');
	});

	it('names the parts of a delivery whose signature does not match', async () => {
		await listen();
		await deliver(listener.testUrl, paymentPaid(), 'whsec_example_of_another_endpoint');
		const output = screen.editor.part('output-panel');
		await output.getByText('The signature does not match').first().waitFor();
		await waitForText(
			output,
			/Tried: 1 of your secrets with \d+ layouts, on 1 digests of a signature/,
		);
	});
});

describe('the credential', () => {
	const FIRST = 'whsec_example_first_5a7c4e2f9b3d';
	const SECOND = 'whsec_example_second_8e1d0f6b7a21';
	const name = 'Endpoints';

	let endpoint: Listener;
	beforeAll(async () => {
		await saveSecrets(world, name, FIRST);
		endpoint = await Listener.open(world, { credential: name });
	});

	// What the test says of each fault: test/unit/nodes/shared/client/signing.test.ts.
	it('takes the secret later, once there is an endpoint, and keeps the API key', async () => {
		const { editor } = screen;
		const later = 'Key first';
		await saveSecrets(world, later);
		const window = await editor.openCredential(later);
		await window.getByText('Webhooks (optional)').waitFor();
		expect(await editor.text('signingSecrets').inputValue()).toBe('');
		await screen.keep('the credential without secrets');
		await editor.paste('signingSecrets', FIRST);
		expect(await editor.saveCredential()).toMatch(
			/Connection successful.*The signing secret can be used/,
		);

		const late = await Listener.open(world, { credential: later });
		expect(await deliver(late.url, paymentPaid(), FIRST)).toMatchObject({ status: 200 });
	});

	it('keeps two secrets that are pasted, one per line, and shows neither', async () => {
		const { editor } = screen;
		await editor.openCredential(name);
		await editor.paste('signingSecrets', `${FIRST}\n${SECOND}\n`);
		expect(await editor.isMasked('signingSecrets')).toBe(true);
		expect(await editor.saveCredential()).toContain('Each of the 2 signing secrets can be used');

		for (const secret of [FIRST, SECOND]) {
			expect(await deliver(endpoint.url, paymentPaid(), secret)).toMatchObject({ status: 200 });
		}
		expect(await endpoint.emittedIds()).toHaveLength(2);

		// Saved, they do not even come back to the browser.
		await editor.openCredential(name);
		expect(await editor.text('signingSecrets').inputValue()).not.toMatch(/first|second/);
	});

	it('does not take the dots of a saved secret for a secret', async () => {
		const { editor } = screen;
		await editor.openCredential(name);
		const dots = await editor.text('signingSecrets').inputValue();
		expect(dots).not.toBe('');
		await editor.paste('signingSecrets', `${dots}\n${SECOND}`);
		expect(await editor.saveCredential()).toMatch(
			/Typing next to the masked value overwrote the saved secret/,
		);

		await screen.keep('a secret typed next to the masked value');

		// What the browser was shown instead of the secret is no secret at all.
		expect(await deliver(endpoint.url, paymentPaid(), dots)).toMatchObject({ status: 503 });
		expect(await endpoint.emittedIds()).toHaveLength(2);

		await editor.paste('signingSecrets', SECOND);
		await editor.saveCredential();
		expect(await deliver(endpoint.url, paymentPaid(), SECOND)).toMatchObject({ status: 200 });
	});
});
