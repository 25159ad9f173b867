/** One bad row in a list, in n8n's real editor: fix it, press Execute, and everyone is paid once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { isEnded } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { brlPayments, manualStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts } from '../support/payouts';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

const PAY = 'Pay';
const rows = makePayouts(4).map((payout, index) => ({ ...payout, invoice: `NF-${index + 1}` }));
/** The service refuses the third row when the first two are paid. */
const BAD_KEY = 'blocked@example.com';
const badRows = rows.map((row, index) => (index === 2 ? { ...row, pixKey: BAD_KEY } : row));

const workflowWith = (name: string, items: IDataObject[], parameters: INodeParameters) =>
	buildWorkflow(name, [
		...manualStart(items),
		brlPayments(PAY, 'withdrawal', 'create', {
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			...parameters,
			options: { maxConcurrency: 1 },
		}),
	]);

/** Presses Execute on the canvas, and waits for the end. */
async function pressExecute(workflowId: string): Promise<string> {
	const known = new Set((await world.client.listExecutions(workflowId)).map(({ id }) => id));
	await screen.editor.openWorkflow(workflowId);
	await screen.editor.part('execute-workflow-button').first().click();
	const ended = await waitFor(
		async () =>
			(await world.client.listExecutions(workflowId)).find(
				({ id, status }) => !known.has(id) && isEnded(status),
			),
		{ what: 'the execution to end', timeoutMs: 60_000 },
	);
	return ended.status;
}

async function openOutput(): Promise<Locator> {
	await screen.editor.openNode(PAY);
	return screen.editor.part('output-panel');
}

beforeEach(() => {
	world.sandbox.account.blocklist = [BAD_KEY];
});

it('without a reference: Duplicate Guard names what was paid, and the others are paid', async () => {
	const { id } = await world.client.createWorkflow(workflowWith('By hand', badRows, {}));
	expect(await pressExecute(id)).toBe('error');
	expect(world.sandbox.books.withdrawals).toHaveLength(2);

	await world.client.updateWorkflow(id, workflowWith('By hand', rows, {}));
	expect(await pressExecute(id)).toBe('error');

	await waitForText(await openOutput(), 'so it was not paid again');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});

it('with a reference: the second run ends green', async () => {
	const byReference = { reference: '={{ $json.invoice }}' };
	const first = workflowWith('By reference', badRows, byReference);
	const { id } = await world.client.createWorkflow(first);
	expect(await pressExecute(id)).toBe('error');
	expect(world.sandbox.books.withdrawals).toHaveLength(2);

	// The same node: what it remembers belongs to it.
	const nodes = first.nodes.map((each) =>
		each.name === 'List' ? { ...each, parameters: manualStart(rows)[1]!.parameters } : each,
	);
	await world.client.updateWorkflow(id, { ...first, nodes });
	expect(await pressExecute(id)).toBe('success');

	const output = await openOutput();
	await waitForText(output, '4 items');
	await waitForText(output, 'alreadyPaid');
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});
