/**
 * Opens each operation, the trigger and both credentials in n8n's real editor and keeps a picture of
 * each in the cache folder, for a person to look at: once as it is when it is new, once with every entry
 * of its collections.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { properties } from '../nodes/BrlPayments/properties';
import { resources } from '../nodes/BrlPayments/resources';
import { properties as triggerProperties } from '../nodes/BrlPaymentsTrigger/properties';
import { startBrowser } from '../demo/browser';
import { ensureBuilt } from '../demo/build';
import { API_CREDENTIAL_NAME, webhookCredential } from '../demo/credentials';
import { Editor } from '../demo/editor';
import { ensureN8nInstalled } from '../demo/n8n/install';
import { cacheRoot } from '../demo/n8n/paths';
import { brlPayments, manualStart, node, workflowOf } from '../demo/n8n/workflow';
import { DemoSession } from '../demo/session';

const FOLDER = join(cacheRoot(), 'screenshots', 'walk-through');
const PUBLIC_ADDRESS = 'https://n8n.example.com/';
const TRIGGER = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
const ALL = ', everything added';

/** Every entry of every collection, as if somebody had added it. */
function everythingOf(fields: readonly INodeProperties[]): IDataObject {
	const collections = fields.filter(({ type }) => type === 'collection');
	return Object.fromEntries(
		collections.map(({ name, options = [] }) => [
			name,
			Object.fromEntries(
				(options as INodeProperties[]).map((entry) => [
					entry.name,
					entry.type === 'fixedCollection'
						? { [entry.options![0]!.name]: [{ name: '', value: '' }] }
						: entry.default,
				]),
			),
		]),
	) as IDataObject;
}

const place = (nodes: INode[]): INode[] =>
	nodes.map((each, index) => ({
		...each,
		position: [(index % 8) * 220, Math.floor(index / 8) * 180],
	}));

/** Each operation twice; none is connected, and none is run. */
function operationNodes(): INode[] {
	return resources.flatMap(({ option, operations }) =>
		operations.flatMap((operation) => {
			const [resource, name] = [String(option.value), String(operation.option.value)];
			const fields = properties.filter(
				({ displayOptions: { show = {} } = {} }) =>
					show.resource?.includes(resource) && show.operation?.includes(name),
			);
			return [
				brlPayments(`${resource}.${name}`, resource, name),
				brlPayments(`${resource}.${name}${ALL}`, resource, name, everythingOf(fields) as never),
			];
		}),
	);
}

function triggerNodes(): INode[] {
	const extras = {
		credentials: { brlPaymentsWebhookApi: { id: null, name: webhookCredential('').name } },
	};
	return [
		node('trigger', TRIGGER, 1, {}, extras),
		node(`trigger${ALL}`, TRIGGER, 1, everythingOf(triggerProperties) as never, extras),
	];
}

async function shoot(what: Locator, name: string): Promise<void> {
	await what.page().mouse.move(0, 0);
	const path = join(FOLDER, `${name.replace(/\W+/g, '-')}.png`);
	await what.screenshot({ path, animations: 'disabled', caret: 'hide' });
	process.stdout.write(`${path}\n`);
}

async function shootNodes(session: DemoSession, editor: Editor, nodes: INode[]): Promise<void> {
	const start = manualStart([])[0]!;
	const { id } = await session.client.createWorkflow({
		...workflowOf('Walk through', place([...nodes, start])),
		connections: {},
	});
	await editor.openWorkflow(id);
	for (const { name } of nodes) {
		await editor.part('zoom-to-fit').click();
		await shoot(await editor.openNode(name), name);
		await editor.closeNode();
	}
}

async function shootCredential(editor: Editor, name: string): Promise<void> {
	const tested = editor.page.waitForResponse((response) =>
		response.url().endsWith('/credentials/test'),
	);
	const window = await editor.openCredential(name);
	await tested;
	await window.locator('.n8n-spinner').waitFor({ state: 'detached' });
	await shoot(window, name);
}

async function main(): Promise<void> {
	const interruption = new AbortController();
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => interruption.abort(new Error('Interrupted.')));
	}
	await mkdir(FOLDER, { recursive: true });
	const host = await ensureN8nInstalled({ signal: interruption.signal });
	await ensureBuilt(interruption.signal);
	const session = await DemoSession.fresh({ n8nEnv: { WEBHOOK_URL: PUBLIC_ADDRESS } });
	const browser = await startBrowser();
	try {
		await session.startServices(host);
		await session.startN8n(host, interruption.signal);
		await session.furnish();
		const size = { width: 1280, height: 1100 };
		const editor = await Editor.signIn(browser, session.n8n.url, session.owner, size);
		await shootNodes(session, editor, operationNodes());
		await shootNodes(session, editor, triggerNodes());
		await shootCredential(editor, API_CREDENTIAL_NAME);
		await shootCredential(editor, webhookCredential('').name);
	} finally {
		await browser.close();
		await session.end();
	}
}

main()
	.catch((error: unknown) => {
		process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	})
	.finally(() => process.exit());
