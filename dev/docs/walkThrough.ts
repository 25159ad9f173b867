/**
 * Opens each operation, the trigger and both credentials in n8n's real editor and keeps a picture of
 * each in the cache folder, for a person to look at: once as it is when it is new, once with every entry
 * of its collections.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import type { Locator } from 'playwright-core';

import { properties } from '../../nodes/BrlPayments/description/properties';
import { resources } from '../../nodes/BrlPayments/resources';
import { properties as triggerProperties } from '../../nodes/BrlPaymentsTrigger/description/properties';
import { webhookCredential } from '../n8n/rest/credentials';
import type { Editor } from '../n8n/editor/editor';
import { runMain } from '../cli/command';
import { cacheRoot } from '../n8n/paths';
import { brlPayments, manualStart, node, buildWorkflow } from '../n8n/rest/workflow';
import { LIVE_KEY_CREDENTIAL_NAME, withApiCredential } from '../demo/keyCredentials';
import type { DemoSession } from '../demo/session';
import { inEditor } from './inEditor';

const FOLDER = join(cacheRoot(), 'screenshots', 'walk-through');
const TRIGGER = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
const ALL = ', everything added';

/** Every entry of every collection, as if a user had added it. */
function fillAll(fields: readonly INodeProperties[]): IDataObject {
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
				brlPayments(`${resource}.${name}${ALL}`, resource, name, fillAll(fields) as never),
			];
		}),
	);
}

function triggerNodes(): INode[] {
	const extras = {
		credentials: {
			brlPaymentsWebhookApi: { id: null, name: webhookCredential('').name },
			brlPaymentsApi: { id: null, name: LIVE_KEY_CREDENTIAL_NAME },
		},
	};
	const everything = fillAll(triggerProperties);
	return ['webhook', 'polling', 'both'].flatMap((receiveBy) => [
		node(`trigger.${receiveBy}`, TRIGGER, 2, { receiveBy }, extras),
		node(`trigger.${receiveBy}${ALL}`, TRIGGER, 2, { ...everything, receiveBy } as never, extras),
	]);
}

async function shoot(what: Locator, name: string): Promise<void> {
	await what.page().mouse.move(0, 0);
	const path = join(FOLDER, `${name.replace(/\W+/g, '-')}.png`);
	await what.screenshot({ path, animations: 'disabled', caret: 'hide' });
	process.stdout.write(`${path}\n`);
}

async function shootNodes(session: DemoSession, editor: Editor, nodes: INode[]): Promise<void> {
	const start = manualStart([])[0]!;
	const workflow = buildWorkflow('Walk through', place([...nodes, start]));
	const { id } = await session.client.createWorkflow({
		...withApiCredential(workflow, LIVE_KEY_CREDENTIAL_NAME),
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

runMain(async () => {
	await mkdir(FOLDER, { recursive: true });
	await inEditor({ width: 1280, height: 2400 }, async (session, editor) => {
		await shootNodes(session, editor, operationNodes());
		await shootNodes(session, editor, triggerNodes());
		await shootCredential(editor, LIVE_KEY_CREDENTIAL_NAME);
		await shootCredential(editor, webhookCredential('').name);
	});
});
