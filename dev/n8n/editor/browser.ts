import { access } from 'node:fs/promises';

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

const USUAL_PLACE = '/usr/bin/chromium';

/** Chromium on this machine. Fails where there is none: a browser test that is skipped proves nothing. */
async function findChromium(): Promise<string> {
	const path = process.env.CHROMIUM_PATH || USUAL_PLACE;
	await access(path).catch(() => {
		throw new Error(
			`There is no Chromium at ${path}. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to the Chromium or Chrome of this machine.`,
		);
	});
	return path;
}

export async function startBrowser(): Promise<Browser> {
	return await chromium.launch({ executablePath: await findChromium(), args: FLAGS });
}
