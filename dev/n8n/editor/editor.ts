import type { Browser, Locator, Page } from 'playwright-core';

import type { Owner } from '../rest/rest';

/** n8n's editor in a browser, used by what a person sees and clicks there. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
	) {}

	/** @param viewport by default that of a small notebook */
	static async signIn(
		browser: Browser,
		url: string,
		{ email, password }: Pick<Owner, 'email' | 'password'>,
		viewport = { width: 1360, height: 850 },
	): Promise<Editor> {
		const context = await browser.newContext({
			viewport,
			permissions: ['clipboard-read', 'clipboard-write'],
		});
		const page = await context.newPage();
		await page.goto(`${url}/signin`);
		await page.getByLabel('Email').fill(email);
		await page.getByLabel('Password', { exact: true }).fill(password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL(/\/(home|workflow)/);
		return new Editor(page, url);
	}

	/** A part of the page by the name that n8n's own tests use. */
	part(name: string, within: Page | Locator = this.page): Locator {
		return within.locator(`[data-test-id="${name}"]`);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.part('canvas-trigger-node').first().waitFor();
	}

	async openExecution(workflowId: string, id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}/executions/${id}`);
		await this.part('canvas-node').first().waitFor();
	}

	async retryExecution(): Promise<void> {
		await this.part('execution-preview-retry-button').click();
		await this.page.getByText('Retry with original workflow').click();
	}

	async openNode(name: string): Promise<Locator> {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		const window = this.part('ndv');
		await window.waitFor();
		return window;
	}

	/** Shows what a node put out as a table; of a long list, the first page. */
	async showTable(output: Locator): Promise<void> {
		await output.getByText('Table', { exact: true }).click();
		await output.locator('th').first().waitFor();
	}

	async closeNode(): Promise<void> {
		await this.part('ndv-close-button').click();
		await this.part('ndv').waitFor({ state: 'hidden' });
	}

	/** Shows the address of a trigger to which the payment service delivers. */
	async showProductionUrl(): Promise<void> {
		await this.page.getByText('Webhook URLs', { exact: true }).click();
		await this.page.getByText('Production URL', { exact: true }).last().click();
	}

	field(name: string): Locator {
		return this.part(`parameter-input-${name}`);
	}

	/** The choices of a list field, as they are shown: name and, below it, description. */
	async readChoices(name: string): Promise<string[]> {
		const choices = await this.unfold(name);
		const texts = await choices.allInnerTexts();
		await this.field(name).click();
		await choices.first().waitFor({ state: 'hidden' });
		return texts;
	}

	async choose(name: string, choice: string): Promise<void> {
		const choices = await this.unfold(name);
		await choices.filter({ has: this.page.getByText(choice, { exact: true }) }).click();
		// Until it has folded, the choices of this list would pass for those of the next one.
		await choices.first().waitFor({ state: 'hidden' });
	}

	private async unfold(name: string): Promise<Locator> {
		await this.field(name).click();
		const choices = this.page.getByRole('option').locator('visible=true');
		await choices.first().waitFor();
		return choices;
	}

	async openCredential(name: string): Promise<Locator> {
		await this.page.goto(`${this.url}/home/credentials`);
		await this.page.getByText(name, { exact: true }).click();
		const window = this.part('editCredential-modal');
		await window.waitFor();
		return window;
	}

	/** The control of a text field, of one line or several. */
	text(name: string): Locator {
		return this.field(name).locator('input, textarea');
	}

	/** Replaces the content of a text field, from the clipboard. */
	async paste(name: string, text: string): Promise<void> {
		// As text: what runs in the page knows other globals than this program.
		await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
		await this.text(name).click();
		await this.page.keyboard.press('ControlOrMeta+A');
		await this.page.keyboard.press('ControlOrMeta+V');
		// The window takes over what was entered when the field is left.
		await this.page.keyboard.press('Tab');
	}

	/** Whether the browser draws dots in place of the content of a text field. */
	async isMasked(name: string): Promise<boolean> {
		const field = `document.querySelector('[data-test-id="parameter-input-${name}"] :is(input, textarea)')`;
		// A field of one line is masked by its type, one of several by its style.
		const drawn = await this.page.evaluate(
			`${field}.type === 'password' || getComputedStyle(${field}).getPropertyValue('-webkit-text-security') === 'disc'`,
		);
		return drawn === true;
	}

	/**
	 * Saves the credential that is open, which n8n tests at once; returns what the test says. n8n also
	 * tests a saved one when it is opened, and the response to that may come only now.
	 */
	async saveCredential(): Promise<string> {
		const test = this.page.waitForRequest((request) =>
			request.url().endsWith('/rest/credentials/test'),
		);
		await this.part('credential-save-button').click();
		const response = await (await test).response();
		if (!response) throw new Error('The test of the credential got no response');
		const { data } = (await response.json()) as { data: { message: string } };
		return data.message;
	}
}
