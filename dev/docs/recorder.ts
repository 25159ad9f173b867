import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';

import type { Frame } from './animatedGif';

const CAPTION_HEIGHT = 56;

function captionPage(text: string): string {
	return `<body style="margin: 0; height: 100vh; display: flex; align-items: center; justify-content: center;
		background: #1f2937; color: #fff; font: 600 24px system-ui, sans-serif">${text}</body>`;
}

function stack(upper: PNG, lower: PNG): PNG {
	const image = new PNG({ width: upper.width, height: upper.height + lower.height });
	PNG.bitblt(upper, image, 0, 0, upper.width, upper.height, 0, 0);
	PNG.bitblt(lower, image, 0, 0, lower.width, lower.height, 0, upper.height);
	return image;
}

export class Recorder {
	readonly frames: Frame[] = [];

	private constructor(private readonly captions: Page) {}

	/** @param sample a page whose window is as wide as all that will be shown */
	static async start(sample: Page): Promise<Recorder> {
		const { width } = sample.viewportSize()!;
		const captions = await sample.context().newPage();
		await captions.setViewportSize({ width, height: CAPTION_HEIGHT });
		return new Recorder(captions);
	}

	async show(page: Page, caption: string, ms: number): Promise<void> {
		await page.mouse.move(0, 0);
		const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
		await this.captions.setContent(captionPage(caption));
		const title = await this.captions.screenshot();
		this.frames.push({ image: stack(PNG.sync.read(title), PNG.sync.read(shot)), ms });
	}
}
