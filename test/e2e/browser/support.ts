import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser, Locator } from 'playwright-core';

import { startBrowser } from '../../../dev/n8n/editor/browser';
import { Editor } from '../../../dev/n8n/editor/editor';
import { cacheRoot } from '../../../dev/n8n/paths';
import type { N8nTestEnv } from '../support/n8nTestEnv';

/** Outside the repository: what the tests saw, for a person to look at. */
const SCREENSHOTS = join(cacheRoot(), 'screenshots');

/** A browser next to the world of a test file, signed in to its n8n. */
class Screen {
	browser!: Browser;
	editor!: Editor;

	constructor(private readonly world: N8nTestEnv) {}

	async start(): Promise<void> {
		await mkdir(SCREENSHOTS, { recursive: true });
		this.browser = await startBrowser();
		this.editor = await Editor.signIn(this.browser, this.world.n8n.url, this.world.owner);
	}

	/** Keeps what the window shows now. */
	async keep(name: string): Promise<void> {
		const path = join(SCREENSHOTS, `${name.replace(/\W+/g, '-').slice(0, 100)}.png`);
		await this.editor?.page.screenshot({ path });
	}

	async end(): Promise<void> {
		await this.browser?.close();
		process.stdout.write(`Screenshots of the browser tests are in ${SCREENSHOTS}\n`);
	}
}

/** Waits until a part of the editor shows the text: a panel's frame is drawn before what is in it. */
export async function waitForText(part: Locator, text: string | RegExp): Promise<void> {
	await part.filter({ hasText: text }).waitFor();
}

/** One browser for all tests of a file. What it shows at the end of each test, passed or not, is kept. */
export function useScreen(world: N8nTestEnv): Screen {
	const screen = new Screen(world);
	beforeAll(async () => await screen.start(), 60_000);
	afterEach(async () => await screen.keep(expect.getState().currentTestName ?? 'test'));
	afterAll(async () => await screen.end());
	return screen;
}
