/** The action node in n8n's real editor: each operation shows the fields that it has, and no other. */
import { brlPayments, manualStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen } from './support';

const world = useWorld();
const screen = useScreen(world);

const NODE = 'BRL Payments';

beforeAll(async () => {
	const nodes = [...manualStart([{}]), brlPayments(NODE, 'balance', 'get')];
	const { id } = await world.client.createWorkflow(buildWorkflow('One node', nodes));
	await screen.editor.openWorkflow(id);
	await screen.editor.openNode(NODE);
});

/** Names of the fields that are shown below the operation, in their order. */
async function fieldsShown(): Promise<string[]> {
	const labels = screen.editor
		.part('input-label', screen.editor.part('node-parameters'))
		.locator('visible=true');
	// What a label says next to its name are the buttons "Fixed" and "Expression".
	const names = (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
	return [...new Set(names)].filter((name) => name !== 'Resource' && name !== 'Operation');
}

it.each([
	['Balance', 'Get', ['Options']],
	[
		'Payment',
		'Create',
		['Charge By', 'Amount', 'Methods', 'Mode', 'Customer', 'Additional Fields', 'Options'],
	],
	['Payment', 'Get Many', ['Return All', 'Limit', 'Filters', 'Simplify', 'Options']],
	['Payment', 'Refund', ['Payment', 'Amount', 'Reason', 'Options']],
	[
		'Payment',
		'Wait for Status',
		['Payment', 'Statuses', 'Wait at Most (Seconds)', 'Simplify', 'Options'],
	],
	[
		'Withdrawal',
		'Create',
		['Amount', 'PIX Key', 'Recipient Document', 'Reference', 'Description', 'Options'],
	],
	[
		'Withdrawal',
		'Check Batch',
		['Amount', 'PIX Key', 'Recipient Document', 'Reference', 'Options'],
	],
	['Withdrawal', 'Get Limits', ['Options']],
	['Product', 'Upload Image', ['Product', 'Input Binary Field', 'Options']],
	['Document', 'Get Statement', ['Start Date', 'End Date', 'Format', 'Options']],
])('%s > %s', async (resource, operation, fields) => {
	const { editor } = screen;
	for (const [field, choice] of [
		['resource', resource],
		['operation', operation],
	] as const) {
		if ((await editor.text(field).inputValue()) !== choice) await editor.choose(field, choice);
	}
	expect(await fieldsShown()).toEqual(fields);
});

it('exchanges the amount for a product where a product is charged', async () => {
	const { editor } = screen;
	await editor.choose('resource', 'Payment');
	if ((await editor.text('operation').inputValue()) !== 'Create') {
		await editor.choose('operation', 'Create');
	}
	await editor.choose('chargeBy', 'Product');
	await editor.field('productId').waitFor();
	const fields = await fieldsShown();
	expect(fields).toContain('Product');
	expect(fields).not.toContain('Amount');
});

it('says of every operation what it does', async () => {
	const { editor } = screen;
	for (const resource of await editor.readChoices('resource')) {
		if (resource === 'Custom API Call') continue;
		if ((await editor.text('resource').inputValue()) !== resource) {
			await editor.choose('resource', resource);
		}
		const operations = await editor.readChoices('operation');
		expect(operations.length).toBeGreaterThan(0);
		for (const operation of operations) {
			// n8n's own entry, which it adds to every node.
			if (operation === 'Custom API Call') continue;
			expect(operation).toMatch(/^[A-Z][\w ]+\n[A-Z].{15,}/);
		}
	}
});
