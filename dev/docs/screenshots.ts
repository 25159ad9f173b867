/** Makes the pictures of README and docs, from the example workflows in n8n's real editor. */
import { basename, join } from 'node:path';

import type { Locator } from 'playwright-core';

import { decide, nextQuestion, PAY } from '../demo/payouts/approval';
import { startBrowser } from '../n8n/editor/browser';
import { Editor } from '../n8n/editor/editor';
import { ensureBuilt } from '../n8n/install/build';
import { ensureN8nInstalled } from '../n8n/install/install';
import { LINK_EXAMPLE, NOTIFICATION_EXAMPLE, PAYOUT_EXAMPLE } from '../demo/examples';
import { interruption, runMain } from '../cli/command';
import { repositoryRoot } from '../n8n/paths';
import { DemoSession } from '../demo/session';

/** What n8n shows in place of the address of this machine. */
const PUBLIC_ADDRESS = 'https://n8n.example.com/';

const FOLDER = join(repositoryRoot, 'docs', 'images');

/** File of an example -> its picture in docs/examples.md, where the names differ. */
const PICTURES: Readonly<Record<string, string>> = {
	'payment-link-with-email': 'payment-link',
	'pix-received-notification': 'payments-received',
	'daily-reconciliation': 'reconciliation',
	'agent-with-approval': 'agent',
};

/** Space around the nodes of a canvas, in pixels; their names stand below them. */
const MARGIN = 24;
const ROOM_FOR_NAMES = 30;

const getPath = (name: string): string => join(FOLDER, `${name}.png`);

async function shoot(what: Locator, name: string): Promise<void> {
	// Without the mouse over a field, whose buttons would show.
	await what.page().mouse.move(0, 0);
	await what.screenshot({ path: getPath(name), animations: 'disabled', caret: 'hide' });
}

/** The nodes, notes and lines of the workflow on the screen, without the empty space around them. */
async function shootCanvas(editor: Editor, name: string): Promise<void> {
	await editor.part('zoom-to-fit').click();
	await editor.page.mouse.move(0, 0);
	const lines = editor.page.locator('.vue-flow__edge-path');
	const parts = editor.part('canvas-node').or(editor.part('sticky')).or(lines);
	const boxes = await Promise.all(
		(await parts.all()).map(async (part) => (await part.boundingBox())!),
	);
	const left = Math.min(...boxes.map(({ x }) => x)) - MARGIN;
	const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + ROOM_FOR_NAMES;
	const clip = { x: left, y: top, width: right - left, height: bottom - top };
	// The button floats over the lowest part of the canvas.
	const style = '[data-test-id="execute-workflow-button"] { visibility: hidden; }';
	await editor.page.screenshot({ path: getPath(name), animations: 'disabled', clip, style });
}

async function shootAll(session: DemoSession, editor: Editor): Promise<void> {
	const { page } = editor;
	const workflow = (file: string): string => session.workflows[file]!;

	await editor.openWorkflow(workflow(NOTIFICATION_EXAMPLE));
	const trigger = await editor.openNode('Payment Received');
	await editor.showProductionUrl();
	await page.getByText(`${PUBLIC_ADDRESS}webhook/`).waitFor();
	await shoot(trigger, 'trigger-panel');

	await editor.openWorkflow(workflow(LINK_EXAMPLE));
	await shoot(await editor.openNode('Create Payment Link'), 'payment-node');

	// Wide enough that the notes can be read.
	await page.setViewportSize({ width: 2000, height: 1300 });
	for (const [file, id] of Object.entries(session.workflows)) {
		if (file === PAYOUT_EXAMPLE) continue;
		await editor.openWorkflow(id);
		const name = basename(file, '.json');
		await shootCanvas(editor, PICTURES[name] ?? name);
	}
	await editor.openWorkflow(workflow(PAYOUT_EXAMPLE));
	await editor.part('execute-workflow-button').click();
	// The link in it leads to the public address, which is not there.
	await decide(await nextQuestion(session.mailbox, 0), PAY, session.n8n.url);
	await page.getByText('Workflow executed successfully').waitFor();
	await shootCanvas(editor, 'payouts');
}

runMain(async () => {
	const signal = interruption();
	const host = await ensureN8nInstalled({ signal });
	await ensureBuilt(signal);
	const session = await DemoSession.fresh({ n8nEnv: { WEBHOOK_URL: PUBLIC_ADDRESS } });
	const browser = await startBrowser();
	try {
		await session.startServices(host);
		await session.startN8n(host, signal);
		await session.furnish();
		const window = { width: 1280, height: 1000 };
		await shootAll(session, await Editor.signIn(browser, session.n8n.url, session.owner, window));
	} finally {
		await browser.close();
		await session.end();
	}
});
