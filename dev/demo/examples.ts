import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LEDGER_NAME } from '../../nodes/shared/n8n/dataTable';
import { repositoryRoot } from '../n8n/paths';
import { publishWorkflow } from '../n8n/rest/publication';
import type { N8nClient, WorkflowDefinition } from '../n8n/rest/rest';
import { LIVE_KEY_CREDENTIAL_NAME, withCredentials } from './keyCredentials';

const examplesFolder = join(repositoryRoot, 'examples');
export const PAYOUT_EXAMPLE = 'payouts-from-spreadsheet.json';
export const SHEETS_PAYOUT_EXAMPLE = 'payouts-from-google-sheets.json';
export const LINK_EXAMPLE = 'payment-link-with-email.json';
export const NOTIFICATION_EXAMPLE = 'pix-received-notification.json';
export const REFUND_EXAMPLE = 'refund-desk.json';
export const REMINDER_EXAMPLE = 'overdue-boletos.json';
export const RECONCILIATION_EXAMPLE = 'daily-reconciliation.json';
export const MONTH_EXAMPLE = 'month-end.json';
export const DISPUTE_EXAMPLE = 'dispute-desk.json';
export const WHATSAPP_EXAMPLE = 'charge-by-whatsapp.json';
export const WAIT_EXAMPLE = 'wait-for-payment.json';
export const ALERT_EXAMPLE = 'alert.json';
export const SALARY_EXAMPLE = 'salaries.json';

/** The examples that wait for someone outside n8n, and are therefore active in the demo. */
const LISTENING = [PAYOUT_EXAMPLE, LINK_EXAMPLE, NOTIFICATION_EXAMPLE, REFUND_EXAMPLE];

/** File of an example -> what is in n8n of it. */
type Loaded = Record<string, { workflowId: string; hash: string; activated?: boolean }>;

export async function listExamples(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

export async function readExample(file: string): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as WorkflowDefinition;
}

function stateFile(userFolder: string): string {
	return join(userFolder, 'examples.json');
}

async function readLoaded(userFolder: string): Promise<Loaded> {
	const text = await readFile(stateFile(userFolder), 'utf8').catch(() => '{}');
	return JSON.parse(text) as Loaded;
}

async function writeLoaded(userFolder: string, loaded: Loaded): Promise<void> {
	await writeFile(stateFile(userFolder), `${JSON.stringify(loaded, null, 2)}\n`);
}

/**
 * Puts the examples into n8n. One that is there stays as its user left it, until its file in the repository changes; n8n's version history keeps the old one.
 * Returns the workflow id of each example file.
 */
export async function loadExamples(
	client: N8nClient,
	userFolder: string,
): Promise<Record<string, string>> {
	const loaded = await readLoaded(userFolder);
	const present = new Set((await client.listWorkflows()).map(({ id }) => id));
	for (const file of await listExamples()) {
		const workflow = withCredentials(await readExample(file), LIVE_KEY_CREDENTIAL_NAME);
		const hash = createHash('sha256').update(JSON.stringify(workflow)).digest('hex');
		const known = loaded[file];
		if (known && present.has(known.workflowId)) {
			if (known.hash === hash) continue;
			await client.updateWorkflow(known.workflowId, workflow);
			loaded[file] = { workflowId: known.workflowId, hash };
		} else {
			loaded[file] = { workflowId: (await client.createWorkflow(workflow)).id, hash };
		}
	}
	await writeLoaded(userFolder, loaded);
	return Object.fromEntries(
		Object.entries(loaded).map(([file, { workflowId }]) => [file, workflowId]),
	);
}

/**
 * Empties the table by which n8n remembers references. For a sandbox that starts with empty books, where
 * no payout of an earlier start can be found.
 */
export async function forgetPayouts(client: N8nClient): Promise<void> {
	const { id: project } = await client.request<{ id: string }>('GET', '/rest/projects/personal');
	const tables = `/rest/projects/${project}/data-tables`;
	const { data } = await client.request<{ data: Array<{ id: string; name: string }> }>(
		'GET',
		`${tables}?take=100`,
	);
	const ledger = data.find(({ name }) => name === LEDGER_NAME);
	if (ledger === undefined) return;
	const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
	const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
	await client.request('DELETE', `${tables}/${ledger.id}/rows?filter=${filter}`);
}

/** Activates those that listen, once: one that the user deactivates stays inactive at the next start. */
export async function activateListening(client: N8nClient, userFolder: string): Promise<void> {
	const loaded = await readLoaded(userFolder);
	for (const file of LISTENING) {
		const known = loaded[file];
		if (!known || known.activated === true) continue;
		await publishWorkflow(client, known.workflowId);
		known.activated = true;
	}
	await writeLoaded(userFolder, loaded);
}
