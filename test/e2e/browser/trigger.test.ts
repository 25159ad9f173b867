/** The trigger in n8n's real editor: what a person sees who sets it up. */
import { optionsField } from '../../../nodes/BrlPaymentsTrigger/description/options';
import { eventOptions } from '../../../nodes/BrlPaymentsTrigger/events/events';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
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
	const parameters = screen.editor.part('node-parameters');
	await waitForText(parameters, 'Publish (activate) this workflow');
	const steps = await parameters.locator('li').allInnerTexts();
	expect(steps.map((step) => step.trim().slice(0, 12))).toEqual([
		'Open Webhook',
		'In the dashb',
		'Paste the se',
		'Publish (act',
	]);
	const lines = (await parameters.innerText()).split('\n');
	expect(lines).toContainEqual(
		expect.stringMatching(/^Only live activity sends events; .+ listens to the Test URL only: /),
	);
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

describe.each([
	{
		way: 'Polling',
		urls: 0,
		fields: ['Receive By', 'Poll Times', 'Events', 'Fetch Current State', 'Options'],
		credentials: ['BRL Payments API'],
		options: ['Look Back (Days)', 'Mask Personal Data', 'One Output per Event'],
	},
	{
		way: 'Webhook and Polling',
		urls: 1,
		fields: ['Receive By', 'Poll Times', 'Events', 'Fetch Current State', 'Options'],
		credentials: ['BRL Payments Webhook API', 'BRL Payments API'],
		options: [
			'Deduplicate',
			'Deliveries to Remember',
			'Emit Test Pings',
			'Let Through Again',
			'Look Back (Days)',
			'Mask Personal Data',
			'One Output per Event',
			'Replay Window (Seconds)',
			'Response to Invalid Signature',
		],
	},
	{
		way: 'Webhook',
		urls: 1,
		fields: ['Receive By', 'Events', 'Fetch Current State', 'Options'],
		credentials: ['BRL Payments Webhook API'],
		options: [
			'Deduplicate',
			'Deliveries to Remember',
			'Emit Test Pings',
			'Let Through Again',
			'Mask Personal Data',
			'One Output per Event',
			'Replay Window (Seconds)',
			'Response to Invalid Signature',
		],
	},
])('set to receive by $way', ({ way, urls, fields, credentials, options }) => {
	beforeAll(async () => await screen.editor.choose('receiveBy', way));

	it('shows the fields that it needs, and no others', async () => {
		const { editor } = screen;
		const slots = editor.part('node-credentials-slot');
		await slots.nth(credentials.length - 1).waitFor();
		await slots.nth(credentials.length).waitFor({ state: 'detached' });
		const parameters = editor.part('node-parameters');
		await waitForText(parameters, fields.at(-1)!);
		const labels = (await parameters.innerText()).split('\n').map((line) => line.trim());
		const known = ['Receive By', 'Poll Times', 'Events', 'Fetch Current State', 'Options'];
		expect(labels.filter((label) => known.includes(label))).toEqual(fields);
		expect(await editor.page.getByText('Webhook URLs', { exact: true }).count()).toBe(urls);
		for (const [index, name] of credentials.entries()) {
			await waitForText(slots.nth(index), `Credential for ${name}`);
		}
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

it('offers its options, each with its control', async () => {
	const { editor } = screen;
	for (const { displayName, name } of optionsField.options as Array<{
		displayName: string;
		name: string;
	}>) {
		await editor.addOption(displayName);
		await editor.field(name).waitFor();
	}
});

it('asks for the second credential where it fetches the current state', async () => {
	const { editor } = screen;
	const slots = editor.part('node-credentials-slot');
	await slots.first().waitFor();
	expect(await slots.count()).toBe(1);
	await editor.toggle('fetchCurrentState');
	await slots.nth(1).waitFor();
	await editor.toggle('fetchCurrentState');
	await slots.nth(1).waitFor({ state: 'detached' });
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
			/Present: X-Webhook-Signature .* X-Webhook-Timestamp in seconds, .* tried \d+ scheme/,
		);
	});
});
