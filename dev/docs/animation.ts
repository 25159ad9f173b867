/**
 * Makes the animated picture of the README in n8n's real editor: eight payouts, n8n killed in the
 * middle, run again, and the books of the emulated service.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';
import type { Page } from 'playwright-core';

import { runMain } from '../cli/command';
import { LIVE_KEY_CREDENTIAL_NAME, withApiCredential } from '../demo/keyCredentials';
import type { DemoSession } from '../demo/session';
import type { Editor } from '../n8n/editor/editor';
import { repositoryRoot } from '../n8n/paths';
import { waitFor } from '../n8n/process/waitFor';
import { brlPayments, manualStart, node, buildWorkflow } from '../n8n/rest/workflow';
import { encodeGif } from './animatedGif';
import { inEditor } from './inEditor';
import { Recorder } from './recorder';

const FILE = join(repositoryRoot, 'docs', 'images', 'never-paid-twice.gif');
const WINDOW = { width: 1120, height: 640 };

const PAY = 'Pay';
const REPORT = 'Report';
const ROWS = 8;
const FIRST_INVOICE = 1001;
const PAID_WHEN_KILLED = 4;

const FIRST_TAKES_MS = 2000;
/** The payout after the last one is under way until n8n is killed. */
const HELD_MS = 60_000;

function payoutRows(): IDataObject[] {
	return Array.from({ length: ROWS }, (_value, index) => ({
		invoice: `NF-${FIRST_INVOICE + index}`,
		pixKey: `s${index + 1}@example.com`,
		amount: 120 + 35 * index,
	}));
}

function workflow() {
	const report = ['reference', 'status', 'alreadyPaid'].map((name) => ({
		...{ id: name, name, value: `={{ $json.${name} }}` },
		type: name === 'alreadyPaid' ? 'boolean' : 'string',
	}));
	const nodes = [
		...manualStart(payoutRows()),
		brlPayments(PAY, 'withdrawal', 'create', {
			...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' },
			...{ reference: '={{ $json.invoice }}', description: '={{ $json.invoice }}' },
			options: { maxConcurrency: 1 },
		}),
		node(REPORT, 'set', 3.4, { assignments: { assignments: report }, options: {} }),
	];
	return buildWorkflow(
		'Pay suppliers',
		nodes.map((each, index) => ({ ...each, position: [index * 220, 0] })),
	);
}

class Story {
	private readonly page: Page;

	constructor(
		private readonly session: DemoSession,
		private readonly editor: Editor,
		private readonly recorder: Recorder,
		private readonly restartN8n: () => Promise<void>,
	) {
		this.page = editor.page;
	}

	async play(): Promise<void> {
		const { id } = await this.session.client.createWorkflow(
			withApiCredential(workflow(), LIVE_KEY_CREDENTIAL_NAME),
		);
		await this.showList(id);
		await this.run();
		await this.kill();
		await this.restartN8n();
		await this.showCrash(id);
		await this.runAgain(id);
		await this.showBooks();
	}

	private async show(caption: string, ms: number): Promise<void> {
		await this.recorder.show(this.page, caption, ms);
	}

	private get paid(): number {
		return this.session.sandbox.books.withdrawals.length;
	}

	private async untilPaid(count: number): Promise<void> {
		await waitFor(() => this.paid >= count, { what: `${count} payouts`, pollMs: 5 });
	}

	private async showList(workflowId: string): Promise<void> {
		const { editor } = this;
		await editor.openWorkflow(workflowId);
		await editor.part('zoom-to-fit').click();
		await this.show('A workflow pays a list of eight suppliers by PIX', 2500);
		const pay = await editor.openNode(PAY);
		await pay.getByText('Execute previous nodes').click();
		await editor.part('ndv-input-panel').getByText('Table', { exact: true }).click();
		await pay.getByText(`s${ROWS}@example.com`).first().waitFor();
		await pay.getByText('Execute step').first().waitFor();
		await editor.field('reference').scrollIntoViewIfNeeded();
		await this.show('Each invoice number is the reference of its payout', 4000);
		await editor.closeNode();
	}

	private async run(): Promise<void> {
		const { faults } = this.session.sandbox;
		const withdrawal = { method: 'POST', path: '/v1/withdrawals', kind: 'delay' } as const;
		faults.add({ ...withdrawal, ms: FIRST_TAKES_MS });
		faults.add({ ...withdrawal, ms: HELD_MS, skip: PAID_WHEN_KILLED });
		await this.editor.part('execute-workflow-button').first().click();
		await this.show('It runs …', 1200);
		await this.untilPaid(PAID_WHEN_KILLED);
		await this.show(`${this.paid} of ${ROWS} payouts are made …`, 2000);
	}

	private async kill(): Promise<void> {
		await this.session.n8n.kill9();
		await this.page.getByText('Connection lost').first().waitFor();
		await this.show('… when n8n is killed (kill -9)', 3500);
		this.session.sandbox.faults.clear();
	}

	private async showCrash(workflowId: string): Promise<void> {
		await this.editor.openExecutions(workflowId);
		await this.editor.part('execution-preview-retry-button').waitFor();
		await this.show('n8n is back: the run has crashed', 2500);
	}

	private async runAgain(workflowId: string): Promise<void> {
		await this.editor.openWorkflow(workflowId);
		await this.editor.part('zoom-to-fit').click();
		await this.editor.part('execute-workflow-button').first().click();
		await this.page.getByText('Workflow executed successfully').waitFor();
		await this.show('Run the same list again', 2500);
		await this.editor.openNode(REPORT);
		const output = this.editor.part('output-panel');
		await output.getByText('Table', { exact: true }).click();
		await output.getByText(`NF-${FIRST_INVOICE + ROWS - 1}`).waitFor();
		await this.show('What was paid before the crash is not paid again', 4000);
	}

	private async showBooks(): Promise<void> {
		const { withdrawals } = this.session.sandbox.books;
		const payees = new Set(withdrawals.map(({ pixKey }) => pixKey));
		if (payees.size !== ROWS || withdrawals.length !== ROWS) {
			throw new Error(`The books show ${withdrawals.length} payouts to ${payees.size} payees.`);
		}
		await this.page.goto(this.session.sandbox.url);
		// So that its columns are wide enough for their content.
		await this.page.addStyleTag({ content: 'body { zoom: 0.85; }' });
		await this.page.locator('#withdrawals tbody tr').last().scrollIntoViewIfNeeded();
		await this.show(`The books of the payment service: ${ROWS} payouts, each once`, 5000);
	}
}

runMain(async () => {
	await inEditor(WINDOW, async (session, editor, restartN8n) => {
		const recorder = await Recorder.start(editor.page);
		// The history of the examples has no part in this.
		session.sandbox.reset();
		await new Story(session, editor, recorder, restartN8n).play();
		const gif = encodeGif(recorder.frames);
		await mkdir(dirname(FILE), { recursive: true });
		await writeFile(FILE, gif);
		process.stdout.write(`${basename(FILE)}  ${Math.ceil(gif.length / 1000)} kB\n`);
	});
});
