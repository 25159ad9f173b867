import { startBrowser } from '../n8n/editor/browser';
import { ensureBuilt } from '../n8n/install/build';
import { Editor, type EditorOptions } from '../n8n/editor/editor';
import { interruption } from '../cli/command';
import { ensureN8nInstalled } from '../n8n/install/install';
import { DemoSession } from '../demo/session';

/** What n8n shows in place of the address of this machine. */
export const PUBLIC_ADDRESS = 'https://n8n.example.com/';

/**
 * Starts the demo and a browser that is signed in, does the work there, and ends both. The work may
 * kill n8n, and start it again at the same address.
 */
export async function inEditor(
	window: EditorOptions,
	work: (session: DemoSession, editor: Editor, restartN8n: () => Promise<void>) => Promise<void>,
): Promise<void> {
	const signal = interruption();
	const host = await ensureN8nInstalled({ signal });
	await ensureBuilt(signal);
	const session = await DemoSession.fresh({ n8nEnv: { WEBHOOK_URL: PUBLIC_ADDRESS } });
	const browser = await startBrowser();
	try {
		await session.startServices(host);
		await session.startN8n(host, signal);
		await session.furnish();
		const editor = await Editor.signIn(browser, session.n8n.url, session.owner, window);
		await work(session, editor, async () => await session.startN8n(host, signal));
	} finally {
		await browser.close();
		await session.end();
	}
}
