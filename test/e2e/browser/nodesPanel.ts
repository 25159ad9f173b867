import type { Locator } from 'playwright-core';

import type { Editor } from '../../../dev/n8n/editor/editor';

/** The panel next to the canvas in which nodes are searched for and added. */
export class NodesPanel {
	constructor(private readonly editor: Editor) {}

	private get panel(): Locator {
		return this.editor.part('node-creator');
	}

	private get searchBar(): Locator {
		return this.editor.part('node-creator-search-bar', this.panel);
	}

	/** The entry of this name in what is listed now. */
	entry(name: string): Locator {
		return this.editor.part('node-creator-item-name', this.panel).getByText(name, { exact: true });
	}

	async open(): Promise<void> {
		await this.editor.part('canvas-add-button').or(this.editor.part('canvas-handle-plus')).click();
		await this.searchBar.waitFor();
	}

	/** Types a word, and waits until what matched the one before is gone. */
	async search(word: string): Promise<void> {
		const nothing = this.editor.part('node-creator-no-results', this.panel);
		await this.searchBar.fill('no node has such a name');
		await nothing.waitFor();
		await this.searchBar.fill(word);
		await nothing.waitFor({ state: 'detached' });
	}
}
