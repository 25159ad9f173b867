import { chromium, type Browser } from 'playwright-core';

/**
 * What a browser requests from the internet on its own is turned off: only pages of this machine
 * load.
 */
const FLAGS = [
	'--headless',
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

/**
 * Chromium of this machine (Debian: apt-get install chromium), or the Chromium or Chrome that CHROMIUM_PATH
 * names. Fails where there is none: a browser test that is skipped proves nothing.
 */
export async function startBrowser(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
	return await chromium.launch({ executablePath, args: FLAGS });
}
