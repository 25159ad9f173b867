import type { Locator } from 'playwright-core';

import type { Editor } from '../../../dev/n8n/editor/editor';

/** How long n8n may take to fetch a package, check it and load its nodes. */
const CHANGE_TIMEOUT_MS = 60_000;

/** Settings > Community nodes, where packages are installed, updated and uninstalled. */
export class CommunityNodes {
	constructor(
		private readonly editor: Editor,
		private readonly url: string,
	) {}

	private get page() {
		return this.editor.page;
	}

	/** What is offered where nothing is installed. */
	get firstInstall(): Locator {
		return this.page.getByRole('button', { name: 'Install a community node' });
	}

	async open(): Promise<void> {
		await this.page.goto(`${this.url}/settings/community-nodes`);
		await this.card.first().or(this.firstInstall).first().waitFor();
	}

	/** The installed package: its name, nodes and version. There is one at most in these tests. */
	get card(): Locator {
		return this.editor.part('community-package-card').filter({ hasText: 'n8n-nodes-' });
	}

	/** Fills in the window that asks for a package, as far as the button that installs it. */
	async enter(name: string): Promise<void> {
		await this.firstInstall.click();
		await this.editor.part('package-name-input').fill(name);
		const install = this.editor.part('install-community-package-button');
		// n8n wants the risk to be understood first.
		if (await install.isEnabled()) throw new Error('n8n would install without asking');
		await this.editor.part('user-agreement-checkbox').click();
	}

	async install(): Promise<void> {
		await this.editor.part('install-community-package-button').click();
		await this.isSaid('Package installed');
	}

	/** Asks for the update; n8n then shows what it changes. */
	async askForUpdate(): Promise<void> {
		await this.card.getByRole('button', { name: 'Update' }).click();
		await this.page.getByRole('button', { name: 'Confirm update' }).waitFor();
	}

	async confirmUpdate(): Promise<void> {
		await this.page.getByRole('button', { name: 'Confirm update' }).click();
		await this.isSaid('Package updated');
	}

	/** Asks to uninstall; n8n then shows which workflows are hit. */
	async askToUninstall(): Promise<void> {
		await this.editor.part('action-toggle', this.card).click();
		await this.page.getByText('Uninstall package', { exact: true }).click();
		await this.page.getByRole('button', { name: 'Confirm uninstall' }).waitFor();
	}

	async confirmUninstall(): Promise<void> {
		await this.page.getByRole('button', { name: 'Confirm uninstall' }).click();
		await this.isSaid('Package uninstalled');
	}

	private async isSaid(text: string): Promise<void> {
		await this.page.getByText(text, { exact: true }).waitFor({ timeout: CHANGE_TIMEOUT_MS });
	}
}
