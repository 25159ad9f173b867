/**
 * The life of the package in n8n's real editor: installed from a registry, found, used, updated with
 * its workflows intact, uninstalled. Each test continues where the one before it has ended.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { API_CREDENTIAL_NAME } from '../../../dev/n8n/rest/credentials';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { resources } from '../../../nodes/BrlPayments/resources';
import { eventOptions } from '../../../nodes/BrlPaymentsTrigger/events/events';
import { packNextPatch, packPackage, type Tarball } from '../registry/tarball';
import { RegistryWorld } from '../registry/world';
import { deliver, paymentPaid } from '../support/deliveries';
import { Listener } from '../support/listener';
import { use } from '../support/n8nTestEnv';
import { CommunityNodes } from './communityNodes';
import { NodesPanel } from './nodesPanel';
import { useScreen, waitForText } from './support';

const world = use(new RegistryWorld());
const screen = useScreen(world);

const NODE = 'BRL Payments';
const OPERATIONS = resources.flatMap(({ operations }) => operations).length;
const NODES = 'BRL Payments,BRL Payments Trigger';
/** n8n names a node after the action it was chosen by. */
const PAYOUT = 'Pay to PIX key (create withdrawal)';
const AMOUNT = '125,90';
const PIX_KEY = 'maria@example.com';

let first: Tarball;
let next: Tarball;
let packages: CommunityNodes;
let panel: NodesPanel;
let workflowId: string;
let saved: INode[];
let listener: Listener;

beforeAll(async () => {
	const { folder } = world.registry;
	first = await packPackage(join(folder, 'first'));
	next = await packNextPatch(first, join(folder, 'next'));
	await world.registry.publish(first);
	// What a page asks of the internet, it does not get.
	await screen.editor.page.context().route(
		({ hostname }) => hostname !== '127.0.0.1',
		async (route) => await route.abort(),
	);
	packages = new CommunityNodes(screen.editor, world.n8n.url);
	panel = new NodesPanel(screen.editor);
});

it('is installed in Settings > Community nodes', async () => {
	await packages.open();
	await packages.enter(first.name);
	await screen.keep('installing asks to accept the risk');
	await packages.install();
	await packages.card.getByText(`v${first.version}`).waitFor();
	await waitForText(packages.card, first.name);
	await waitForText(packages.card, NODES);
	// It brings nothing along: what it needs, n8n has.
	const modules = join(world.n8n.userFolder, '.n8n', 'nodes', 'node_modules');
	expect(await readdir(modules)).toEqual([first.name]);
	expect(await readdir(join(modules, first.name))).not.toContain('node_modules');
});

/** Opens a workflow with nothing in it, and the panel in which its first node is chosen. */
async function beginWorkflow(): Promise<void> {
	const { page } = screen.editor;
	// From elsewhere: the address of a new workflow is the same as that of the last one.
	await page.goto(`${world.n8n.url}/home/workflows`);
	await page.goto(`${world.n8n.url}/workflow/new`);
	await panel.open();
}

describe('in the nodes panel', () => {
	beforeAll(beginWorkflow);

	it('is found by what people call it, and by nothing else', async () => {
		// The last one is a word of the trigger alone: both nodes are one entry.
		const words = 'pix boleto cobrança saque payout withdrawal payment chargeback'.split(' ');
		for (const word of words) {
			await panel.search(word);
			await panel.entry(NODE).waitFor();
		}
		await panel.search('telegram');
		await panel.entry('Telegram').waitFor();
		expect(await panel.entry(NODE).count()).toBe(0);
	});

	it('offers its events to a user who starts a workflow', async () => {
		await panel.search('pix');
		await panel.entry(NODE).click();
		await screen.editor.page.getByText(`Triggers (${eventOptions.length})`).waitFor();
		await panel.entry('When payment is received').waitFor();
	});

	it('offers its operations to a user who continues one', async () => {
		await beginWorkflow();
		await panel.search('manual');
		await panel.entry('Manual Trigger').click();
		await panel.open();
		await panel.search('saque');
		await panel.entry(NODE).click();
		await screen.editor.page.getByText(`Actions (${OPERATIONS})`).waitFor();
		await panel.entry(PAYOUT).waitFor();
	});
});

