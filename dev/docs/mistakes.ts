/**
 * Makes the commonest mistakes of a builder in n8n's real editor and keeps a picture of what the node
 * says to each in the cache folder, for a person to look at.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runMain } from '../cli/command';
import type { DemoSession } from '../demo/session';
import type { Editor } from '../n8n/editor/editor';
import { cacheRoot } from '../n8n/paths';
import { waitFor } from '../n8n/process/waitFor';
import { apiCredential, saveCredential } from '../n8n/rest/credentials';
import { isEnded } from '../n8n/rest/executionData';
import type { WorkflowDefinition } from '../n8n/rest/rest';
import { brlPayments, buildWorkflow, manualStart } from '../n8n/rest/workflow';
import { defaultAccount } from '../sandbox/settings/account';
import { inEditor } from './inEditor';

const FOLDER = join(cacheRoot(), 'screenshots', 'mistakes');
const PAY = 'Pay';

interface Mistake {
	/** Name of the picture. */
	readonly name: string;
	readonly rows: readonly IDataObject[];
	readonly parameters?: INodeParameters;
	readonly resource?: readonly [resource: string, operation: string];
	/** Where Execute is pressed twice. */
	readonly rowsOfSecondPress?: readonly IDataObject[];
	/** What the account and the credential are like meanwhile. */
	readonly before?: (session: DemoSession) => Promise<void> | void;
}

let rowCount = 0;

/** Three good payouts that no other mistake has made; the second one with what is wrong in it. */
function rowsWith(wrong: IDataObject = {}): IDataObject[] {
	return [0, 1, 2].map((index) => {
		const number = ++rowCount;
		const row = {
			invoice: `NF-${number}`,
			amount: '150,00',
			pixKey: `payee-${number}@example.com`,
		};
		return { ...row, ...(index === 1 ? wrong : {}) };
	});
}

async function useCredential(
	{ client, sandbox }: DemoSession,
	apiKey: string,
	environment = 'auto',
): Promise<void> {
	const { data, ...rest } = apiCredential(sandbox.url, apiKey);
	await saveCredential(client, { ...rest, data: { ...data, environment } });
}

function loseAnswers({ sandbox }: DemoSession): void {
	const second = { method: 'POST', path: '/v1/withdrawals', skip: 1, times: Infinity };
	sandbox.faults.add({ ...second, kind: 'dropAfter' });
}

const byInvoice: INodeParameters = { reference: '={{ $json.invoice }}' };
const paidInvoices = rowsWith();
const paidByHand = rowsWith();

const MISTAKES: readonly Mistake[] = [
	{ name: 'cpf-check-digits', rows: rowsWith({ pixKey: '529.982.247-26' }) },
	{ name: 'phone-without-country-code', rows: rowsWith({ pixKey: '(11) 98765-4320' }) },
	{ name: 'ambiguous-amount', rows: rowsWith({ amount: '1.234' }) },
	{ name: 'amount-with-words', rows: rowsWith({ amount: '150 reais' }) },
	{
		name: 'misspelt-column',
		rows: rowsWith(),
		parameters: { amount: '={{ $json.valor }}' },
	},
	{
		name: 'missing-recipient-document',
		rows: rowsWith(),
		before: ({ sandbox }) => {
			sandbox.account.ownTaxId = null;
		},
	},
	{
		name: 'document-of-somebody-else',
		rows: rowsWith({ pixKey: 'maria@example.com' }),
		parameters: { recipientDocument: '529.982.247-25' },
		before: ({ sandbox }) => {
			sandbox.account.pixKeyHolders = { 'maria@example.com': '11144477735' };
		},
	},
	{
		name: 'wrong-api-key',
		rows: rowsWith(),
		before: async (session) => {
			const key = session.sandbox.keys.live;
			await useCredential(session, `${key.slice(0, -7)}example`);
		},
	},
	{
		name: 'missing-scope',
		rows: rowsWith(),
		before: async (session) => {
			const { sandbox } = session;
			const key = sandbox.createKey({ environment: 'PRODUCTION', scopes: ['balance:read'] });
			await useCredential(session, key);
		},
	},
	{
		name: 'live-key-in-sandbox-credential',
		rows: rowsWith(),
		before: async (session) => await useCredential(session, session.sandbox.keys.live, 'sandbox'),
	},
	{
		name: 'reference-with-other-content',
		rows: paidInvoices,
		parameters: byInvoice,
		rowsOfSecondPress: paidInvoices.map((row, index) =>
			index === 1 ? { ...row, amount: '175,00' } : row,
		),
	},
	{ name: 'execute-pressed-twice', rows: paidByHand, rowsOfSecondPress: paidByHand },
	{
		name: 'limit-exceeded',
		rows: rowsWith({ amount: '4.000,00' }),
		before: ({ sandbox }) => {
			sandbox.account.perTransactionLimitCents = 300_000;
		},
	},
	{
		name: 'insufficient-balance',
		rows: rowsWith(),
		before: ({ sandbox }) => {
			sandbox.account.balanceCents = 20_000;
		},
	},
	{ name: 'lost-answer', rows: rowsWith(), before: loseAnswers },
	{
		name: 'boleto-without-customer',
		rows: [{ amount: '99,90' }],
		resource: ['payment', 'create'],
		parameters: { methods: ['BOLETO'], mode: 'headless', amount: '={{ $json.amount }}' },
	},
];

