/** The steps of the video for reviewers, as docs/review-video.md lists them, in n8n's real editor. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { API_CREDENTIAL_NAME } from '../../../dev/n8n/rest/credentials';
import { isEnded } from '../../../dev/n8n/rest/executionData';
import { repositoryRoot } from '../../../dev/n8n/paths';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { brlPayments, manualStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { deliver, paymentPaid, SECRET } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

const CHARGE = 'Charge';
let listener: Listener;
beforeAll(async () => {
	listener = await Listener.save(world, { events: ['PAYMENT_PAID'] });
});

/** Title of each step -> what is done in it. */
const STEPS: Record<string, () => Promise<void>> = {
	async 'Test the credential'() {
		await screen.editor.openCredential(API_CREDENTIAL_NAME);
		await screen.editor.part('credentials-config-container-test-success').waitFor();
	},
	async 'Charge two customers'() {
		const charge = brlPayments(CHARGE, 'payment', 'create', {
			...{ chargeBy: 'amount', amount: '={{ $json.amount }}', methods: ['PIX'], options: {} },
			customer: { name: 'Maria Exemplo', document: '529.982.247-25' },
		});
		const nodes = [...manualStart([{ amount: 10.01 }, { amount: 20.02 }]), charge];
		const { id } = await world.client.createWorkflow(buildWorkflow(CHARGE, nodes));
		const { editor } = screen;
		await editor.openWorkflow(id);
		await editor.part('execute-workflow-button').first().click();
		await waitFor(
			async () => (await world.client.listExecutions(id)).some(({ status }) => isEnded(status)),
			{ what: 'the execution to end', timeoutMs: 60_000 },
		);
		await editor.openNode(CHARGE);
		const output = editor.part('output-panel');
		await waitForText(output, '2 items');
		await waitForText(output, 'pixCode');
		expect(world.sandbox.books.payments).toHaveLength(2);
	},
	async 'Show how the trigger is set up'() {
		const { editor } = screen;
		await editor.openWorkflow(listener.workflowId);
		await editor.openNode(TRIGGER);
		const steps = editor.part('node-parameters').locator('li');
		await steps.filter({ hasText: 'Publish (activate) this workflow' }).waitFor();
		await editor.showProductionUrl();
		await editor.page.getByText(listener.url).waitFor();
	},
	async 'Publish the workflow'() {
		await screen.editor.closeNode();
		await listener.activate();
	},
	async 'Let the trigger fire'() {
		expect(await deliver(listener.url, paymentPaid(), SECRET)).toMatchObject({ status: 200 });
		expect(await listener.emittedIds()).toHaveLength(1);
		await screen.editor.openExecutions(listener.workflowId);
		await screen.editor.page.getByText('Succeeded').first().waitFor();
	},
	async 'Refuse a forged event'() {
		const { status } = await deliver(listener.url, paymentPaid(), 'whsec_example_forged');
		expect(status).toBe(503);
		expect(await listener.emittedIds()).toHaveLength(1);
	},
};

const script = readFileSync(join(repositoryRoot, 'docs', 'review-video.md'), 'utf8');
const told = [...script.matchAll(/^\d\. \*\*(\d):(\d\d) (.+)\.\*\*/gm)].map(
	([, minutes, seconds, title]) => ({ at: Number(minutes) * 60 + Number(seconds), title: title! }),
);

it('has these steps, in this order, within five minutes', () => {
	expect(told.map(({ title }) => title)).toEqual(Object.keys(STEPS));
	const times = told.map(({ at }) => at);
	expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
	expect(times.at(-1)).toBeLessThan(5 * 60);
});

it.each(Object.entries(STEPS))('%s', async (_title, step) => await step());
