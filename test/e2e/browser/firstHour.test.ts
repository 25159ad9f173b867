/**
 * The action node in n8n's real editor: its fields, wiring it before anything has run, what a builder reads if a row
 * is wrong, and that doing it pays everyone once.
 */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import {
	brlPayments,
	buildWorkflow,
	manualStart,
	type NodeExtras,
	payEachItem,
	webhookStart,
} from '../../../dev/n8n/rest/workflow';
import { useWorld } from '../support/n8nTestEnv';
import { booked, intended, type Invoice, makeInvoices } from '../support/payouts';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

const PAY = 'Pay';
let rows: Invoice[] = [];
beforeEach(() => {
	rows = makeInvoices(['NF-1', 'NF-2', 'NF-3', 'NF-4']);
});

const rowsWith = (changes: Record<number, IDataObject>): IDataObject[] =>
	rows.map((row, index) => ({ ...row, ...changes[index] }));
const WRONG_KEY = { pixKey: '529.982.247-26' };

const pay = (parameters: INodeParameters = {}, extras: NodeExtras = {}) =>
	brlPayments(
		PAY,
		'withdrawal',
		'create',
		{
			...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}', ...parameters },
			// One after the other, so that it is known which were paid.
			options: { maxConcurrency: 1 },
		},
		extras,
	);

/** Does something; returns the execution that this has started, once it has ended. */
const executionOf = async (workflowId: string, act: () => Promise<unknown>) =>
	await world.client.waitForExecution(await world.client.executionOf(workflowId, act));

/** The output of the node that pays, in the window that is open. */
async function openOutput(): Promise<Locator> {
	await screen.editor.openNode(PAY);
	return screen.editor.part('output-panel');
}

it('says that nothing was sent if a row is wrong, also after Retry; corrected, it pays', async () => {
	const path = 'wrong-row';
	const workflowId = await world.listen(buildWorkflow(path, [...webhookStart(path), pay()]));
	const send = async (items: IDataObject[]) =>
		await executionOf(workflowId, async () => await world.trigger(workflowId, path, { items }));
	const failed = await send(rowsWith({ 1: WRONG_KEY }));
	await screen.editor.openExecution(workflowId, failed.id);
	const output = await openOutput();
	await waitForText(output, 'The PIX key is a CPF with wrong check digits');
	await waitForText(
		output,
		'Nothing was paid now. To continue, do what each message says, and start the workflow again, or choose Retry in the list Executions, which repeats the saved rows. Not both: that would pay everyone again.',
	);

	await screen.editor.closeNode();
	const retried = await executionOf(workflowId, async () => await screen.editor.retryExecution());
	await screen.editor.openExecution(workflowId, retried.id);
	const again = await openOutput();
	await waitForText(again, '1 refused: row 2; 3 not sent: rows 1, 3-4');
	await waitForText(again, 'Nothing was paid now. To continue, do what each message says');
	expect(await again.innerText()).not.toContain('possibly');
	expect(world.sandbox.books.withdrawals).toEqual([]);

	await send(rows);
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));
});

// What a second press does: test/engine/money/byHand.test.ts.
it('Execute with wrong rows and On Error = Continue shows what a person knows them by', async () => {
	const items = rowsWith({ 1: WRONG_KEY, 2: { amount: '1.234' } });
	const node = pay({ reference: '={{ $json.invoice }}' }, { onError: 'continueRegularOutput' });
	const workflow = buildWorkflow('Wrong rows', [...manualStart(items), node]);
	const { id } = await world.client.createWorkflow(workflow);
	await screen.editor.openWorkflow(id);
	const button = screen.editor.part('execute-workflow-button').first();
	expect(await executionOf(id, async () => await button.click())).toMatchObject({
		status: 'success',
	});

	// What is known of each wrong row comes first in the table, and a hint counts.
	const output = await openOutput();
	await waitForText(output, 'rows 1, 4; 2 refused: rows 2 (NF-2), 3 (NF-3).');
	await screen.editor.showTable(output);
	const columns = await output.locator('th').allInnerTexts();
	const names = columns.map((name) => name.trim()).filter((name) => name !== '');
	expect(names.slice(0, 4)).toEqual(['reference', 'amount', 'fee', 'total']);
	await waitForText(output.locator('tbody tr').nth(1), /NF-2[^]*REFUSED/);
});

/** Opens the last of these nodes, behind a start. */
async function open(...nodes: INode[]): Promise<void> {
	const workflow = buildWorkflow('In the editor', [...manualStart([{}]), ...nodes]);
	const { id } = await world.client.createWorkflow(workflow);
	await screen.editor.openWorkflow(id);
	await screen.editor.openNode(nodes.at(-1)!.name);
}

// Which fields each operation has: test/unit/nodes/BrlPayments/editor/properties.test.ts.
it('shows the fields of the operation that is chosen, and a product in place of the amount', async () => {
	const { editor } = screen;
	/** Names of the fields that are shown below the operation, in their order. */
	const fieldsShown = async (): Promise<string[]> => {
		const labels = editor
			.part('input-label', editor.part('node-parameters'))
			.locator('visible=true');
		// What a label says next to its name are the buttons "Fixed" and "Expression".
		const names = (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
		return [...new Set(names)].filter((name) => name !== 'Resource' && name !== 'Operation');
	};
	const charge = [
		...['Charge By', 'Amount', 'Methods', 'Mode', 'External ID', 'Description'],
		...['Customer', 'Additional Fields', 'Options'],
	];

	await open(brlPayments('BRL Payments', 'balance', 'get'));
	expect(await fieldsShown()).toEqual(['Options']);
	await editor.choose('resource', 'Payment');
	await editor.choose('operation', 'Create');
	expect(await fieldsShown()).toEqual(charge);

	await editor.choose('chargeBy', 'Product');
	await editor.field('productId').waitFor();
	expect(await fieldsShown()).toEqual(charge.map((name) => (name === 'Amount' ? 'Product' : name)));
});

describe('before anything has run', () => {
	const NEXT = 'Look It Up';
	beforeAll(async () => {
		await open(payEachItem(), brlPayments(NEXT, 'withdrawal', 'get', { withdrawalId: '' }));
	});

	it('offers what the node before will put out, and takes a field that is dragged there', async () => {
		const { editor } = screen;
		const input = editor.part('ndv-input-panel');
		for (const field of ['netAmount', 'status', 'createdAt']) {
			await input.getByText(field, { exact: true }).waitFor();
		}
		// What a withdrawal has only later is not promised of a new one.
		expect(await input.getByText('errorMessage', { exact: true }).count()).toBe(0);

		const from = (await input.getByText('id', { exact: true }).boundingBox())!;
		const to = (await editor.field('withdrawalId').boundingBox())!;
		const { mouse } = editor.page;
		await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await mouse.down();
		await mouse.move(from.x + 40, from.y + 20, { steps: 5 });
		await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 20 });
		await mouse.up();
		await editor.field('withdrawalId').getByText('{{ $json.id }}').first().waitFor();
	});

	it('shows the scope that the key needs', async () => {
		const output = screen.editor.part('output-panel');
		await output.getByText('The API key needs the scope withdrawals:read.').waitFor();
	});
});