function buildMistake({ name, resource, parameters }: Mistake, rows: readonly IDataObject[]) {
	const payout = { amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' };
	const [type, operation] = resource ?? (['withdrawal', 'create'] as const);
	return buildWorkflow(name, [
		...manualStart([...rows]),
		// One after the other, so that the pictures are alike each time.
		brlPayments(PAY, type, operation, {
			...(resource ? {} : payout),
			...parameters,
			options: { maxConcurrency: 1 },
		}),
	]);
}

async function pressExecute(session: DemoSession, editor: Editor, id: string): Promise<void> {
	const { client } = session;
	const known = new Set((await client.listExecutions(id)).map((each) => each.id));
	await editor.openWorkflow(id);
	await editor.part('execute-workflow-button').first().click();
	const ended = async () =>
		(await client.listExecutions(id)).find((each) => !known.has(each.id) && isEnded(each.status));
	await waitFor(ended, { what: 'the execution to end', timeoutMs: 120_000 });
}

/** The workflow with other rows. The same nodes: what a node remembers belongs to it. */
function withRows(workflow: WorkflowDefinition, rows: readonly IDataObject[]): WorkflowDefinition {
	const list = manualStart([...rows])[1]!;
	const nodes = workflow.nodes.map((node) =>
		node.name === list.name ? { ...node, parameters: list.parameters } : node,
	);
	return { ...workflow, nodes };
}

/** Keeps the window of the node, and the text of its output panel. */
async function shoot(editor: Editor, name: string): Promise<void> {
	const window = await editor.openNode(PAY);
	const panel = editor.part('output-panel');
	await panel.waitFor();
	await editor.page.mouse.move(0, 0);
	const path = join(FOLDER, name);
	await window.screenshot({ path: `${path}.png`, animations: 'disabled', caret: 'hide' });
	await writeFile(`${path}.txt`, await panel.innerText());
	process.stdout.write(`${path}.png\n`);
	await editor.closeNode();
}

async function make(session: DemoSession, editor: Editor, mistake: Mistake): Promise<void> {
	const { client, sandbox } = session;
	Object.assign(sandbox.account, defaultAccount());
	sandbox.faults.clear();
	await useCredential(session, sandbox.keys.live);
	await mistake.before?.(session);

	const workflow = buildMistake(mistake, mistake.rows);
	const { id } = await client.createWorkflow(workflow);
	await pressExecute(session, editor, id);
	if (mistake.rowsOfSecondPress) {
		await client.updateWorkflow(id, withRows(workflow, mistake.rowsOfSecondPress));
		await pressExecute(session, editor, id);
	}
	await shoot(editor, mistake.name);
}

runMain(async () => {
	await mkdir(FOLDER, { recursive: true });
	await inEditor({ width: 1360, height: 850 }, async (session, editor) => {
		for (const mistake of MISTAKES) await make(session, editor, mistake);
	});
});
