import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { filesFolder } from './n8n/environment';
import { repositoryRoot } from './n8n/paths';
import type { N8nClient, WorkflowDefinition } from './n8n/rest';
import { payoutFile } from './payoutList';

export const examplesFolder = join(repositoryRoot, 'examples');
export const PAYOUT_EXAMPLE = 'payouts-from-spreadsheet.json';

/** File of an example -> what is in n8n of it. */
type Loaded = Record<string, { workflowId: string; hash: string }>;

export async function listExamples(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((file) => file.endsWith('.json')).sort();
}

export async function readExample(file: string): Promise<WorkflowDefinition> {
	return JSON.parse(await readFile(join(examplesFolder, file), 'utf8')) as WorkflowDefinition;
}

async function readLoaded(file: string): Promise<Loaded> {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	return JSON.parse(text) as Loaded;
}

/**
 * Puts the examples into n8n, with the list that one of them reads. One that is there stays as its
 * user left it, until its file in the repository changes; n8n's version history keeps the old one.
 * Gives the workflow id of each example file.
 */
export async function loadExamples(
	client: N8nClient,
	userFolder: string,
): Promise<Record<string, string>> {
	await copyFile(payoutFile, join(filesFolder(userFolder), 'payouts.csv'));

	const stateFile = join(userFolder, 'examples.json');
	const loaded = await readLoaded(stateFile);
	const present = new Set((await client.listWorkflows()).map(({ id }) => id));
	for (const file of await listExamples()) {
		const workflow = await readExample(file);
		const hash = createHash('sha256').update(JSON.stringify(workflow)).digest('hex');
		const known = loaded[file];
		if (known && present.has(known.workflowId)) {
			if (known.hash !== hash) await client.updateWorkflow(known.workflowId, workflow);
			known.hash = hash;
		} else {
			loaded[file] = { workflowId: (await client.createWorkflow(workflow)).id, hash };
		}
	}
	await writeFile(stateFile, `${JSON.stringify(loaded, null, 2)}\n`);
	return Object.fromEntries(
		Object.entries(loaded).map(([file, { workflowId }]) => [file, workflowId]),
	);
}
