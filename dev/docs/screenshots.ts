/** Makes the pictures of README and docs, from the example workflows in n8n's real editor. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { interruption, runMain } from '../cli/command';
import { formUrl } from '../demo/addresses';
import { NOTIFICATION_EXAMPLE, PAYOUT_EXAMPLE } from '../demo/examples';
import { LIVE_KEY_CREDENTIAL_NAME } from '../demo/keyCredentials';
import { sentTo, type Mail } from '../demo/mailbox';
import { decide, nextQuestion, PAY } from '../demo/payouts/approval';
import { payoutFile } from '../demo/payouts/payoutList';
import { DemoSession } from '../demo/session';
import { startBrowser } from '../n8n/editor/browser';
import { Editor } from '../n8n/editor/editor';
import { submitForm } from '../n8n/editor/form';
import { ensureBuilt } from '../n8n/install/build';
import { ensureN8nInstalled } from '../n8n/install/install';
import { MAX_WIDTH, noteMadeFrom, PICTURES_FOLDER, type Picture } from './screenshotSources';

/** What n8n shows in place of the address of this machine. */
const PUBLIC_ADDRESS = 'https://n8n.example.com/';

const REPORTS = 'payouts@example.com';

async function shoot(what: Locator, name: Picture): Promise<void> {
	// Without the mouse over a field, whose buttons would show.
	await what.page().mouse.move(0, 0);
	const path = join(PICTURES_FOLDER, `${name}.png`);
	await what.screenshot({ path, animations: 'disabled', caret: 'hide' });
}

/** The window in which n8n is used. */
const WINDOW = { width: 1500, height: 1300 };

async function shootNode(editor: Editor, node: string, name: Picture): Promise<void> {
	await editor.openNode(node);
	const parameters = editor.part('node-parameters');
	await parameters.waitFor();
	const box = (await parameters.boundingBox())!;
	const end = await parameters.getByRole('button').last().boundingBox();
	const height = Math.min(box.height, end === null ? box.height : end.y + end.height + 16 - box.y);
	await editor.page.mouse.move(0, 0);
	await editor.page.screenshot({
		...{ path: join(PICTURES_FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide' },
		clip: { ...box, height },
	});
	await editor.closeNode();
}

/** An e-mail as a program for e-mails shows it. */
async function shootMail(page: Page, { html, text }: Mail, name: Picture): Promise<void> {
	await page.setViewportSize({ width: MAX_WIDTH, height: 200 });
	await page.setContent(html ?? '<pre style="font: 9.5px monospace; margin: 4px"></pre>');
	// As text: what runs in the page knows other globals than this program.
	if (html === undefined) {
		await page.evaluate(`document.querySelector('pre').textContent = ${JSON.stringify(text)}`);
	}
	await shoot(page.locator('body'), name);
}

async function shootAll(session: DemoSession, editor: Editor): Promise<void> {
	const { page } = editor;
	const { client, mailbox, n8n, sandbox, workflows } = session;

	// Opened, a saved credential is tested at once.
	const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
	const credential = await editor.openCredential(LIVE_KEY_CREDENTIAL_NAME);
	await tested;
	await credential.locator('.n8n-spinner').waitFor({ state: 'detached' });
	// The dialog takes four fifths of the window.
	await page.setViewportSize({ ...WINDOW, width: 1030 });
	await shoot(credential.getByRole('dialog').or(credential).first(), 'credential');
	await page.setViewportSize(WINDOW);

	await editor.openWorkflow(workflows[NOTIFICATION_EXAMPLE]!);
	await shootNode(editor, 'Payment Received', 'trigger-panel');
	await editor.openWorkflow(workflows[PAYOUT_EXAMPLE]!);
	await shootNode(editor, 'Your Columns', 'your-columns');
	await shootNode(editor, 'Pay', 'payment-node');

	const list = new File([await readFile(payoutFile)], 'payouts.csv', { type: 'text/csv' });
	const form = await formUrl(PAYOUT_EXAMPLE, n8n.url);
	const id = await client.executionOf(
		workflows[PAYOUT_EXAMPLE]!,
		async () => await submitForm(form, [list]),
	);
	const question = await nextQuestion(mailbox, 0);
	// The link in it leads to the public address, which is not there.
	await decide(question, PAY, n8n.url);
	await client.waitForExecution(id);
	if (sandbox.books.withdrawals.length === 0) throw new Error('Nothing was paid.');
	await shootMail(page, question, 'approval');
	await shootMail(page, sentTo(await mailbox.mails(), REPORTS)[0]!, 'report');
}

runMain(async () => {
	const signal = interruption();
	const host = await ensureN8nInstalled({ signal });
	await ensureBuilt(signal);
	const session = new DemoSession({ n8nEnv: { WEBHOOK_URL: PUBLIC_ADDRESS } });
	const browser = await startBrowser();
	try {
		await session.startServices(host);
		await session.startN8n(host, signal);
		await session.furnish();
		await shootAll(session, await Editor.signIn(browser, session.n8n.url, session.owner, WINDOW));
		noteMadeFrom();
	} finally {
		await browser.close();
		await session.end();
	}
});
