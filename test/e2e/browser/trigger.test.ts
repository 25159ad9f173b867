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

const FIELDS = ['Receive By', 'Poll Times', 'Trigger On', 'Fetch Current State', 'Options'];
const OF_BOTH = ['Mask Personal Data'];
const OF_POLLING = ['Look Back (Days)', ...OF_BOTH];
const OF_WEBHOOKS = [...['Deduplicate', 'Emit Test Pings', ...OF_BOTH, 'Replay Window (Seconds)']];

describe.each([
	{
		...{ way: 'Polling', urls: 0, fields: FIELDS },
		options: OF_POLLING,
	},
	{
		...{ way: 'Webhook and Polling', urls: 1, fields: FIELDS },
		options: [...new Set([...OF_WEBHOOKS, ...OF_POLLING])].sort(),
	},
	{
		...{ way: 'Webhook', urls: 1, fields: FIELDS.filter((field) => field !== 'Poll Times') },
		options: OF_WEBHOOKS,
	},
])('set to receive by $way', ({ way, urls, fields, options }) => {
	beforeAll(async () => await screen.editor.choose('receiveBy', way));

	it('shows the fields that it needs, and no others', async () => {
		const { editor } = screen;
		const slots = editor.part('node-credentials-slot');
		await waitForText(slots.first(), 'Credential');
		expect(await slots.count()).toBe(1);
		const parameters = editor.part('node-parameters');
		await waitForText(parameters, fields.at(-1)!);
		const labels = (await parameters.innerText()).split('\n').map((line) => line.trim());
		expect(labels.filter((label) => FIELDS.includes(label))).toEqual(fields);
		expect(await editor.page.getByText('Webhook URLs', { exact: true }).count()).toBe(urls);
	});

	it('offers the options that it obeys, and no others', async () => {
		const { editor } = screen;
		await editor.part('collection-parameter-add').click();
		const choices = editor.part('collection-parameter-option').locator('visible=true');
		await choices.first().waitFor();
		expect(await choices.allInnerTexts()).toEqual(options);
		await editor.part('collection-parameter-add').click();
		await choices.first().waitFor({ state: 'hidden' });
	});
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
	const customFields = ['hash', 'layout', 'decodeAs', 'timestampUnit'];

	let endpoint: Listener;
	beforeAll(async () => {
		await saveSecrets(world, name, FIRST);
		endpoint = await Listener.open(world, { credential: name });
	});

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

	it('shows the fields of a custom scheme for a custom scheme only', async () => {
		const { editor } = screen;
		await editor.openCredential(name);
		const shown = async () =>
			await Promise.all(customFields.map(async (field) => await editor.field(field).isVisible()));
		await editor.field('signatureScheme').waitFor();
		expect(await shown()).toEqual([false, false, false, false]);
		await editor.choose('signatureScheme', 'Custom');
		await editor.field('layout').waitFor();
		expect(await shown()).toEqual([true, true, true, true]);
		await editor.choose('signatureScheme', 'Automatic');
		await editor.field('layout').waitFor({ state: 'detached' });
		expect(await shown()).toEqual([false, false, false, false]);
	});

	it('tests what was entered, and says what is wrong', async () => {
		const { editor } = screen;
		const window = await editor.openCredential(name);
		await editor.choose('signatureScheme', 'Custom');
		await editor.paste('layout', '{body}');
		expect(await editor.saveCredential()).toContain('must contain {timestamp} and {body}');
		await window.getByText('More details').click();
		await window.getByText('must contain {timestamp} and {body}').waitFor();
		await screen.keep('what the test says of a layout without timestamp');

		await editor.paste('layout', '{timestamp}.{body}');
		expect(await editor.saveCredential()).toContain('The signing secret can be used');
		await editor.part('credentials-config-container-test-success').waitFor();
		await editor.choose('signatureScheme', 'Automatic');
		await editor.saveCredential();
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
