/** The action node in n8n's real editor: its fields, wiring it before anything has run, and what it says afterwards. */
import type { INode } from 'n8n-workflow';

import {
	brlPayments,
	buildWorkflow,
	manualStart,
	payEachItem,
} from '../../../dev/n8n/rest/workflow';
import { useWorld } from '../support/n8nTestEnv';
import { useScreen, waitForText } from './support';

const world = useWorld();
const screen = useScreen(world);

/** Opens the last of these nodes, behind a start. */
async function open(...nodes: INode[]): Promise<void> {
	const workflow = buildWorkflow('In the editor', [...manualStart([{}]), ...nodes]);
	const { id } = await world.client.createWorkflow(workflow);
	await screen.editor.openWorkflow(id);
	await screen.editor.openNode(nodes.at(-1)!.name);
}

async function choose(field: string, choice: string): Promise<void> {
	const { editor } = screen;
	if ((await editor.text(field).inputValue()) !== choice) await editor.choose(field, choice);
}

describe('the fields', () => {
	beforeAll(async () => await open(brlPayments('BRL Payments', 'balance', 'get')));

	/** Names of the fields that are shown below the operation, in their order. */
	async function fieldsShown(): Promise<string[]> {
		const labels = screen.editor
			.part('input-label', screen.editor.part('node-parameters'))
			.locator('visible=true');
		// What a label says next to its name are the buttons "Fixed" and "Expression".
		const names = (await labels.allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
		return [...new Set(names)].filter((name) => name !== 'Resource' && name !== 'Operation');
	}

	const PAYOUT = ['Amount', 'PIX Key', 'PIX Key Type', 'Recipient Document', 'Reference'];
	const CHARGE = ['Charge By', 'Amount', 'Methods', 'Mode', 'Customer', 'Additional Fields'];

	it.each([
		['Balance', 'Get', []],
		['Payment', 'Create', CHARGE],
		['Payment', 'Get Many', ['Return All', 'Limit', 'Filters', 'Simplify']],
		['Payment', 'Refund', ['Payment', 'Amount', 'Reason']],
		['Payment', 'Wait for Status', ['Payment', 'Statuses', 'Wait at Most (Seconds)', 'Simplify']],
		['Withdrawal', 'Create', [...PAYOUT, 'Description']],
		['Withdrawal', 'Check Batch', PAYOUT],
		['Product', 'Upload Image', ['Product', 'Input Binary Field']],
		['Document', 'Get Statement', ['Start Date', 'End Date', 'Format']],
	])('of %s > %s are shown, and no others', async (resource, operation, fields) => {
		await choose('resource', resource);
		await choose('operation', operation);
		expect(await fieldsShown()).toEqual([...fields, 'Options']);
	});

	it('exchange the amount for a product where a product is charged', async () => {
		await choose('resource', 'Payment');
		await choose('operation', 'Create');
		await screen.editor.choose('chargeBy', 'Product');
		await screen.editor.field('productId').waitFor();
		const fields = await fieldsShown();
		expect(fields).toContain('Product');
		expect(fields).not.toContain('Amount');
	});

	it('say of every operation what it does', async () => {
		// n8n's own entry, which it adds to every node.
		const isOurs = (choice: string) => choice !== 'Custom API Call';
		const { editor } = screen;
		for (const resource of (await editor.readChoices('resource')).filter(isOurs)) {
			await choose('resource', resource);
			const operations = (await editor.readChoices('operation')).filter(isOurs);
			expect(operations.length).toBeGreaterThan(0);
			for (const operation of operations) {
				expect(operation).toMatch(/^[A-Z][\w ]+\n[A-Z].{15,}/);
			}
		}
	});
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

describe('next to the output', () => {
	beforeEach(async () => {
		const filters = { status: 'PAID' };
		const parameters = { returnAll: true, filters, options: {} };
		await open(brlPayments('List Paid Payments', 'payment', 'getAll', parameters));
	});
	const output = () => screen.editor.part('output-panel');
	const execute = async () => await screen.editor.part('node-execute-button').click();

	it('says that the server did not apply a filter, and shows what passes it', async () => {
		for (const status of ['PAID', 'NEW'] as const) {
			world.sandbox.seed.payment({ environment: 'PRODUCTION', status });
		}
		world.sandbox.dialect.listFilters.names = 'ignoredNames';
		await execute();
		await output().getByText('The server did not apply all filters.').waitFor();
		await waitForText(screen.editor.part('ndv-items-count', output()), '1 item');
	});

	it('names the scope that the key lacks', async () => {
		const scopes = ['balance:read'];
		await world.useKey(world.sandbox.createKey({ environment: 'PRODUCTION', scopes }));
		await execute();
		await output().getByText('The API key is not allowed to do this').first().waitFor();
		await output().getByText('create a key with the scope payments:read').first().waitFor();
		await world.useKey(world.sandbox.keys.live);
	});
});