it('pays, once it has a credential', async () => {
	const { editor } = screen;
	await panel.entry(PAYOUT).click();
	const node = editor.part('ndv');
	await node.getByText('Connect to BRL Payments').click();

	const credential = editor.part('editCredential-modal');
	// Its name comes from n8n, and it is not saved without.
	await credential.getByText(API_CREDENTIAL_NAME).locator('visible=true').first().waitFor();
	await editor.paste('apiKey', world.sandbox.keys.live);
	await editor.paste('baseUrl', world.sandbox.url);
	expect(await editor.isMasked('apiKey')).toBe(true);
	await screen.keep('the credential of the installed package');
	expect(await editor.saveCredential()).toContain('Connection successful');
	await credential.waitFor({ state: 'hidden' });

	await editor.text('amount').fill(AMOUNT);
	await editor.text('pixKey').fill(PIX_KEY);
	await editor.page.keyboard.press('Tab');
	await pay();
	await screen.keep('a payout of the installed package');
	await editor.closeNode();
	await editor.page.waitForURL(/\/workflow\/(?!new)\w+/);
	workflowId = new URL(editor.page.url()).pathname.split('/')[2]!;
	saved = await waitFor(
		async () => {
			const nodes = await readNodes();
			return nodes.some(({ parameters }) => parameters.pixKey === PIX_KEY) && nodes;
		},
		{ what: 'n8n to save the workflow, which it does by itself' },
	);
});

async function readNodes(): Promise<INode[]> {
	const path = `/rest/workflows/${workflowId}`;
	return (await world.client.request<{ nodes: INode[] }>('GET', path)).nodes;
}

/** "Execute step" of the open node: one payout, and its outcome is shown. */
async function pay(): Promise<void> {
	const { withdrawals } = world.sandbox.books;
	const before = withdrawals.length;
	await screen.editor.part('node-execute-button').click();
	await screen.editor.part('ndv-items-count', screen.editor.part('output-panel')).waitFor();
	expect(withdrawals.slice(before)).toHaveLength(1);
	expect(withdrawals.at(-1)).toMatchObject({ pixKey: PIX_KEY });
}

describe('updated in Settings > Community nodes', () => {
	beforeAll(async () => {
		listener = await Listener.open(world, { events: ['PAYMENT_PAID'] });
		await world.registry.publish(next);
	});

	it('is the next version, after n8n has shown what it changes', async () => {
		await packages.open();
		await packages.askForUpdate();
		await screen.editor.page.getByText('My workflow').waitFor();
		await screen.keep('updating tells which workflows it changes');
		await packages.confirmUpdate();
		await packages.card.getByText(`v${next.version}`).waitFor();
		expect(await packages.card.getByRole('button', { name: 'Update' }).count()).toBe(0);
	});

	it('leaves the workflow as it was, and it pays again', async () => {
		const { editor } = screen;
		expect(await readNodes()).toEqual(saved);
		await editor.openWorkflow(workflowId);
		await editor.openNode(PAYOUT);
		expect(await editor.text('amount').inputValue()).toBe(AMOUNT);
		expect(await editor.text('pixKey').inputValue()).toBe(PIX_KEY);
		await pay();
	});

	it('continues listening', async () => {
		const delivery = paymentPaid();
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		for (const { id } of await listener.executions()) {
			const { data } = await world.client.getExecution(id);
			expect(data.resultData.error).toBeUndefined();
		}
		expect(await listener.emittedIds()).toEqual([delivery.id]);
	});
});

describe('uninstalled in Settings > Community nodes', () => {
	it('is gone from the list, after n8n has shown which workflows will not run', async () => {
		await packages.open();
		await packages.askToUninstall();
		await screen.editor.page.getByText('My workflow').waitFor();
		await screen.keep('uninstalling tells which workflows it stops');
		await packages.confirmUninstall();
		await packages.firstInstall.waitFor();
		expect(await packages.card.count()).toBe(0);
	});

	it('leaves the node in the workflow, as one that asks to be installed', async () => {
		const { editor } = screen;
		expect(await readNodes()).toEqual(saved);
		await editor.openWorkflow(workflowId);
		const window = await editor.openNode(PAYOUT);
		await window.getByText('Install this node to use it').waitFor();
		await waitForText(window, first.name);
	});
});
