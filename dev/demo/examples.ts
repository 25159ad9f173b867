import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from '../n8n/paths';
import { publishWorkflow } from '../n8n/rest/publication';
import type { N8nClient, WorkflowDefinition } from '../n8n/rest/rest';
import { LIVE_KEY_CREDENTIAL_NAME, withCredentials } from './keyCredentials';

const examplesFolder = join(repositoryRoot, 'examples');
export const PAYOUT_EXAMPLE = 'payouts-from-spreadsheet.json';
export const LINK_EXAMPLE = 'payment-link-with-email.json';
export const NOTIFICATION_EXAMPLE = 'pix-received-notification.json';
export const REFUND_EXAMPLE = 'refund-desk.json';
export const REMINDER_EXAMPLE = 'overdue-boletos.json';
export const RECONCILIATION_EXAMPLE = 'daily-reconciliation.json';

/** The examples that wait for someone outside n8n, and are therefore active in the demo. */
const LISTENING = [PAYOUT_EXAMPLE, LINK_EXAMPLE, NOTIFICATION_EXAMPLE, REFUND_EXAMPLE];

export async function listExamples(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

export async function readExample(file: string): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as WorkflowDefinition;
}

/** Puts the examples into n8n. @returns the workflow id of each example file */
export async function loadExamples(client: N8nClient): Promise<Record<string, string>> {
	const workflows: Record<string, string> = {};
	for (const file of await listExamples()) {
		const workflow = withCredentials(await readExample(file), LIVE_KEY_CREDENTIAL_NAME);
		workflows[file] = (await client.createWorkflow(workflow)).id;
	}
	return workflows;
}

export async function activateListening(
	client: N8nClient,
	workflows: Readonly<Record<string, string>>,
): Promise<void> {
	for (const file of LISTENING) await publishWorkflow(client, workflows[file]!);
}
